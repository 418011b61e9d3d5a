package compat

import (
	"slices"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
)

// measured returns the records that count: those that were sent, were not part of
// a warm-up, and were not stopped with the run.
func measured(records []loadgen.Record) []loadgen.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r loadgen.Record) bool {
		return r.Warmup || r.Outcome == loadgen.Unsent || r.Outcome == loadgen.Cancelled
	})
}

// answered reports whether the tools take a request for answered: the status was
// 200 and the body came to its end. What the body said does not matter to them,
// be it an error or an answer that stops in the middle.
func answered(r loadgen.Record) bool {
	readToEnd := r.Outcome == loadgen.StreamError || r.Outcome == loadgen.Truncated
	return r.Outcome == loadgen.OK || readToEnd && !r.Broken
}

// choices returns the moments of all chunks with a choice, with tokens or not, in
// order.
func choices(r loadgen.Record) []loadgen.Offset {
	moments := slices.Clone(r.Bare)
	for _, a := range r.Arrivals {
		moments = append(moments, a.At)
	}
	slices.Sort(moments)
	return moments
}

// seconds returns an offset in the tools' unit: rounded once.
func seconds(o loadgen.Offset) float64 { return float64(o) / 1e9 }

// split returns the measured records of each measured batch of a schedule.
func split(s arrival.Schedule, records []loadgen.Record) [][]loadgen.Record {
	var batches [][]loadgen.Record
	for _, b := range s.Batches {
		if b.Warmup {
			continue
		}
		var batch []loadgen.Record
		for _, r := range measured(records) {
			if r.Seq >= b.First && r.Seq < b.First+b.Size {
				batch = append(batch, r)
			}
		}
		batches = append(batches, batch)
	}
	return batches
}
