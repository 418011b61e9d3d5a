package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/results/contract"
)

// shortPrompt is the length, in tokens, below which prompts have no task at their
// end: chat templates take dozens of tokens.
const shortPrompt = 256

// toolText is the text of tests whose contract leaves prompts to a tool.
const toolText = "prose-en"

// Make plans a contract, or those of its tests that only names, if any. The error
// names tests that the contract does not have.
func Make(c *contract.Contract, only []string, salt string) (*Plan, error) {
	for _, slug := range only {
		if _, ok := c.Test(slug); !ok {
			return nil, fmt.Errorf("contract %s has no test %q: want one of %s", c.Version, slug, strings.Join(c.Slugs(), ", "))
		}
	}
	p := &Plan{Contract: c, Salt: salt}
	for _, t := range c.Tests {
		if len(only) > 0 && !slices.Contains(only, t.Slug) {
			continue
		}
		cells, err := p.cells(t)
		if err != nil {
			return nil, fmt.Errorf("plan test %s: %w", t.Slug, err)
		}
		p.Tests = append(p.Tests, Test{Spec: t, Cells: cells})
	}
	return p, nil
}

func (p *Plan) cells(t contract.Test) ([]Cell, error) {
	steps, err := arrival.ForTest(p.Contract, t)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	for _, step := range steps {
		cell := Cell{ID: idOf(t, step), Spec: step.Cell, Rung: step.Rung, MaxInFlight: inFlight(step.Schedule)}
		repetitions := 1
		if l := t.ClosedLoop; l != nil && t.Tool == contract.Native {
			repetitions, cell.Turns = l.Runs, turns(l)
		}
		cell.FromFile = t.OpenLoop != nil && t.OpenLoop.Dataset == contract.ShareGPT
		cell.Warmup = p.warmup(t, cell)
		for r := range repetitions {
			repetition, err := p.repetition(t, cell, step, r)
			if err != nil {
				return nil, err
			}
			cell.Repetitions = append(cell.Repetitions, repetition)
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

func inFlight(s arrival.Schedule) int {
	switch {
	case s.Kind != arrival.Open:
		return s.Concurrency
	case s.MaxConcurrency > 0:
		return s.MaxConcurrency
	}
	return s.Requests
}

// turns lists the turns of a test's conversations.
func turns(l *contract.ClosedLoop) []prompt.Turn {
	if l.Turns < 2 {
		return nil
	}
	list := make([]prompt.Turn, l.Turns)
	for i := range list {
		list[i] = prompt.Turn{
			PromptTokens: l.PromptTokens[0] + i*(l.OutputTokens[0]+l.QuestionTokens),
			OutputTokens: l.OutputTokens[0],
		}
	}
	return list
}

// idOf names a cell by what tells it from the others of its test.
func idOf(t contract.Test, s arrival.Step) string {
	if t.OpenLoop != nil {
		return fmt.Sprintf("%s/r%g", t.Slug, s.Cell.RequestRate)
	}
	lengths := fmt.Sprint(s.Cell.PromptTokens)
	if s.Cell.DepthTokens > 0 {
		lengths = fmt.Sprintf("%d+%d", s.Cell.DepthTokens, s.Cell.PromptTokens)
	}
	return fmt.Sprintf("%s/%s/%d/c%d", t.Slug, lengths, s.Cell.OutputTokens, s.Cell.Concurrency)
}

func (p *Plan) repetition(t contract.Test, cell Cell, step arrival.Step, number int) (Repetition, error) {
	r := Repetition{Salt: fmt.Sprintf("%s/%s/%d", p.Salt, cell.ID, number), Schedule: step.Schedule}
	switch {
	case cell.FromFile:
		return r, nil
	case t.OpenLoop != nil:
		l := t.OpenLoop
		lengths, err := arrival.Lengths{Seed: uint64(p.Contract.Seed), Input: l.InputTokens, Output: l.OutputTokens, RangeRatio: l.RangeRatio}.
			Draw(r.Schedule.Requests)
		if err != nil {
			return r, err
		}
		for i, n := range lengths {
			r.Requests = append(r.Requests, p.request(l.Texts, cell, number, i, n.Prompt, n.Output))
		}
	default:
		for i := range r.Schedule.Requests {
			r.Requests = append(r.Requests, p.request(t.ClosedLoop.Texts, cell, number, i, cell.Spec.DepthTokens+cell.Spec.PromptTokens, cell.Spec.OutputTokens))
		}
	}
	return r, nil
}

// openWarmups is how many requests warm an open loop up.
const openWarmups = 4

// warmup plans what is sent before a cell: a request for each of its slots, or a few
// of the mean length. Conversations of a file have none: which of them fit is not
// known yet.
func (p *Plan) warmup(t contract.Test, cell Cell) []Request {
	var list []Request
	switch {
	case t.Tool != contract.Native || cell.FromFile:
	case t.OpenLoop != nil && t.OpenLoop.WarmupTokens > 0:
		for i := range openWarmups {
			list = append(list, p.request(t.OpenLoop.Texts, cell, warmupRepetition, i, t.OpenLoop.InputTokens, t.OpenLoop.WarmupTokens))
		}
	case t.ClosedLoop != nil && t.ClosedLoop.WarmupTokens > 0:
		for i := range cell.Spec.Concurrency {
			list = append(list, p.request(t.ClosedLoop.Texts, cell, warmupRepetition, i, cell.Spec.PromptTokens, t.ClosedLoop.WarmupTokens))
		}
	}
	return list
}

// warmupRepetition stands for a number of a repetition in the seeds of a warm-up.
const warmupRepetition = -1

// request plans one request: the texts take turns, from request to request or, as
// the turns of all conversations of a repetition are made together, from repetition
// to repetition. The seed depends on the contract's, the cell, the repetition and
// the place.
func (p *Plan) request(texts []string, cell Cell, repetition, i, promptTokens, outputTokens int) Request {
	text, turn := toolText, i
	if len(cell.Turns) > 0 {
		turn = max(repetition, 0)
	}
	if len(texts) > 0 {
		text = texts[turn%len(texts)]
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%s/%d/%d", p.Contract.Seed, cell.ID, repetition, i))
	return Request{
		Text:         text,
		Seed:         binary.BigEndian.Uint64(sum[:]),
		Bare:         promptTokens < shortPrompt,
		PromptTokens: promptTokens,
		OutputTokens: outputTokens,
	}
}
