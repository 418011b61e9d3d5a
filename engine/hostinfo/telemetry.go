package hostinfo

import (
	"math"
	"time"

	"example.org/arena/results/bundle"
)

// Between returns the samples from one time to another in columns, with offsets
// from the first: in seconds to the millisecond. It is nil when there is not one.
// The times should be readings of the clock that has a steady part, as [time.Now]
// gives them.
func (s *Sampler) Between(from, to time.Time) *bundle.Telemetry {
	samples, _, _ := s.between(from, to)
	if len(samples) == 0 {
		return nil
	}
	t := &bundle.Telemetry{}
	for _, x := range samples {
		t.OffsetS = append(t.OffsetS, math.Round(x.at.Sub(from).Seconds()*1e3)/1e3)
	}
	t.PowerW = column(samples, func(x sample) float64 { return math.Round(x.power*100) / 100 })
	t.TemperatureC = column(samples, func(x sample) float64 { return x.temperature })
	t.ClockMHz = column(samples, func(x sample) float64 { return x.clock })
	t.UtilisationPct = column(samples, func(x sample) float64 { return math.Round(x.utilisation*10) / 10 })
	t.MemoryUsedMB = column(samples, func(x sample) float64 { return x.memory })
	if allZero(t.MemoryUsedMB) { // a driver that cannot tell writes zeros
		t.MemoryUsedMB = nil
	}
	if !hasSamples(t) {
		return nil
	}
	return t
}

// column returns what is known of each sample, nil when nothing is.
func column(samples []sample, of func(sample) float64) []*float64 {
	out := make([]*float64, len(samples))
	some := false
	for i, x := range samples {
		if v := of(x); !math.IsNaN(v) {
			out[i], some = &v, true
		}
	}
	if !some {
		return nil
	}
	return out
}

func allZero(column []*float64) bool {
	for _, v := range column {
		if v != nil && *v != 0 {
			return false
		}
	}
	return true
}

func hasSamples(t *bundle.Telemetry) bool {
	for _, c := range [][]*float64{t.PowerW, t.TemperatureC, t.ClockMHz, t.UtilisationPct, t.MemoryUsedMB} {
		if c != nil {
			return true
		}
	}
	return false
}

// longestGap is the longest time between two samples across which a line may be
// drawn.
const longestGap = 3 * time.Second

// EnergyMJ returns the energy that all GPUs drew from one time to another, in
// millijoules: the area below straight lines from sample to sample, and from and to
// points on such lines. The last sample holds for one and a half intervals more, so
// that a cell that has just ended has its energy. It is nil where samples of the
// power are missing for more than three seconds.
func (s *Sampler) EnergyMJ(from, to time.Time) *int64 {
	if !to.After(from) {
		return nil
	}
	var points []sample
	inside, before, after := s.between(from.Add(-longestGap), to.Add(longestGap))
	if before != nil {
		inside = append([]sample{*before}, inside...)
	}
	if after != nil {
		inside = append(inside, *after)
	}
	for _, x := range inside {
		if !math.IsNaN(x.power) {
			points = append(points, x)
		}
	}
	joules, covered := area(s.extendEnds(points), from, to)
	if !covered {
		return nil
	}
	return new(int64(math.Round(joules * 1e3)))
}

// extendEnds adds a point before the first and one after the last, as far as their
// values can be taken to hold.
func (s *Sampler) extendEnds(points []sample) []sample {
	if len(points) == 0 {
		return nil
	}
	first, last := points[0], points[len(points)-1]
	first.at, last.at = first.at.Add(-s.interval*3/2), last.at.Add(s.interval*3/2)
	return append(append([]sample{first}, points...), last)
}

// area integrates the power of ascending points over a span, and reports whether
// they cover it without a long gap.
func area(points []sample, from, to time.Time) (joules float64, covered bool) {
	at := from
	for i := 1; i < len(points) && at.Before(to); i++ {
		a, b := points[i-1], points[i]
		if !b.at.After(at) {
			continue
		}
		if a.at.After(at) || b.at.Sub(a.at) > longestGap {
			return 0, false
		}
		end := b.at
		if end.After(to) {
			end = to
		}
		width := end.Sub(at).Seconds()
		joules += float64(width * (powerAt(a, b, at) + powerAt(a, b, end)) / 2)
		at = end
	}
	return joules, !at.Before(to)
}

// powerAt is the power on the line between two samples.
func powerAt(a, b sample, at time.Time) float64 {
	share := at.Sub(a.at).Seconds() / b.at.Sub(a.at).Seconds()
	return a.power + float64(share*(b.power-a.power))
}
