package numpy

import "math"

// Percentile returns numpy.percentile(sorted, p) with the linear method, to the
// bit. Sorted holds finite values in ascending order, p lies in [0,100]. It
// returns NaN for an empty sample and for a p out of range.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || !(p >= 0 && p <= 100) {
		return math.NaN()
	}
	position := float64(float64(len(sorted)-1) * (p / 100)) // rounded here, see between
	below := math.Floor(position)
	if int(below) >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	i := int(below)
	return between(sorted[i], sorted[i+1], position-below)
}

// between interpolates from the nearer end, as numpy does. The conversions keep
// the compiler from fusing product and sum into one rounding, as it does for
// arm64.
func between(a, b, t float64) float64 {
	span := b - a
	if t >= 0.5 {
		return b - float64(span*(1-t))
	}
	return a + float64(span*t)
}
