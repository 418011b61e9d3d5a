package arrival

import (
	"math"
	"slices"
	"time"

	"example.org/arena/results/numpy"
)

// A Pace describes moments of sending: what a schedule offers, or what a run
// achieved. Its gaps are the waits before each request, the first one's since the
// start included.
type Pace struct {
	Requests  int
	Rate      float64       // requests per second up to the last one; NaN when all go out at the start
	Variation float64       // standard deviation of the gaps over their mean: 1 for Poisson arrivals, higher for burstier ones; NaN as above
	Longest   time.Duration // longest gap
	Shortest  time.Duration // shortest gap
}

// PaceOf describes moments, in any order and none before the start. It is false
// when there are none.
func PaceOf(at []time.Duration) (Pace, bool) {
	if len(at) == 0 {
		return Pace{}, false
	}
	sorted := slices.Sorted(slices.Values(at))
	seconds := make([]float64, len(sorted))
	p := Pace{Requests: len(sorted), Shortest: sorted[0], Rate: math.NaN(), Variation: math.NaN()}
	before := time.Duration(0)
	for i, moment := range sorted {
		gap := moment - before
		before = moment
		seconds[i] = gap.Seconds()
		p.Longest, p.Shortest = max(p.Longest, gap), min(p.Shortest, gap)
	}
	if last := sorted[len(sorted)-1].Seconds(); last > 0 {
		p.Rate = float64(len(sorted)) / last
		p.Variation = numpy.Std(seconds) / numpy.Mean(seconds)
	}
	return p, true
}
