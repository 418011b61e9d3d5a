package bundle

import (
	"fmt"
	"math"
	"time"

	"example.org/arena/results/metric"
)

// tests checks what was measured.
func (c *checker) tests(b *Bundle) {
	if len(b.Tests) == 0 {
		c.missing("/tests", "a bundle holds at least one test")
	}
	begin, _ := parseTime(b.StartedAt)
	seen := map[string]bool{}
	for i := range b.Tests {
		t := &b.Tests[i]
		at := fmt.Sprintf("/tests/%d", i)
		c.name(at+"/slug", t.Slug)
		if seen[t.Slug] {
			c.faultf(at+"/slug", "%q stands twice", t.Slug)
		}
		seen[t.Slug] = true
		if start := c.time(at+"/started_at", t.StartedAt); !start.IsZero() && start.Before(begin) {
			c.faultf(at+"/started_at", "%s is before the start of the bundle, %s", t.StartedAt, b.StartedAt)
		}
		c.test(at, t)
	}
}

func (c *checker) test(at string, t *Test) {
	c.tool(at+"/tool", t.Tool)
	if t.Command != nil && len(t.Command.Argv) == 0 {
		c.missing(at+"/command/argv", "a recorded command has arguments; null says that none was recorded")
	}
	if t.Stopped != nil {
		switch t.Stopped.Reason {
		case StopSaturated, StopTimeLimit, StopErrors, StopInterrupted, StopUnknown:
		default:
			c.faultf(at+"/stopped/reason", "%q is not a reason", t.Stopped.Reason)
		}
	}
	c.quantity(at+"/latency_ms", t.LatencyMS, 1)
	for i := range t.Cells {
		c.cell(fmt.Sprintf("%s/cells/%d", at, i), &t.Cells[i])
	}
	c.sweep(at+"/sweep", t.Sweep)
	c.telemetry(at+"/telemetry", t.Telemetry)
	c.files(at+"/files", t.Files)
	c.notes(at+"/notes", t.Notes)
}

func (c *checker) cell(at string, cell *Cell) {
	c.tally(at+"/prompt_tokens", int64(cell.PromptTokens))
	c.tally(at+"/output_tokens", int64(cell.OutputTokens))
	c.tally(at+"/depth_tokens", int64(cell.DepthTokens))
	c.tally(at+"/concurrency", int64(cell.Concurrency))
	c.tally(at+"/max_concurrency", int64(cell.MaxConcurrency))
	c.tally(at+"/runs", int64(cell.Runs))
	if cell.Phase != "" && cell.Phase != "context" {
		c.faultf(at+"/phase", "%q is not a phase: want context, or nothing", cell.Phase)
	}
	c.positive(at+"/request_rate_per_s", cell.RequestRate)
	c.positive(at+"/burstiness", cell.Burstiness)
	c.span(at, cell)
	c.requests(at+"/requests", cell.Requests)
	c.tokens(at+"/tokens", cell.Tokens)
	c.figures(at+"/reported", cell.Reported)
	c.records(at+"/records", cell.Records)
	c.histogram(at+"/gaps_us", cell.Gaps)
	c.histogram(at+"/tokens_per_chunk", cell.ChunkTokens)
	c.counters(at+"/server_counters", cell.Counters)
	c.client(at+"/client", cell.Client)
	if cell.EnergyMJ != nil {
		c.count(at+"/energy_mj", *cell.EnergyMJ)
	}
	c.draftStat(at+"/draft", cell.Draft)
	c.notes(at+"/notes", cell.Notes)
}

// positive reports a rate that is not above zero, or larger than any but
// infinity, which stands for no limit.
func (c *checker) positive(key string, r *Rate) {
	switch {
	case r == nil:
	case !(*r > 0):
		c.faultf(key, "%v is not above zero", float64(*r))
	case *r > most && !math.IsInf(float64(*r), 1):
		c.faultf(key, "%v is more than any rate but \"inf\"", float64(*r))
	}
}

// span reports a cell that ends before it starts.
func (c *checker) span(at string, cell *Cell) {
	var start, end time.Time
	start = c.time(at+"/started_at", cell.StartedAt)
	end = c.time(at+"/ended_at", cell.EndedAt)
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		c.faultf(at+"/ended_at", "%s is before the start, %s", cell.EndedAt, cell.StartedAt)
	}
}

// requests reports negative counts, and more answers than were planned.
func (c *checker) requests(at string, r *Requests) {
	if r == nil {
		return
	}
	ended := 0
	for _, n := range []struct {
		key string
		n   *int
		end bool
	}{{"planned", r.Planned, false}, {"completed", r.Completed, true}, {"failed", r.Failed, true}} {
		if n.n == nil {
			continue
		}
		c.tally(at+"/"+n.key, int64(*n.n))
		if n.end {
			ended += *n.n
		}
	}
	if r.Planned != nil && ended > *r.Planned {
		c.faultf(at+"/planned", "%d planned, but %d completed or failed", *r.Planned, ended)
	}
}

func (c *checker) tokens(at string, t *Tokens) {
	if t == nil {
		return
	}
	if t.Input != nil {
		c.tally(at+"/input", *t.Input)
	}
	if t.Output != nil {
		c.tally(at+"/output", *t.Output)
	}
}

func (c *checker) draftStat(at string, d *DraftStat) {
	if d == nil {
		return
	}
	c.tally(at+"/drafts", d.Drafts)
	c.tally(at+"/draft_tokens", d.DraftTokens)
	c.tally(at+"/accepted_tokens", d.AcceptedTokens)
	if d.DraftTokens > 0 && d.AcceptedTokens > d.DraftTokens {
		c.faultf(at+"/accepted_tokens", "%d accepted, but only %d proposed", d.AcceptedTokens, d.DraftTokens)
	}
	c.inRange(at+"/acceptance_ratio", metric.AcceptanceRate, d.AcceptanceRatio, 1)
	c.inRange(at+"/acceptance_length", metric.AcceptanceLength, d.AcceptanceLength, 1)
	for i := range d.PerPosition {
		c.ratio(fmt.Sprintf("%s/per_position/%d", at, i), &d.PerPosition[i])
	}
}

func (c *checker) sweep(at string, s *Sweep) {
	if s == nil {
		return
	}
	c.quantity(at+"/aborted_at_per_s", s.AbortedAtPerS, 1)
	c.quantity(at+"/knee_per_s", s.KneePerS, 1)
	for i := range s.Capacities {
		k := &s.Capacities[i]
		key := fmt.Sprintf("%s/capacities/%d", at, i)
		if !(k.LimitMS > 0) {
			c.faultf(key+"/limit_ms", "%v is not above zero", k.LimitMS)
		}
		if k.LimitMS > most {
			c.faultf(key+"/limit_ms", "%v is more than any limit", k.LimitMS)
		}
		if i > 0 && !(k.LimitMS > s.Capacities[i-1].LimitMS) {
			c.faultf(key+"/limit_ms", "%v is not above the limit before it", k.LimitMS)
		}
		c.quantity(key+"/rate_per_s", k.RatePerS, 1)
	}
}

// figures reports figures of unknown metrics, and a quantity that is reported
// twice under one name.
func (c *checker) figures(at string, figures []Figure) {
	type name struct {
		key  metric.Key
		name string
	}
	seen := map[name]bool{}
	for i := range figures {
		f := &figures[i]
		key := fmt.Sprintf("%s/%d", at, i)
		if n := (name{f.Metric, f.Name}); seen[n] {
			c.faultf(key+"/name", "%s is reported twice under the name %q", f.Metric, f.Name)
		} else {
			seen[n] = true
		}
		c.figure(key, f)
	}
}
