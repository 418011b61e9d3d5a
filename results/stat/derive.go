package stat

import (
	"slices"

	"example.org/arena/results/bundle"
)

// Bundles hold what happened to each request of a run of Arena's own, not the
// figures that follow from it. Figures computes those, by the definitions of the
// metric package, each pinned by a test:
//
//   - TTFT, TPOT, E2E, DecodeRequest and OutputRequest: one sample per answered
//     request that has the moments and counts it takes, over all repetitions and
//     turns. In an open loop TTFT and E2E count from the moment of sending;
//     TTFTScheduled and E2EScheduled stand beside them and count from the moment
//     at which the request was due. Queue is the wait for a place in between.
//   - ITL: the times between one chunk with tokens and the next of all answered
//     requests. Its mean is exact, its percentiles lie at most one bucket off.
//   - Duration: from the start of the schedule to the end of the last answer. The
//     schedule of an open loop starts with the cell, that of a repetition of a
//     closed loop when its first request is due.
//   - Output, Total, RequestRate: output tokens, prompt and output tokens, and
//     answers, over that duration.
//   - Decode: output tokens after the first of every answer, over the time from
//     the first token of all to the last token of all.
//   - Prefill: prompt tokens of the answers that a repetition starts with, those
//     sent before the first of its answers ended, over the time from its start to
//     the last first token among them.
//   - PeakConcurrency: the largest number of requests between sending and end,
//     failed ones included. One that ends when another is sent makes place for it.
//   - AcceptanceRate, AcceptanceLength: of the server's own counts. Energy: of the
//     GPU during the cell, over the output tokens of all answers.
//
// Rates and Duration have one sample per repetition of a closed loop, and are a
// single value for an open loop. A sum in which one count is unknown is unknown.
// PrefillRequest needs a latency that is measured apart, and has no figure.
//
// Failed requests have no part in any figure but PeakConcurrency.

// Figures returns the figures of a cell that follow from its records, in the order
// of the metric package, none without records. Each bears the key of its metric
// as its name, in the metric's unit.
func Figures(c *bundle.Cell) []bundle.Figure {
	r := c.Records
	if r == nil || !whole(r) {
		return nil
	}
	d := deriver{cell: c, records: r}
	d.requests()
	d.gaps()
	d.repetitions()
	d.peak()
	d.draft()
	d.energy()
	return d.sorted()
}

// HasRecordsOnly reports whether the figures of a cell are computed from its records:
// there are records, and no figures in a tool's own terms beside them.
func HasRecordsOnly(c *bundle.Cell) bool {
	return c.Records != nil && len(c.Reported) == 0
}

// WithFigures returns b with figures in every cell that has records but no figures of
// its own, and with the counts of requests and tokens that the records give where
// the cell states none. The bundle b is not changed; it comes back itself when no
// cell lacks anything.
func WithFigures(b *bundle.Bundle) *bundle.Bundle {
	if b == nil || !slices.ContainsFunc(b.Tests, lacksFigures) {
		return b
	}
	out := *b
	out.Tests = slices.Clone(b.Tests)
	for i := range out.Tests {
		t := &out.Tests[i]
		if !lacksFigures(*t) {
			continue
		}
		t.Cells = slices.Clone(t.Cells)
		for k := range t.Cells {
			if c := &t.Cells[k]; HasRecordsOnly(c) {
				c.Reported = Figures(c)
				count(c)
			}
		}
	}
	return &out
}

func lacksFigures(t bundle.Test) bool {
	return slices.ContainsFunc(t.Cells, func(c bundle.Cell) bool { return HasRecordsOnly(&c) })
}

// whole reports whether all columns that figures are computed from are as long as
// the records are many: a bundle that nobody validated may say anything.
func whole(r *bundle.Records) bool {
	n := r.Len()
	for _, length := range []int{
		len(r.ScheduledUS), len(r.SentUS), len(r.FirstTokenUS), len(r.LastTokenUS), len(r.DoneUS),
		len(r.PromptTokens), len(r.CompletionTokens),
	} {
		if length != n {
			return false
		}
	}
	return n > 0 && (len(r.Repetition) == 0 || len(r.Repetition) == n) && (len(r.QueuedUS) == 0 || len(r.QueuedUS) == n)
}

// count fills in how the requests of a cell ended and how many tokens they had, as a
// run counts them: every planned request that was not answered in full has failed,
// sent or not.
func count(c *bundle.Cell) {
	r := c.Records
	if !whole(r) {
		return
	}
	if c.Requests == nil {
		planned, completed := r.Len(), len(answered(r))
		c.Requests = &bundle.Requests{Planned: new(planned), Completed: new(completed), Failed: new(planned - completed)}
	}
	if c.Tokens == nil {
		answers := answered(r)
		t := bundle.Tokens{Input: total(r.PromptTokens, answers), Output: total(r.CompletionTokens, answers)}
		if t.Input != nil || t.Output != nil {
			c.Tokens = &t
		}
	}
}

// answered returns the places of the requests that were answered in full.
func answered(r *bundle.Records) []int {
	var out []int
	for i, o := range r.Outcome {
		if o == bundle.OutcomeOK {
			out = append(out, i)
		}
	}
	return out
}

// total adds up counts, nil when there is none or one is unknown.
func total(column []*int64, places []int) *int64 {
	if len(places) == 0 {
		return nil
	}
	var sum int64
	for _, i := range places {
		if column[i] == nil {
			return nil
		}
		sum += *column[i]
	}
	return &sum
}
