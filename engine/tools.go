package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/arena/engine/hostinfo"
	"example.org/arena/engine/plan"
	"example.org/arena/engine/runner"
	"example.org/arena/results/bundle"
)

// testWithTools measures a test by the contract's own commands. What is kept as a
// whole is a command: it may measure several cells.
func (r *Run) testWithTools(ctx context.Context, t plan.Test, first int) error {
	commands, err := r.options.Tools.Commands(r.options.Plan.Contract, t.Spec)
	if err != nil {
		return refuse("no_command", "measure it with --runner native", "%v", err)
	}
	each := len(t.Cells) / max(len(commands), 1) // an open loop has a command for each cell, a closed one a single command
	for n := range commands {
		id := fmt.Sprintf("%s#%d", t.Spec.Slug, n)
		cells := t.Cells[n*each : (n+1)*each]
		r.openCell(first+n*each, n*each, cells[0])
		u := r.journal.Unit(id)
		if u == nil {
			if u, err = r.command(ctx, t, n, id); err != nil {
				return err
			}
			for i := range cells {
				r.closeCell(first + n*each + i)
			}
		}
		if u.Stop != nil {
			r.skip(t, first, (n+1)*each, "the test has ended: "+u.Stop.Reason)
			return nil
		}
	}
	return nil
}

// command runs a command of a test and keeps what it measured.
func (r *Run) command(ctx context.Context, t plan.Test, n int, id string) (*Unit, error) {
	r.update(func(s *Snapshot) { s.Phase, s.CellSince, s.Requests = Measuring, time.Now(), 0 })
	defer r.update(func(s *Snapshot) { s.Phase = Idle })
	r.emit(Event{Kind: CellStarted})
	r.progress.Reset()
	var seen runner.ToolProgress
	first := r.Snapshot().Place
	before := r.metrics(ctx)
	done, err := r.options.Tools.Run(ctx, r.options.Plan.Contract, t.Spec, n, func(line string) {
		if seen.Update(line) {
			r.showProgress(seen, t, first)
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if done == nil {
		return nil, err
	}
	u := &Unit{
		Test: t.Spec.Slug, ID: id, Began: bundle.Stamp(done.Started), Cells: done.Test.Cells, Tool: done.Test.Tool,
		Command: done.Test.Command, LatencyMS: done.Test.LatencyMS, Files: done.Test.Files, Notes: done.Test.Notes, Stop: done.Test.Stopped,
	}
	if err != nil {
		fault, ok := errors.AsType[*runner.ToolError](err)
		if !ok || fault.Fault == runner.ToolNotFound || fault.Fault == runner.ToolContainer {
			return nil, err // nothing ran: it can be put right, and the run continued
		}
		if err := r.checkServer(ctx); err != nil {
			return nil, err
		}
		r.emit(Event{Kind: Warning, Code: "command_failed", Message: err.Error()})
		if u.Stop == nil {
			u.Stop = &bundle.Stop{Reason: bundle.StopErrors, Detail: string(fault.Fault)}
		}
	}
	r.addCounts(u, before, r.metrics(ctx), done.Started, done.Ended)
	for _, f := range done.Files {
		if r.options.Keep == nil {
			break
		}
		if err := r.options.Keep(f.Data); err != nil {
			return nil, fmt.Errorf("keep the output of the tool: %w", err)
		}
	}
	if err := r.journal.add(*u); err != nil {
		return nil, err
	}
	r.emit(Event{Kind: CellDone})
	return u, nil
}

// showProgress puts what a tool says of its progress into the snapshot. Place is that
// of the first cell of the command.
func (r *Run) showProgress(p runner.ToolProgress, t plan.Test, place Place) {
	r.progress.Sent.Store(int64(p.Done))
	r.progress.Done.Store(int64(p.Done))
	r.update(func(s *Snapshot) {
		more := max(p.Cells-1, 0)
		if i := place.CellInTest - 1 + more; i < len(t.Cells) {
			s.Cell, s.CellInTest, s.CellNumber = t.Cells[i].ID, i+1, place.CellNumber+more
		}
		s.Repetition, s.Repetitions, s.Requests = p.Repetition, p.Repetitions, p.Requests
	})
}

// addCounts adds to a unit what the server counted and the GPU reported. The counts of
// a command belong to a cell only where the command measures a single one.
func (r *Run) addCounts(u *Unit, before, after hostinfo.Metrics, from, to time.Time) {
	if len(u.Cells) == 1 {
		counted := hostinfo.Difference(before, after)
		c := &u.Cells[0]
		c.Counters, c.Notes = counted.Counters, append(c.Notes, counted.Notes...)
		if c.Draft == nil {
			c.Draft = counted.Draft
		}
	}
	if r.sampler == nil {
		return
	}
	u.Telemetry = r.sampler.Between(from, to)
	u.Notes = append(u.Notes, r.sampler.Notes(from, to)...)
	if len(u.Cells) == 1 {
		u.Cells[0].EnergyMJ = r.sampler.EnergyMJ(from, to)
	}
}
