package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/results/contract"
)

// A load is what a kind of test makes of its parameters for one cell.
type load struct {
	spec        contract.Cell
	name        string // what tells the cell from the others of its test
	rung        int    // place of its rate, from 0
	schedule    arrival.Schedule
	repetitions int               // how often the schedule is sent
	texts       []string          // that prompts are taken from, in turn; none where the contract leaves prompts to a tool
	lengths     []contract.Length // of each request of the schedule; none where a file of conversations decides
	turns       []prompt.Turn
	warmups     int // requests before the first repetition
	warmup      contract.Length
}

// warmupBatches is how many batches llama-benchy sends before those it measures.
const warmupBatches = 1

// openWarmups is how many requests warm an open loop up.
const openWarmups = 4

// loads returns what a test sends, cell by cell, in the order in which its tool
// takes them.
func loads(c *contract.Contract, t contract.Test) ([]load, error) {
	switch k := t.Kind.(type) {
	case contract.Batches:
		return batches(k), nil
	case contract.VLLMServe:
		return rungs(c.Seed, k.Arrivals, nil, 0)
	case contract.Refill:
		return slots(k.Slots, nil), nil
	case contract.Conversations:
		return slots(k.Slots, turns(k)), nil
	case contract.OpenLoop:
		return rungs(c.Seed, k.Arrivals, k.Texts, k.WarmupTokens)
	}
	return nil, fmt.Errorf("nothing says what a test of the kind %T sends", t.Kind)
}

// batches lists the cells of llama-benchy: depth outermost, then prompt, output and
// concurrency. The repetitions of a cell stand in its schedule.
func batches(k contract.Batches) []load {
	place := func(list []int, n int) int { return slices.Index(list, n) }
	cells := k.Cells()
	slices.SortStableFunc(cells, func(a, b contract.Cell) int {
		return cmp.Or(
			place(k.DepthTokens, a.DepthTokens)-place(k.DepthTokens, b.DepthTokens),
			place(k.PromptTokens, a.PromptTokens)-place(k.PromptTokens, b.PromptTokens),
			place(k.OutputTokens, a.OutputTokens)-place(k.OutputTokens, b.OutputTokens),
			place(k.Concurrency, a.Concurrency)-place(k.Concurrency, b.Concurrency))
	})
	var list []load
	for _, cell := range cells {
		list = append(list, closed(cell, arrival.Synchronised(cell.Concurrency, warmupBatches, k.Runs)))
	}
	return list
}

// slots lists the cells of a closed loop with refill, in the contract's order. Where
// the test has conversations, a schedule's requests are their first turns.
func slots(s contract.Slots, turns []prompt.Turn) []load {
	var list []load
	for _, cell := range s.Cells() {
		l := closed(cell, arrival.ClosedLoop(cell.Concurrency, cell.Concurrency*s.Rounds))
		l.repetitions, l.texts, l.turns = s.Repetitions, s.Texts, turns
		if s.WarmupTokens > 0 {
			l.warmups, l.warmup = cell.Concurrency, contract.Length{Prompt: cell.PromptTokens, Output: s.WarmupTokens}
		}
		list = append(list, l)
	}
	return list
}

// closed is the load of a cell of a closed loop, whose requests all have the same
// lengths.
func closed(cell contract.Cell, schedule arrival.Schedule) load {
	prompt := fmt.Sprint(cell.PromptTokens)
	if cell.DepthTokens > 0 {
		prompt = fmt.Sprintf("%d+%d", cell.DepthTokens, cell.PromptTokens)
	}
	return load{
		spec:        cell,
		name:        fmt.Sprintf("%s/%d/c%d", prompt, cell.OutputTokens, cell.Concurrency),
		schedule:    schedule,
		repetitions: 1,
		lengths:     slices.Repeat([]contract.Length{{Prompt: cell.DepthTokens + cell.PromptTokens, Output: cell.OutputTokens}}, schedule.Requests),
	}
}

// turns lists the turns of a test's conversations.
func turns(k contract.Conversations) []prompt.Turn {
	if k.Turns < 2 {
		return nil
	}
	list := make([]prompt.Turn, k.Turns)
	for i := range list {
		list[i] = prompt.Turn{
			PromptTokens: k.PromptTokens[0] + i*(k.OutputTokens[0]+k.QuestionTokens),
			OutputTokens: k.OutputTokens[0],
		}
	}
	return list
}

// rungs lists the cells of an open loop. Every rung starts from the contract's seed
// again. Conversations of a file are not warmed up: which of them fit is not known
// yet.
func rungs(seed int64, a contract.Arrivals, texts []string, warmupTokens int) ([]load, error) {
	if seed < 0 || seed > math.MaxUint32 {
		return nil, fmt.Errorf("the seed %d is not in [0,2³²)", seed)
	}
	var list []load
	for i, cell := range a.Cells() {
		schedule, err := arrival.Arrivals{
			Seed: uint32(seed), Rate: cell.RequestRate, Burstiness: a.Burstiness, Requests: cell.Prompts,
		}.Schedule(a.MaxConcurrency)
		if err != nil {
			return nil, err
		}
		l := load{
			spec:        cell,
			name:        fmt.Sprintf("r%g", cell.RequestRate),
			rung:        i,
			schedule:    schedule,
			repetitions: 1,
			texts:       texts,
		}
		if a.Dataset != contract.ShareGPT {
			if l.lengths, err = a.Lengths(seed).Draw(cell.Prompts); err != nil {
				return nil, err
			}
			if warmupTokens > 0 {
				l.warmups, l.warmup = openWarmups, contract.Length{Prompt: a.InputTokens, Output: warmupTokens}
			}
		}
		list = append(list, l)
	}
	return list, nil
}
