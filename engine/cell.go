package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"example.org/arena/engine/hostinfo"
	"example.org/arena/engine/plan"
	"example.org/arena/engine/runner"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// cell measures a cell and keeps it.
func (r *Run) cell(ctx context.Context, t contract.Test, c plan.Cell, number int) (*Unit, error) {
	phase := func(p Phase) {
		r.update(func(s *Snapshot) { s.Phase, s.CellSince = p, time.Now() })
	}
	defer phase(Idle)
	r.emit(Event{Kind: CellStarted})
	phase(Preparing)
	prepared, err := r.native.Prepare(ctx, c)
	if err != nil {
		return nil, r.causeOf(ctx, err)
	}
	u := &Unit{Test: t.Slug, ID: c.ID}
	latency := math.NaN()
	if t.SubtractsLatency() {
		latency = r.latency(ctx)
		if !math.IsNaN(latency) {
			u.LatencyMS = &latency
		}
	}
	before := r.metrics(ctx)
	phase(Measuring)
	stopWatching := context.AfterFunc(ctx, func() { phase(Stopping) })
	measured, err := r.send(ctx, prepared)
	stopWatching()
	if err != nil {
		return nil, r.causeOf(ctx, err)
	}
	after := r.metrics(ctx)
	if err := r.checkFailures(ctx, measured); err != nil {
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
	r.emit(Event{Kind: CellDone, Figures: summary(&u.Cells[0])})
	return u, nil
}

// attempts is how often a cell is measured at most while this process, or its
// machine, is stopped in the middle of it: what arrived then has no times.
const attempts = 3

// send sends a cell, and again when this process was stopped meanwhile.
func (r *Run) send(ctx context.Context, p *runner.Prepared) (m *runner.Measured, err error) {
	for n := range attempts {
		m, err = r.native.Measure(ctx, p, func(repetition, requests int) {
			r.progress.Reset()
			r.update(func(s *Snapshot) { s.Repetition, s.Requests = repetition+1, requests })
		})
		if err != nil || m.Stall().Milliseconds() <= audit.MostStallMS || n == attempts-1 {
			break
		}
		r.emit(Event{Kind: Warning, Code: "stalled", Message: fmt.Sprintf("this program did not run for %s: the cell is measured again", m.Stall().Round(time.Millisecond))})
	}
	return m, err
}

// causeOf returns why a cell was not measured: the run was interrupted, the server no
// longer answers, or else err.
func (r *Run) causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return cmp.Or(r.checkServer(ctx), err)
}

// checkServer returns ErrServerGone when the server no longer answers.
func (r *Run) checkServer(ctx context.Context) error {
	if _, err := r.client.Models(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrServerGone, err)
	}
	return nil
}

// checkFailures asks, where requests failed as they do when a server dies, whether it
// still answers: a cell in which it died is no measurement.
func (r *Run) checkFailures(ctx context.Context, m *runner.Measured) error {
	for _, run := range m.Runs {
		for _, rec := range run.Records {
			switch rec.Outcome {
			case loadgen.Connect, loadgen.Truncated, loadgen.Timeout, loadgen.HTTPStatus:
				return r.checkServer(ctx)
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

// complete turns what was measured of a cell into its unit.
func (r *Run) complete(u *Unit, t contract.Test, m *runner.Measured, latency float64, before, after hostinfo.Metrics) error {
	c := m.Bundle(t)
	if *c.Requests.Completed > 0 {
		figures, err := m.ToolFigures(t, orZero(latency))
		if err != nil {
			return err
		}
		for _, f := range figures {
			one := bundle.Cell{StartedAt: c.StartedAt, Reported: []bundle.Figure{f}}
			if err := r.validate(t.Slug, one); err != nil { // tools divide by next to nothing
				c.Notes = append(c.Notes, bundle.NewNote(NoteFigureLeftOut, "figure", f.Name))
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
		c.Notes = append(c.Notes, r.sampler.Notes(m.Start, m.End)...)
	}
	if step := r.options.Machine.Clock.Step; step != nil {
		c.Notes = append(c.Notes, step()...)
	}
	u.Began, u.Cells, u.Stop = c.StartedAt, []bundle.Cell{c}, stopAfter(t, &c)
	if t.FromFile() && r.options.File != nil {
		u.Files = []bundle.File{*r.options.File}
	}
	return r.validate(t.Slug, c)
}

// validate reports what would make a bundle with this cell invalid, while the cell can
// still be measured again.
func (r *Run) validate(slug string, c bundle.Cell) error {
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

// stopAfter returns why a test ends with a cell, nil when it goes on: more than half of
// the requests failed, or a sweep is past the limit that its contract sets.
func stopAfter(t contract.Test, c *bundle.Cell) *bundle.Stop {
	if failed, planned := *c.Requests.Failed, *c.Requests.Planned; 2*failed > planned {
		return &bundle.Stop{Reason: bundle.StopErrors, Detail: fmt.Sprintf("%d of %d requests failed", failed, planned)}
	}
	limit := t.StopP95TTFT()
	if limit == 0 {
		return nil
	}
	if p95 := percentile95(c); p95 > float64(limit) {
		return &bundle.Stop{Reason: bundle.StopSaturated, Detail: fmt.Sprintf("p95 of TTFT %.0f ms, above %d ms", p95, limit)}
	}
	return nil
}
