package engine

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
)

// percentile95 returns the 95th percentile of TTFT of the answers, in ms, 0 without an
// answer.
func percentile95(c *bundle.Cell) float64 {
	p95, _ := ttft(c, 95)
	return p95
}

// ttft returns a percentile of TTFT of the answers, in ms. It is false without an
// answer.
func ttft(c *bundle.Cell, p float64) (float64, bool) {
	derived := bundle.Cell{Reported: stat.Figures(c)}
	f := derived.Figure(metric.TTFT)
	if f == nil {
		return 0, false
	}
	return f.Percentile(p)
}

// summary picks the figures of a cell that are shown while a run goes on.
func summary(c *bundle.Cell) []Figure {
	var out []Figure
	if p50, ok := ttft(c, 50); ok {
		out = append(out, Figure{"TTFT p50", p50, "ms"})
	}
	if c.Gaps != nil {
		if p, ok := c.Gaps.Percentile(50); ok {
			out = append(out, Figure{"ITL p50", p / 1000, "ms"})
		}
	}
	if begin, end, ok := sentAndDone(c.Records); ok && c.Tokens != nil && c.Tokens.Output != nil && end > begin {
		out = append(out, Figure{"output", float64(*c.Tokens.Output) / (float64(end-begin) / 1e6), "tok/s"})
	}
	if n := *c.Requests.Failed; n > 0 {
		out = append(out, Figure{"failed", float64(n), "req"})
	}
	return out
}

// sentAndDone returns when the first request of a cell was sent and when the last one
// ended, in µs. It is false without any.
func sentAndDone(r *bundle.Records) (begin, end int64, ok bool) {
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
