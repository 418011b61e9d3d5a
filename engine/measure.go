package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/arena/engine/plan"
	"example.org/arena/results/bundle"
)

// openJournal begins the journal, or continues one whose run has not changed.
func (r *Run) openJournal() (err error) {
	start := Start{
		Format:   journalFormat,
		Contract: r.options.Plan.Contract.Version,
		Salt:     r.options.Plan.Salt,
		Plan:     r.options.Plan.Digest(),
		Limits:   Limits{r.options.TestLimit.Seconds(), r.options.Timeout.Seconds()},
		Facts:    r.facts,
		Found:    r.found,
	}
	for _, t := range r.options.Plan.Tests {
		start.Only = append(start.Only, t.Spec.Slug)
	}
	if r.options.File != nil {
		start.File = r.options.File.SHA256
	}
	start.Facts.Salt, start.Facts.Engine.Runner = start.Salt, r.runnerName()
	old := r.options.Resume
	if old == nil {
		r.journal, err = createJournal(r.options.Journal, start)
		return err
	}
	changed, err := old.Start.Changed(start)
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		return &Refusal{"run_changed", "what is measured now is not what was measured before:\n  " + strings.Join(changed, "\n  "), "undo the change, or begin a new run without --resume"}
	}
	if r.journal, err = continueJournal(old); err != nil {
		return err
	}
	r.emit(Event{Kind: Resumed, Message: fmt.Sprintf("%d of %d cells were measured before", old.cells(), len(r.options.Plan.Cells()))})
	return nil
}

func (j *Journal) cells() int {
	n := 0
	for _, u := range j.Units {
		n += len(u.Cells)
	}
	return n
}

// Measure measures what the journal does not hold yet. When ctx is done it waits
// for answers under way, drops the cell that they belong to, and returns the
// cause; the run can then be continued. It returns ErrServerGone when the server
// stops answering.
func (r *Run) Measure(ctx context.Context) error {
	if r.options.Machine.Sample != nil {
		sampler, err := r.options.Machine.Sample(ctx)
		if err != nil {
			r.emit(Event{Kind: Warning, Code: "no_telemetry", Message: "no telemetry of the GPU: " + err.Error()})
		} else {
			r.sampler = sampler
		}
	}
	if err := r.calibrate(ctx, "before"); err != nil {
		return err
	}
	number := 0
	for i, t := range r.options.Plan.Tests {
		r.update(func(s *Snapshot) {
			s.Test, s.TestNumber, s.CellInTest, s.CellsOfTest = t.Spec.Slug, i+1, 0, len(t.Cells)
			s.Cell, s.CellNumber, s.Repetition, s.Repetitions = "", number, 0, 0
		})
		if err := r.test(ctx, t, number); err != nil {
			return err
		}
		number += len(t.Cells)
	}
	return r.calibrate(ctx, "after")
}

// calibrate checks the load generator, once before and once after the run.
func (r *Run) calibrate(ctx context.Context, when string) error {
	if r.options.Calibrate == nil || r.options.Tools != nil || slices.ContainsFunc(r.journal.Calibrations, func(k bundle.Calibration) bool { return k.When == when }) {
		return nil
	}
	streams := 1
	for _, c := range r.options.Plan.Cells() {
		streams = max(streams, c.MaxInFlight)
	}
	k, err := r.options.Calibrate(ctx, min(streams, calibrationStreams))
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("calibrate: %w", err)
	}
	k.When = when
	r.emit(Event{Kind: Preflight, Message: fmt.Sprintf("the load generator sees tokens %.2f ms after they are sent, with %d streams", float64(k.TTFTErrorUS)/1000, k.Streams)})
	return r.journal.addCalibration(k)
}

// calibrationStreams is the most streams that a calibration has: an open loop
// without a cap could have any number, and hardly ever has more.
const calibrationStreams = 50

// test measures the cells of a test, up to one that ends it.
func (r *Run) test(ctx context.Context, t plan.Test, first int) (err error) {
	r.emit(Event{Kind: TestStarted})
	defer func() {
		if err == nil {
			r.emit(Event{Kind: TestDone})
		}
	}()
	if r.options.Tools != nil {
		return r.testWithTools(ctx, t, first)
	}
	if t.Spec.FromFile() && r.options.ShareGPT == nil {
		r.skip(t, first, 0, "its prompts come from a ShareGPT file, and none was given")
		return nil
	}
	var began time.Time
	for i, c := range t.Cells {
		r.openCell(first+i, i, c)
		if u := r.journal.Unit(c.ID); u != nil {
			r.closeCell(first + i)
			began = earliest(began, u.Began)
			if u.Stop != nil {
				r.skip(t, first, i+1, "the test ended before: "+u.Stop.Reason)
				return nil
			}
			continue
		}
		if limit := r.options.TestLimit; limit > 0 && !began.IsZero() && time.Since(began) > limit {
			return r.stop(t, first, i, bundle.Stop{Reason: bundle.StopTimeLimit, Detail: fmt.Sprintf("limit of %s", limit)})
		}
		u, err := r.cell(ctx, t.Spec, c, first+i)
		if err != nil {
			return err
		}
		began = earliest(began, u.Began)
		if u.Stop != nil {
			r.skip(t, first, i+1, "the test has ended: "+u.Stop.Reason)
			return nil
		}
	}
	return nil
}

func earliest(t time.Time, stamp string) time.Time {
	u, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil || !t.IsZero() && t.Before(u) {
		return t
	}
	return u
}

// openCell makes a cell the present one of the snapshot.
func (r *Run) openCell(number, inTest int, c plan.Cell) {
	r.update(func(s *Snapshot) {
		s.Cell, s.CellNumber, s.CellInTest, s.Repetition, s.Repetitions = c.ID, number+1, inTest+1, 0, len(c.Repetitions)
	})
}

// closeCell takes a cell out of the estimate of the time that is left.
func (r *Run) closeCell(number int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timed.close(number)
}

// skip tells of the cells of a test that will not be measured.
func (r *Run) skip(t plan.Test, first, from int, why string) {
	for i := from; i < len(t.Cells); i++ {
		r.openCell(first+i, i, t.Cells[i])
		r.closeCell(first + i)
		r.emit(Event{Kind: CellSkipped, Message: why})
	}
}

// stop ends a test for a reason that its last unit does not hold yet.
func (r *Run) stop(t plan.Test, first, from int, s bundle.Stop) error {
	r.skip(t, first, from, "the test has ended: "+s.Reason)
	return r.journal.add(Unit{Test: t.Spec.Slug, ID: t.Spec.Slug + "#end", Began: bundle.Stamp(time.Now()), Stop: &s})
}
