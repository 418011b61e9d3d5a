package engine

import (
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/numpy"
)

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
