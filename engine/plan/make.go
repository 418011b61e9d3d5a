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
	list, err := loads(p.Contract, t)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	for _, l := range list {
		cells = append(cells, p.cell(t, l))
	}
	return cells, nil
}

func (p *Plan) cell(t contract.Test, l load) Cell {
	cell := Cell{
		ID: t.Slug + "/" + l.name, Spec: l.spec, Rung: l.rung, MaxInFlight: inFlight(l.schedule),
		Turns: l.turns, FromFile: t.FromFile(),
	}
	for i := range l.warmups {
		cell.Warmup = append(cell.Warmup, p.request(l.texts, cell, warmupRepetition, i, p.salt(cell, 0)+"/warm-up", l.warmup))
	}
	for number := range l.repetitions {
		r := Repetition{Salt: p.salt(cell, number), Schedule: l.schedule}
		for i, n := range l.lengths {
			r.Requests = append(r.Requests, p.request(l.texts, cell, number, i, r.Salt, n))
		}
		cell.Repetitions = append(cell.Repetitions, r)
	}
	return cell
}

// salt is that of a repetition's prompts.
func (p *Plan) salt(cell Cell, repetition int) string {
	return fmt.Sprintf("%s/%s/%d", p.Salt, cell.ID, repetition)
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

// warmupRepetition stands for a number of a repetition in the seeds of a warm-up.
const warmupRepetition = -1

// request plans one request: the texts take turns, from request to request or, as
// the turns of all conversations of a repetition are made together, from repetition
// to repetition. The seed depends on the contract's, the cell, the repetition and
// the place.
func (p *Plan) request(texts []string, cell Cell, repetition, i int, salt string, n contract.Length) prompt.RequestSpec {
	text, turn := toolText, i
	if len(cell.Turns) > 0 {
		turn = max(repetition, 0)
	}
	if len(texts) > 0 {
		text = texts[turn%len(texts)]
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%s/%d/%d", p.Contract.Seed, cell.ID, repetition, i))
	return prompt.RequestSpec{
		Spec: prompt.Spec{
			Text:   text,
			Seed:   binary.BigEndian.Uint64(sum[:]),
			Salt:   salt,
			Tokens: n.Prompt,
			Bare:   n.Prompt < shortPrompt,
		},
		OutputTokens: n.Output,
	}
}
