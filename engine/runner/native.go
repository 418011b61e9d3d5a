// Package runner measures what a plan says: natively, with Arena's own load
// generator, or by running the commands of a contract as they are. It decides neither
// what is measured nor in which order, keeps nothing beyond a cell or a command, and
// judges no figure: the engine does the first two, the audit the last.
//
// Moments are those of loadgen, from the start of a repetition; in what it makes for a
// bundle they count from the start of the cell, in the units of the bundle's keys.
package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.org/arena/engine/plan"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
)

// A Native measures cells with Arena's own load generator.
type Native struct {
	Client   *openai.Client
	Maker    *prompt.Maker
	Params   openai.Params    // of requests whose answers have a fixed length
	Free     openai.Params    // of requests whose answers end when the model specs to
	ShareGPT *prompt.ShareGPT // conversations for the tests that take them from a file; nil without one
	Seed     int64            // of the contract: selects conversations

	Pacer    loadgen.Pacer // nil is [loadgen.Thread]
	KeepGC   bool
	Timeout  time.Duration // of one request
	Drain    time.Duration // how long answers under way may take when a run is interrupted
	Progress *loadgen.Progress
}

// A Prepared is a cell whose prompts are made.
type Prepared struct {
	cell   plan.Cell
	warmup []loadgen.Request
	loads  []load // one for each repetition
}

type load struct {
	requests []loadgen.Request
	follow   loadgen.Follow
}

// ErrNoFile says that a test needs a file of conversations and there is none.
var ErrNoFile = errors.New("its prompts come from a ShareGPT file, and none was given")

// Prepare makes the prompts of a cell.
func (n *Native) Prepare(ctx context.Context, c plan.Cell) (*Prepared, error) {
	p := &Prepared{cell: c}
	var err error
	if p.warmup, err = n.requests(ctx, c.Warmup); err != nil {
		return nil, fmt.Errorf("prepare %s: %w", c.ID, err)
	}
	for _, r := range c.Repetitions {
		l, err := n.load(ctx, c, r)
		if err != nil {
			return nil, fmt.Errorf("prepare %s: %w", c.ID, err)
		}
		p.loads = append(p.loads, l)
	}
	return p, nil
}

func (n *Native) load(ctx context.Context, c plan.Cell, r plan.Repetition) (load, error) {
	switch {
	case c.FromFile:
		return n.fromFile(ctx, r)
	case len(c.Turns) > 0:
		return n.conversations(ctx, c, r)
	}
	requests, err := n.requests(ctx, r.Requests)
	return load{requests: requests}, err
}

// requests makes requests as they are planned.
func (n *Native) requests(ctx context.Context, specs []prompt.RequestSpec) ([]loadgen.Request, error) {
	return n.Maker.Requests(ctx, prompt.Endpoint{Client: n.Client, Params: n.Params}, specs)
}

func (n *Native) fromFile(ctx context.Context, r plan.Repetition) (load, error) {
	if n.ShareGPT == nil {
		return load{}, ErrNoFile
	}
	questions, err := n.Maker.Select(ctx, n.ShareGPT, n.Seed, r.Schedule.Requests, r.Salt)
	if err != nil {
		return load{}, err
	}
	var l load
	for i, q := range questions {
		params := n.Free
		params.OutputTokens = q.OutputTokens
		body, err := params.Chat(q.Prompt.Messages)
		if err != nil {
			return load{}, err
		}
		l.requests = append(l.requests, loadgen.Request{Seq: i, Body: body, PromptTokens: q.Prompt.Tokens, OutputTokens: q.OutputTokens})
	}
	return l, nil
}

func (n *Native) conversations(ctx context.Context, c plan.Cell, r plan.Repetition) (load, error) {
	spec := prompt.ConversationSpec{Text: r.Requests[0].Text, Salt: r.Salt, Turns: c.Turns, Approximately: n.Maker.Counter.Probes()}
	for _, q := range r.Requests {
		spec.Seeds = append(spec.Seeds, q.Seed)
	}
	talk, err := n.Maker.Converse(ctx, spec, n.Params)
	if err != nil {
		return load{}, err
	}
	first, err := talk.First()
	return load{requests: first, follow: talk.Follow}, err
}

// A Measured is what became of a cell.
type Measured struct {
	Cell  plan.Cell
	Start time.Time      // of the first repetition
	End   time.Time      // of the last answer
	Runs  []*loadgen.Run // one for each repetition

	kernelTime bool // arrivals carry the kernel's time
}

// Measure sends a cell. Begin is called before each repetition with its number,
// from 0, and how many requests it sends. An error says that the cell is not
// complete.
func (n *Native) Measure(ctx context.Context, p *Prepared, begin func(repetition, requests int)) (*Measured, error) {
	m := &Measured{Cell: p.cell}
	r := loadgen.Runner{Sender: n.Client, Pacer: n.Pacer, Connect: n.Client.Warm, KeepGC: n.KeepGC, Progress: n.Progress}
	for i, repetition := range p.cell.Repetitions {
		begin(i, repetition.Schedule.Requests*max(len(p.cell.Turns), 1))
		cell := loadgen.Cell{
			Schedule: repetition.Schedule,
			Requests: slices.Clone(p.loads[i].requests),
			Follow:   p.loads[i].follow,
			Timeout:  n.Timeout,
			Drain:    n.Drain,
		}
		if i == 0 {
			cell.Warmup = p.warmup
		}
		run, err := r.Run(ctx, cell)
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", p.cell.ID, err)
		}
		if i == 0 {
			m.Start = run.Origin
		}
		m.End = run.Origin.Add(lastEnd(run))
		m.Runs = append(m.Runs, run)
	}
	m.kernelTime = n.Client.KernelTime()
	return m, nil
}

// Stall returns the longest time in which this process did not run.
func (m *Measured) Stall() time.Duration {
	longest := time.Duration(0)
	for _, run := range m.Runs {
		longest = max(longest, run.Stall)
	}
	return longest
}

// lastEnd returns when the last answer of a run ended.
func lastEnd(run *loadgen.Run) loadgen.Offset {
	end := loadgen.Offset(0)
	for _, r := range run.Records {
		end = max(end, r.Done)
	}
	return end
}
