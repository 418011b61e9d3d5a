package board

import "math"

// A SpeedUp compares the speed of one request with and without speculation at
// one concurrency.
type SpeedUp struct {
	Concurrency   int
	Without, With float64 // mean output tokens per second of one request
	Ratio         float64 // With / Without; above 1 speculation is faster
}

// SpeedUps compares two deployments at the concurrencies that both measured,
// ascending.
func SpeedUps(without, with LoadCurve) []SpeedUp {
	speed := map[int]float64{}
	for _, p := range without.Points {
		if p.Speed.Mean != nil && *p.Speed.Mean > 0 {
			speed[p.Concurrency] = *p.Speed.Mean
		}
	}
	var out []SpeedUp
	for _, p := range with.Points {
		base, ok := speed[p.Concurrency]
		if !ok || p.Speed.Mean == nil {
			continue
		}
		out = append(out, SpeedUp{Concurrency: p.Concurrency, Without: base, With: *p.Speed.Mean, Ratio: *p.Speed.Mean / base})
	}
	return out
}

// A BreakEven is the concurrency at which speculation stops paying: between two
// measured ones, at the first place where the ratio falls below 1. It is
// interpolated linearly in the logarithm of the concurrency, since measurements
// double it from one to the next; it is an estimate, not a measurement.
type BreakEven struct {
	Known       bool    // false when the ratio never falls below 1, or starts below it
	Always      bool    // speculation pays at every measured concurrency
	Never       bool    // at none, from the lowest on
	Concurrency float64 // meaningful when Known
	Below       int     // the measured concurrency at which it still pays
	Above       int     // the next one, at which it no longer does
}

// BreakEvenOf finds the break-even of speed-ups in ascending order.
func BreakEvenOf(list []SpeedUp) BreakEven {
	if len(list) == 0 {
		return BreakEven{}
	}
	if list[0].Ratio < 1 {
		return BreakEven{Never: true}
	}
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if b.Ratio >= 1 {
			continue
		}
		low, high := math.Log2(float64(a.Concurrency)), math.Log2(float64(b.Concurrency))
		step := float64((high - low) * (a.Ratio - 1) / (a.Ratio - b.Ratio))
		return BreakEven{Known: true, Concurrency: math.Exp2(low + step), Below: a.Concurrency, Above: b.Concurrency}
	}
	return BreakEven{Always: true}
}
