package loadgen

import (
	"maps"
	"math"
	"slices"
	"time"

	"example.org/arena/loadgen/arrival"
	"example.org/arena/results/numpy"
)

// Lateness sums up how late requests were sent, by [Record.Lateness]. Percentiles are
// linear between order statistics, numpy's default. A request that went out early was
// not late.
type Lateness struct {
	Count         int
	P50, P99, Max time.Duration // 0 without requests
}

// sumUp computes what a run says of itself.
func (run *Run) sumUp(c Cell) {
	first, last := Offset(math.MaxInt64), Offset(Unknown)
	var late []time.Duration
	for _, rec := range run.Records {
		switch {
		case rec.Warmup:
			continue
		case rec.Outcome == Unsent:
			run.Unsent++
			continue
		}
		run.Sent++
		if rec.Sent == Unknown {
			continue
		}
		first, last = min(first, rec.Sent), max(last, rec.Done)
		late = append(late, rec.Lateness())
	}
	run.Elapsed = max(last-first, 0)
	run.Lateness = LatenessOf(late)
	run.Held = math.NaN()
	if c.Schedule.Kind != arrival.Open {
		run.Held = held(run.Records, c.Schedule.Kind == arrival.Refill)
	}
}

// LatenessOf sums up by how much requests were late.
func LatenessOf(late []time.Duration) Lateness {
	if len(late) == 0 {
		return Lateness{}
	}
	sorted := make([]float64, len(late))
	for i, d := range late {
		sorted[i] = float64(max(d, 0))
	}
	slices.Sort(sorted)
	return Lateness{
		Count: len(late),
		P50:   time.Duration(numpy.Percentile(sorted, 50)),
		P99:   time.Duration(numpy.Percentile(sorted, 99)),
		Max:   time.Duration(sorted[len(sorted)-1]),
	}
}

// held returns how much of its places a closed loop kept busy: throughput times
// response time over places, while every slot had work. Where slots refill, that
// begins when the last of them has started and ends when the first of them has
// sent its last request; batches have work all the time, and the wait for their
// slowest answer shows.
func held(records []Record, refill bool) float64 {
	starts, ends := map[int]Offset{}, map[int]Offset{} // by slot
	for _, rec := range records {
		if rec.Warmup || rec.Sent == Unknown {
			continue
		}
		if start, known := starts[rec.Slot]; !known || rec.Sent < start {
			starts[rec.Slot] = rec.Sent
		}
		ends[rec.Slot] = max(ends[rec.Slot], rec.Done)
	}
	if len(starts) == 0 {
		return math.NaN()
	}
	started, ended := slices.Sorted(maps.Values(starts)), slices.Sorted(maps.Values(ends))
	from, to := started[0], ended[len(ended)-1]
	if refill {
		from, to = started[len(started)-1], ended[0]
	}
	if to <= from {
		return math.NaN()
	}
	var busy time.Duration
	for _, rec := range records {
		if !rec.Warmup && rec.Sent != Unknown {
			busy += max(min(rec.Done, to)-max(rec.Sent, from), 0)
		}
	}
	return float64(busy) / (float64(to-from) * float64(len(starts)))
}
