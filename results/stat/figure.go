package stat

import (
	"math"
	"slices"

	"example.org/arena/results/bundle"
)

// The kinds of standard deviation that tools report.
const (
	Population = "population" // n in the divisor
	Sample     = "sample"     // n−1 in the divisor
)

// SampleStd returns the sample standard deviation of n samples whose standard
// deviation of the given kind is std: a population's grows by √(n/(n−1)). It is
// false for fewer than two samples, for another kind, and for a std that is
// negative or not finite: then the spread is unknown.
func SampleStd(std float64, kind string, n int) (float64, bool) {
	if n < 2 || !(std >= 0) {
		return 0, false
	}
	switch kind {
	case Sample:
	case Population:
		std *= math.Sqrt(float64(n) / float64(n-1))
	default:
		return 0, false
	}
	if math.IsInf(std, 0) {
		return 0, false
	}
	return std, true
}

// FromFigure describes a quantity as its source reported it, in the figure's own
// unit. Where the figure has the samples, they are summarised; else its
// statistics are taken over, with Std converted to a sample standard deviation.
// A figure that is a single value has no statistics: its summary is empty.
func FromFigure(f bundle.Figure) Summary {
	if len(f.Values) > 0 {
		return Summarize(f.Values)
	}
	s := Summary{
		N:           max(f.N, 0),
		Mean:        finite(f.Mean),
		Min:         finite(f.Min),
		Median:      finite(f.Median),
		Max:         finite(f.Max),
		percentiles: slices.Clone(f.Percentiles),
	}
	s.percentiles = slices.DeleteFunc(s.percentiles, func(p bundle.Percentile) bool { return finite(&p.Value) == nil })
	if f.Std != nil {
		if std, ok := SampleStd(*f.Std, f.StdKind, f.N); ok {
			s.Std = &std
		}
	}
	s.judge()
	return s
}

// finite returns a copy of v, or nil when it is unknown, NaN or infinite.
func finite(v *float64) *float64 {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return nil
	}
	return new(*v)
}
