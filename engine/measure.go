package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"example.org/arena/engine/hostinfo"
	"example.org/arena/engine/plan"
	"example.org/arena/engine/runner"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/numpy"
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
		return &Refusal{"run_changed", "what is measured now is not what was measured before:\n  " + join(changed), "undo the change, or begin a new run without --resume"}
	}
	if r.journal, err = continueJournal(old); err != nil {
		return err
	}
	r.tell(Event{Kind: Resumed, Message: fmt.Sprintf("%d of %d cells were measured before", old.cells(), len(r.options.Plan.Cells()))})
	return nil
}

func join(lines []string) string {
	out := ""
	for i, l := range lines {
		if i > 0 {
			out += "\n  "
		}
		out += l
	}
	return out
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
			r.tell(Event{Kind: Warning, Code: "no_telemetry", Message: "no telemetry of the GPU: " + err.Error()})
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
	r.tell(Event{Kind: Preflight, Message: fmt.Sprintf("the load generator sees tokens %.2f ms after they are sent, with %d streams", float64(k.TTFTErrorUS)/1000, k.Streams)})
	return r.journal.calibrated(k)
}

// calibrationStreams is the most streams that a calibration has: an open loop
// without a cap could have any number, and hardly ever has more.
const calibrationStreams = 50

// test measures the cells of a test, up to one that ends it.
func (r *Run) test(ctx context.Context, t plan.Test, first int) error {
	r.tell(Event{Kind: TestStarted})
	defer r.tell(Event{Kind: TestDone})
	if r.options.Tools != nil {
		return r.testByTool(ctx, t, first)
	}
	if needsFile(t.Spec) && r.options.ShareGPT == nil {
		r.skip(t, first, 0, "its prompts come from a ShareGPT file, and none was given")
		return nil
	}
	var began time.Time
	for i, c := range t.Cells {
		r.place(first+i, i, c)
		if u := r.journal.Unit(c.ID); u != nil {
			r.over(first + i)
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

// place says which cell is next.
func (r *Run) place(number, inTest int, c plan.Cell) {
	r.update(func(s *Snapshot) {
		s.Cell, s.CellNumber, s.CellInTest, s.Repetition, s.Repetitions = c.ID, number+1, inTest+1, 0, len(c.Repetitions)
	})
}

// over notes that a cell will not be measured.
func (r *Run) over(number int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timed.over(number)
}

// skip tells of the cells of a test that will not be measured.
func (r *Run) skip(t plan.Test, first, from int, why string) {
	for i := from; i < len(t.Cells); i++ {
		r.place(first+i, i, t.Cells[i])
		r.over(first + i)
		r.tell(Event{Kind: CellSkipped, Message: why})
	}
}

// stop ends a test for a reason that its last unit does not hold yet.
func (r *Run) stop(t plan.Test, first, from int, s bundle.Stop) error {
	r.skip(t, first, from, "the test has ended: "+s.Reason)
	return r.journal.add(Unit{Test: t.Spec.Slug, ID: t.Spec.Slug + "#end", Began: stamp(time.Now()), Stop: &s})
}

// cell measures a cell and keeps it.
func (r *Run) cell(ctx context.Context, t contract.Test, c plan.Cell, number int) (*Unit, error) {
	phase := func(p Phase) {
		r.update(func(s *Snapshot) { s.Phase, s.CellSince = p, time.Now() })
	}
	defer phase(Idle)
	r.tell(Event{Kind: CellStarted})
	phase(Preparing)
	prepared, err := r.native.Prepare(ctx, c)
	if err != nil {
		return nil, r.gone(ctx, err)
	}
	u := &Unit{Test: t.Slug, ID: c.ID}
	latency := math.NaN()
	if t.Tool == contract.LlamaBenchy {
		latency = r.latency(ctx)
		if !math.IsNaN(latency) {
			u.LatencyMS = &latency
		}
	}
	before := r.metrics(ctx)
	phase(Measuring)
	stopWatching := context.AfterFunc(ctx, func() { phase(Stopping) })
	measured, err := r.native.Measure(ctx, prepared, func(repetition, requests int) {
		r.progress.Reset()
		r.update(func(s *Snapshot) { s.Repetition, s.Requests = repetition+1, requests })
	})
	stopWatching()
	if err != nil {
		return nil, r.gone(ctx, err)
	}
	after := r.metrics(ctx)
	if err := r.alive(ctx, measured); err != nil {
		return nil, err
	}
	if err := r.complete(u, t, measured, latency, before, after); err != nil {
		return nil, err
	}
	if err := r.journal.add(*u); err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.timed.measured(number, measured.End.Sub(measured.Start))
	r.mu.Unlock()
	r.tell(Event{Kind: CellDone, Figures: glance(&u.Cells[0])})
	return u, nil
}

// gone tells a server that died from other reasons why a cell was not measured.
func (r *Run) gone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if _, asked := r.client.Models(ctx); asked != nil {
		return fmt.Errorf("%w: %w", ErrServerGone, asked)
	}
	return err
}

// alive looks, after failures, whether the server still answers: what a dying
// server gave is no measurement of it.
func (r *Run) alive(ctx context.Context, m *runner.Measured) error {
	for _, run := range m.Runs {
		for _, rec := range run.Records {
			switch rec.Outcome {
			case loadgen.Connect, loadgen.Truncated, loadgen.Timeout, loadgen.HTTPStatus:
				if _, err := r.client.Models(ctx); err != nil {
					return fmt.Errorf("%w: %w", ErrServerGone, err)
				}
				return nil
			default:
			}
		}
	}
	return nil
}

// latency measures what llama-benchy subtracts from response times, in ms.
func (r *Run) latency(ctx context.Context) float64 {
	p := openai.Params{Model: r.found.ServedName, OutputTokens: 1, NoUsage: true}
	body, err := p.Chat([]openai.Message{{Role: "user", Content: "hello"}})
	if err != nil {
		return math.NaN()
	}
	return runner.Latency(func(body []byte) loadgen.Result {
		return r.client.Send(ctx, time.Now(), loadgen.Request{Body: body, OutputTokens: 1})
	}, body)
}

// complete fills in a unit from what was measured.
func (r *Run) complete(u *Unit, t contract.Test, m *runner.Measured, latency float64, before, after hostinfo.Metrics) error {
	c := m.Bundle(t)
	if completed := c.Requests.Completed; completed != nil && *completed > 0 {
		figures, err := m.Terms(t, r.facts.Model.ID, orZero(latency))
		if err != nil {
			return err
		}
		for _, f := range figures {
			one := bundle.Cell{StartedAt: c.StartedAt, Reported: []bundle.Figure{f}}
			if err := r.sound(t.Slug, one); err != nil { // tools divide by next to nothing
				c.Notes = append(c.Notes, bundle.Note{Code: NoteFigureLeftOut, Args: []bundle.Setting{{Name: "figure", Value: f.Name}}})
				continue
			}
			c.Reported = append(c.Reported, f)
		}
	}
	counted := hostinfo.Difference(before, after)
	c.Draft, c.Counters, c.Notes = counted.Draft, counted.Counters, append(c.Notes, counted.Notes...)
	if r.sampler != nil {
		u.Telemetry = r.sampler.Between(m.Start, m.End)
		c.EnergyMJ = r.sampler.EnergyMJ(m.Start, m.End)
		c.Notes = append(c.Notes, r.sampler.Verdict(m.Start, m.End)...)
	}
	if step := r.options.Machine.Clock.Step; step != nil {
		c.Notes = append(c.Notes, step()...)
	}
	u.Began, u.Cells, u.Stop = c.StartedAt, []bundle.Cell{c}, ends(t, &c)
	if needsFile(t) && r.options.File != nil {
		u.Files = []bundle.File{*r.options.File}
	}
	return r.sound(t.Slug, c)
}

// sound reports what would make a bundle with this cell invalid: better now than
// after hours.
func (r *Run) sound(slug string, c bundle.Cell) error {
	b := r.journal.Start.Facts
	b.StartedAt = c.StartedAt
	b.Tests = []bundle.Test{{Slug: slug, Cells: []bundle.Cell{c}}}
	return bundle.Validate(&b)
}

func orZero(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// ends says why a test ends with a cell, nil when it goes on: nothing was answered,
// or a sweep is past the limit that its contract sets.
func ends(t contract.Test, c *bundle.Cell) *bundle.Stop {
	if *c.Requests.Completed == 0 {
		return &bundle.Stop{Reason: bundle.StopErrors, Detail: fmt.Sprintf("all of %d requests failed", *c.Requests.Planned)}
	}
	if t.OpenLoop == nil || t.OpenLoop.StopP95TTFT == 0 {
		return nil
	}
	if p95 := percentile95(c.Records); p95 > float64(t.OpenLoop.StopP95TTFT) {
		return &bundle.Stop{Reason: bundle.StopSaturated, Detail: fmt.Sprintf("p95 of TTFT %.0f ms, above %d ms", p95, t.OpenLoop.StopP95TTFT)}
	}
	return nil
}

// percentile95 returns the 95th percentile of TTFT of the answers, in ms.
func percentile95(r *bundle.Records) float64 {
	list := ttft(r)
	slices.Sort(list)
	return numpy.Percentile(list, 95)
}

// ttft lists the times to first token of the answers, in ms.
func ttft(r *bundle.Records) []float64 {
	var list []float64
	for i, o := range r.Outcome {
		if o == bundle.OutcomeOK && r.FirstTokenUS[i] != nil && r.SentUS[i] != nil {
			list = append(list, float64(*r.FirstTokenUS[i]-*r.SentUS[i])/1000)
		}
	}
	return list
}

// glance picks figures of a cell for people to watch.
func glance(c *bundle.Cell) []Figure {
	var out []Figure
	if list := ttft(c.Records); len(list) > 0 {
		slices.Sort(list)
		out = append(out, Figure{"TTFT p50", numpy.Percentile(list, 50), "ms"})
	}
	if c.Gaps != nil {
		if p, ok := c.Gaps.Percentile(50); ok {
			out = append(out, Figure{"ITL p50", p / 1000, "ms"})
		}
	}
	if begin, end, ok := span(c.Records); ok && c.Tokens != nil && c.Tokens.Output != nil && end > begin {
		out = append(out, Figure{"output", float64(*c.Tokens.Output) / (float64(end-begin) / 1e6), "tok/s"})
	}
	if n := *c.Requests.Failed; n > 0 {
		out = append(out, Figure{"failed", float64(n), "req"})
	}
	return out
}

// span returns the first sending and the last end of any request.
func span(r *bundle.Records) (begin, end int64, ok bool) {
	for i := range r.Outcome {
		if r.SentUS[i] == nil || r.DoneUS[i] == nil {
			continue
		}
		if !ok {
			begin, ok = *r.SentUS[i], true
		}
		begin, end = min(begin, *r.SentUS[i]), max(end, *r.DoneUS[i])
	}
	return begin, end, ok
}

// stamp writes a moment to the microsecond.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
