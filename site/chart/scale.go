package chart

import "math"

// A span is the resolved extent of an axis: values lo to hi over size pixels.
type span struct {
	scale  Scale
	lo, hi float64
	ticks  []float64
	size   float64
}

// at is the distance of a value from the low end, in pixels.
func (s span) at(v float64) float64 {
	switch s.scale {
	case Category:
		return (v + 0.5) / (s.hi - s.lo) * s.size
	case Log:
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo) * s.size
	case Linear:
	}
	return (v - s.lo) / (s.hi - s.lo) * s.size
}

func (s span) within(v float64) bool { return v >= s.lo && v <= s.hi }

// bounds are the ends of some values.
type bounds struct {
	lo, hi float64
	some   bool
}

func (b *bounds) take(v float64) {
	if !b.some {
		b.lo, b.hi, b.some = v, v, true
		return
	}
	b.lo, b.hi = math.Min(b.lo, v), math.Max(b.hi, v)
}

// roundStep is the smallest of 1, 2 and 5 times a power of ten that is at least v.
func roundStep(v float64) float64 {
	exp := math.Floor(math.Log10(v))
	for _, e := range []float64{exp, exp + 1} {
		for _, m := range []float64{1, 2, 5} {
			if step := power(m, e); step >= v*(1-1e-9) {
				return step
			}
		}
	}
	return power(1, exp+2)
}

// power is m times ten to the e, without the noise of repeated multiplication.
func power(m, e float64) float64 {
	if e < 0 {
		return m / math.Pow(10, -e)
	}
	return m * math.Pow(10, e)
}

// linear resolves a linear axis over the bounds, with about n steps.
func linear(b bounds, a Axis, n int, pad bool) span {
	lo, hi := math.Min(0, b.lo), math.Max(0, b.hi)
	if a.Min != nil {
		lo = *a.Min
	}
	if a.Max != nil {
		hi = *a.Max
	}
	if hi <= lo {
		hi = lo + 1
	}
	step := roundStep((hi - lo) / float64(n))
	// The ends move out to a tick, and one further when data would touch the top.
	first, last := math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
	if a.Min == nil {
		lo = tidy(first, step)
	}
	if a.Max == nil && pad {
		hi = tidy(last, step)
	} else if a.Max == nil {
		hi += (hi - lo) * 0.02
	}
	s := span{scale: Linear, lo: lo, hi: hi}
	for i := first; i <= last; i++ {
		if v := tidy(i, step); v >= lo && v <= hi {
			s.ticks = append(s.ticks, v)
		}
	}
	return s
}

// tidy is i times step, written as the nearest short decimal.
func tidy(i, step float64) float64 {
	exp := math.Floor(math.Log10(step) + 1e-9)
	mantissa := math.Round(power(step, -exp))
	return power(i*mantissa, exp)
}

// logarithmic resolves a log axis over the bounds. Round ends are for Y; an X
// axis ends just outside its data.
func logarithmic(b bounds, a Axis, round bool) span {
	s := span{scale: Log, lo: b.lo / 1.12, hi: b.hi * 1.12}
	if round {
		s.lo, s.hi = roundBelow(b.lo), roundStep(b.hi)
	}
	if a.Min != nil {
		s.lo = *a.Min
	}
	if a.Max != nil {
		s.hi = *a.Max
	}
	if s.hi <= s.lo {
		s.hi = s.lo * 10
	}
	mantissas := []float64{1, 2, 5}
	if decades := math.Log10(s.hi / s.lo); decades > 2.6 {
		mantissas = []float64{1}
	}
	for e := math.Floor(math.Log10(s.lo)); e <= math.Ceil(math.Log10(s.hi)); e++ {
		for _, m := range mantissas {
			if v := power(m, e); v >= s.lo*(1-1e-9) && v <= s.hi*(1+1e-9) {
				s.ticks = append(s.ticks, v)
			}
		}
	}
	return s
}

// roundBelow is the largest of 1, 2 and 5 times a power of ten that is at
// most v.
func roundBelow(v float64) float64 {
	exp := math.Floor(math.Log10(v))
	for _, m := range []float64{5, 2, 1} {
		if step := power(m, exp); step <= v*(1+1e-9) {
			return step
		}
	}
	return power(5, exp-1)
}
