package stat

import (
	"slices"

	"example.org/arena/results/bundle"
)

// TTFTByTurn describes the time from sending to first token of each turn of a
// cell's conversations, in ms, the first turn first. It is nil without
// conversations; a turn that was never answered has an empty summary.
func TTFTByTurn(c *bundle.Cell) []Summary {
	r := c.Records
	if r == nil || !whole(r) || len(r.Turn) != r.Len() {
		return nil
	}
	last := slices.Max(r.Turn)
	if slices.Min(r.Turn) < 1 || last > r.Len() {
		return nil
	}
	samples := make([][]float64, last)
	for _, i := range answered(r) {
		if ms, ok := between(r.SentUS[i], r.FirstTokenUS[i]); ok {
			samples[r.Turn[i]-1] = append(samples[r.Turn[i]-1], ms)
		}
	}
	out := make([]Summary, last)
	for n := range samples {
		out[n] = Summarize(samples[n])
	}
	return out
}
