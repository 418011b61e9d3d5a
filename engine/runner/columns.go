package runner

import (
	"math"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// Bundle returns the cell as a bundle holds it, without what the server counted
// and without figures in a tool's terms.
func (m *Measured) Bundle(t contract.Test) bundle.Cell {
	c := bundle.Cell{
		PromptTokens: m.Cell.Spec.PromptTokens,
		OutputTokens: m.Cell.Spec.OutputTokens,
		DepthTokens:  m.Cell.Spec.DepthTokens,
		Concurrency:  m.Cell.Spec.Concurrency,
		StartedAt:    bundle.Stamp(m.Start),
		EndedAt:      bundle.Stamp(m.End),
	}
	if a, open := t.Arrivals(); open {
		c.RequestRate, c.Burstiness = new(bundle.Rate(m.Cell.Spec.RequestRate)), new(bundle.Rate(a.Burstiness))
		c.MaxConcurrency = a.MaxConcurrency
	}
	c.Runs = t.Runs()
	records := m.records()
	c.Records = columns(records, m.Cell.Repetitions[0].Schedule, len(m.Cell.Turns))
	c.Requests, c.Tokens = totals(records)
	c.Gaps, c.ChunkTokens = distributions(records)
	c.Client = m.client(records)
	return c
}

// A placedRecord is a record with its repetition.
type placedRecord struct {
	loadgen.Record
	repetition int
	shift      time.Duration // of its repetition, from the start of the cell
}

// records lists the measured requests of all repetitions. Those of warm-up batches
// are left out; the batches of one schedule count as repetitions.
func (m *Measured) records() []placedRecord {
	var list []placedRecord
	for i, run := range m.Runs {
		shift := run.Origin.Sub(m.Start)
		for _, r := range run.Records {
			if r.Warmup {
				continue
			}
			p := placedRecord{r, i, shift}
			if s := m.Cell.Repetitions[i].Schedule; s.Kind == arrival.Batched {
				p.repetition = batchOf(s, r.Seq)
			}
			list = append(list, p)
		}
	}
	return list
}

// batchOf returns which of the measured batches a request belongs to.
func batchOf(s arrival.Schedule, seq int) int {
	n := 0
	for _, b := range s.Batches {
		if b.Warmup {
			continue
		}
		if seq < b.First+b.Size {
			return n
		}
		n++
	}
	return n
}

// columns returns records as a bundle holds them: a column for each moment and count.
func columns(list []placedRecord, s arrival.Schedule, turns int) *bundle.Records {
	r := &bundle.Records{}
	several := len(list) > 0 && list[len(list)-1].repetition > 0
	capped := s.Kind == arrival.Open && s.MaxConcurrency > 0
	statuses, finishes := false, false
	for _, p := range list {
		statuses = statuses || p.Status != 200
		finishes = finishes || p.Finish != ""
	}
	for _, p := range list {
		if several {
			r.Repetition = append(r.Repetition, p.repetition)
		}
		if turns > 0 {
			r.Turn = append(r.Turn, p.Seq%turns+1)
		}
		if capped {
			r.QueuedUS = append(r.QueuedUS, length(p.Queued))
		}
		if statuses {
			r.Status = append(r.Status, p.Status)
		}
		if finishes {
			r.Finish = append(r.Finish, p.Finish)
		}
		r.ScheduledUS = append(r.ScheduledUS, p.moment(p.Due))
		r.SentUS = append(r.SentUS, p.moment(p.Sent))
		r.FirstByteUS = append(r.FirstByteUS, p.moment(p.FirstByte))
		r.FirstTokenUS = append(r.FirstTokenUS, p.moment(p.FirstToken))
		r.FirstVisibleUS = append(r.FirstVisibleUS, p.moment(p.FirstVisible))
		r.LastTokenUS = append(r.LastTokenUS, p.moment(p.LastToken))
		r.DoneUS = append(r.DoneUS, p.moment(p.Done))
		r.AskedPromptTokens = append(r.AskedPromptTokens, int64(p.Request.PromptTokens))
		r.AskedOutputTokens = append(r.AskedOutputTokens, int64(p.OutputTokens))
		r.PromptTokens = append(r.PromptTokens, count(p.Result.PromptTokens))
		r.CompletionTokens = append(r.CompletionTokens, count(p.CompletionTokens))
		r.Chunks = append(r.Chunks, int64(p.Chunks))
		r.Outcome = append(r.Outcome, string(p.Outcome))
	}
	return r
}

// moment returns an offset from the start of the cell.
func (p placedRecord) moment(o loadgen.Offset) *int64 {
	if o == loadgen.Unknown {
		return nil
	}
	return new((p.shift + o).Microseconds())
}

func length(o loadgen.Offset) *int64 {
	if o == loadgen.Unknown {
		return nil
	}
	return new(o.Microseconds())
}

func count(n int) *int64 {
	if n == loadgen.Unknown {
		return nil
	}
	return new(int64(n))
}

// totals counts how requests ended, and the tokens of those that were answered. A
// total that one answer leaves out is not known.
func totals(list []placedRecord) (*bundle.Requests, *bundle.Tokens) {
	var completed, failed int
	var in, out int64
	inKnown, outKnown := true, true
	for _, p := range list {
		if p.Outcome != loadgen.OK {
			failed++
			continue
		}
		completed++
		in, out = in+int64(p.Result.PromptTokens), out+int64(p.CompletionTokens)
		inKnown = inKnown && p.Result.PromptTokens != loadgen.Unknown
		outKnown = outKnown && p.CompletionTokens != loadgen.Unknown
	}
	requests := &bundle.Requests{Planned: new(len(list)), Completed: new(completed), Failed: new(failed)}
	tokens := &bundle.Tokens{}
	if inKnown && completed > 0 {
		tokens.Input = new(in)
	}
	if outKnown && completed > 0 {
		tokens.Output = new(out)
	}
	if tokens.Input == nil && tokens.Output == nil {
		tokens = nil
	}
	return requests, tokens
}

// distributions counts the times between chunks with tokens, and the tokens of
// chunks, of all requests that were answered.
func distributions(list []placedRecord) (gaps, tokens *bundle.Histogram) {
	var between, carried []int64
	for _, p := range list {
		if p.Outcome != loadgen.OK {
			continue
		}
		for i, a := range p.Arrivals {
			if i > 0 {
				between = append(between, (a.At - p.Arrivals[i-1].At).Microseconds())
			}
			if a.Tokens != loadgen.Unknown && p.CountedBy != loadgen.ByChunks {
				carried = append(carried, int64(a.Tokens))
			}
		}
	}
	if len(between) > 0 {
		gaps = bundle.HistogramOf(between)
	}
	if len(carried) > 0 {
		tokens = bundle.HistogramOf(carried)
	}
	return gaps, tokens
}

// client says how well the load generator kept up, over all repetitions.
func (m *Measured) client(list []placedRecord) *bundle.Client {
	c := &bundle.Client{CountedBy: countedBy(list), Spread: loadgen.DefaultSpread.Microseconds(), Arrivals: "process"}
	if m.kernelTime {
		c.Arrivals = "kernel"
	}
	var late []time.Duration
	for _, p := range list {
		c.Resent += int64(p.Resent)
		c.Coalesced += int64(p.Coalesced)
		if l := p.Lateness(); l != loadgen.Unknown {
			late = append(late, l)
		}
	}
	l := loadgen.LatenessOf(late)
	c.LateP50US, c.LateP99US, c.LateMaxUS = l.P50.Microseconds(), l.P99.Microseconds(), l.Max.Microseconds()
	var cpu time.Duration
	cpuKnown := true
	held, heldOver := 0.0, time.Duration(0)
	for _, run := range m.Runs {
		c.StallUS = max(c.StallUS, run.Stall.Microseconds())
		c.GCPauseUS += run.Collection.Pause.Microseconds()
		cpu += run.CPU
		cpuKnown = cpuKnown && run.CPU != loadgen.Unknown
		if !math.IsNaN(run.Held) {
			held += run.Held * run.Elapsed.Seconds()
			heldOver += run.Elapsed
		}
	}
	if cpuKnown {
		c.CPUUS = new(cpu.Microseconds())
	}
	if heldOver > 0 {
		c.Held = new(min(held/heldOver.Seconds(), 1))
	}
	return c
}

// countedBy says how the tokens of answers were counted, "mixed" when not all the
// same way.
func countedBy(list []placedRecord) string {
	by := ""
	for _, p := range list {
		switch {
		case p.Outcome != loadgen.OK || p.CountedBy == "":
		case by == "":
			by = p.CountedBy
		case by != p.CountedBy:
			return "mixed"
		}
	}
	return by
}
