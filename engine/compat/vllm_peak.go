package compat

import (
	"cmp"
	"math"
	"slices"
)

// peaks returns the most chunks within a second and the most requests in flight,
// as the tool counts them. Its seconds begin with the first request.
func (r VLLMRun) peaks() (chunks float64, requests int) {
	begin := math.Inf(1)
	for _, o := range r.Outputs {
		if o.Success {
			begin = min(begin, o.Start)
		}
	}
	in := map[int]int{}
	for _, o := range r.Outputs {
		if o.Success {
			o.countChunks(in, begin)
		}
	}
	most := 0
	for _, n := range in {
		most = max(most, n)
	}
	if r.Release.has(v30) {
		return float64(most), r.overlap(func(o VLLMOutput) (from, to float64) { return o.Start, o.Start + o.Latency })
	}
	return float64(most), r.overlap(func(o VLLMOutput) (from, to float64) { // every second that it touches
		return math.Floor(o.Start - begin), math.Floor(o.Start+o.Latency-begin) + 1
	})
}

// countChunks counts the chunks of each second.
func (o VLLMOutput) countChunks(in map[int]int, begin float64) {
	at := o.Start + o.TTFT
	in[int(at-begin)]++
	for _, wait := range o.ITL {
		at += wait
		in[int(at-begin)]++
	}
}

// overlap returns the most requests that succeeded and whose spans, of which the
// end is no part, hold the same moment.
func (r VLLMRun) overlap(span func(VLLMOutput) (from, to float64)) int {
	type change struct {
		at float64
		by int
	}
	var changes []change
	for _, o := range r.Outputs {
		if o.Success {
			from, to := span(o)
			changes = append(changes, change{from, 1}, change{to, -1})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), a.by-b.by) })
	now, peak := 0, 0
	for _, c := range changes {
		now += c.by
		peak = max(peak, now)
	}
	return peak
}
