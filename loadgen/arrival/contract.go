package arrival

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.org/arena/results/contract"
)

// A Step is one cell of a test with the schedule that measures it.
type Step struct {
	Cell     contract.Cell
	Rung     int // open loop: place of the cell's rate in the test, from 0
	Arrivals *Arrivals
	Schedule Schedule
}

// warmupBatches is how many batches llama-benchy sends before those it measures.
const warmupBatches = 1

// ForTest returns the steps of a test in the order in which its tool takes them:
// batches for llama-benchy, an open loop for each rung for `vllm bench serve`, and
// for Arena's own load generator a closed loop with refill, to be sent once for
// each repetition, or an open loop. Every rung starts from the contract's seed
// again.
func ForTest(c *contract.Contract, t contract.Test) ([]Step, error) {
	var steps []Step
	var err error
	switch {
	case t.ClosedLoop != nil && t.Tool == contract.LlamaBenchy:
		steps = batches(t)
	case t.ClosedLoop != nil && t.Tool == contract.Native:
		steps = refills(t)
	case t.OpenLoop != nil && (t.Tool == contract.VLLMBench || t.Tool == contract.Native):
		steps, err = rungs(c.Seed, t)
	default:
		err = fmt.Errorf("the tool %q has no schedule for its %s loop", t.Tool, t.Loop)
	}
	if err != nil {
		return nil, fmt.Errorf("schedule test %s: %w", t.Slug, err)
	}
	return steps, nil
}

// batches lists the cells of a closed loop: depth outermost, then prompt, output
// and concurrency.
func batches(t contract.Test) []Step {
	place := func(list []int, n int) int { return slices.Index(list, n) }
	l := t.ClosedLoop
	cells := t.Cells()
	slices.SortStableFunc(cells, func(a, b contract.Cell) int {
		return cmp.Or(
			place(l.DepthTokens, a.DepthTokens)-place(l.DepthTokens, b.DepthTokens),
			place(l.PromptTokens, a.PromptTokens)-place(l.PromptTokens, b.PromptTokens),
			place(l.OutputTokens, a.OutputTokens)-place(l.OutputTokens, b.OutputTokens),
			place(l.Concurrency, a.Concurrency)-place(l.Concurrency, b.Concurrency))
	})
	steps := make([]Step, len(cells))
	for i, cell := range cells {
		steps[i] = Step{Cell: cell, Schedule: Synchronised(cell.Concurrency, warmupBatches, l.Runs)}
	}
	return steps
}

// refills lists the cells of a closed loop with refill, in the contract's order.
// Where the test has conversations, a schedule's requests are their first turns.
func refills(t contract.Test) []Step {
	var steps []Step
	for _, cell := range t.Cells() {
		steps = append(steps, Step{Cell: cell, Schedule: ClosedLoop(cell.Concurrency, cell.Concurrency*t.ClosedLoop.Rounds)})
	}
	return steps
}

// rungs lists the cells of an open loop.
func rungs(seed int64, t contract.Test) ([]Step, error) {
	if seed < 0 || seed > math.MaxUint32 {
		return nil, fmt.Errorf("the seed %d is not in [0,2³²)", seed)
	}
	l := t.OpenLoop
	all := Arrivals{Seed: uint32(seed), Burstiness: l.Burstiness}
	schedules, err := all.Sweep(l.Rungs, l.MaxConcurrency)
	if err != nil {
		return nil, err
	}
	steps := make([]Step, len(schedules))
	for i, cell := range t.Cells() {
		a := all.at(l.Rungs[i])
		steps[i] = Step{Cell: cell, Rung: i, Arrivals: &a, Schedule: schedules[i]}
	}
	return steps, nil
}
