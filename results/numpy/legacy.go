package numpy

import "math"

// The values that these methods return are converted to float64 although they
// have that type: the compiler could otherwise fuse their last product with a sum
// of the caller's.

// A Legacy is numpy's legacy stream: what numpy.random.seed(seed) starts and
// numpy.random.gamma and its like draw from. It is not safe for concurrent use.
type Legacy struct {
	twister twister
	normal  float64 // second of the last pair of normal values
	hasPair bool
}

// NewLegacy returns the stream that numpy.random.seed(seed) starts.
func NewLegacy(seed uint32) *Legacy {
	var l Legacy
	l.twister.seedWord(seed)
	return &l
}

// Float64 returns numpy.random.random_sample(): uniform in [0,1).
func (l *Legacy) Float64() float64 { return l.twister.float64() }

// StandardExponential returns numpy.random.standard_exponential(): at least 0,
// mean 1.
func (l *Legacy) StandardExponential() float64 { return -Log(1 - l.Float64()) }

// StandardNormal returns numpy.random.standard_normal(): mean 0, deviation 1.
// Values come in pairs, of which the second is kept for the next call.
func (l *Legacy) StandardNormal() float64 {
	if l.hasPair {
		l.hasPair = false
		return l.normal
	}
	for {
		x := float64(2*l.Float64()) - 1
		y := float64(2*l.Float64()) - 1
		r := float64(x*x) + float64(y*y)
		if r >= 1 || r == 0 {
			continue
		}
		f := math.Sqrt(-2 * Log(r) / r)
		l.normal, l.hasPair = float64(f*x), true
		return float64(f * y)
	}
}

// Gamma returns numpy.random.gamma(shape, scale): mean shape·scale. It returns
// NaN, and draws nothing, where numpy refuses: for a negative shape or scale, or
// one that is not a number.
func (l *Legacy) Gamma(shape, scale float64) float64 {
	if !(scale >= 0) {
		return math.NaN()
	}
	return float64(scale * l.StandardGamma(shape))
}

// StandardGamma returns numpy.random.standard_gamma(shape): mean shape. It
// returns NaN, and draws nothing, for a shape that is negative or not a number.
func (l *Legacy) StandardGamma(shape float64) float64 {
	switch {
	case !(shape >= 0):
		return math.NaN()
	case shape == 0:
		return 0
	case shape < 1:
		return l.smallGamma(shape)
	case shape == 1:
		return l.StandardExponential()
	}
	return l.largeGamma(shape)
}

// smallGamma draws for a shape in (0,1) by rejection from a power of a uniform
// value (Ahrens and Dieter's GS).
func (l *Legacy) smallGamma(shape float64) float64 {
	for {
		u := l.Float64()
		v := l.StandardExponential()
		if u <= 1-shape {
			if x := Pow(u, 1/shape); x <= v {
				return x
			}
			continue
		}
		y := -Log((1 - u) / shape)
		if x := Pow(1-shape+float64(shape*y), 1/shape); x <= v+y {
			return x
		}
	}
}

// largeGamma draws for a shape above 1 by rejection from the cube of a normal
// value (Marsaglia and Tsang).
func (l *Legacy) largeGamma(shape float64) float64 {
	b := shape - 1./3
	c := 1 / math.Sqrt(9*b)
	for {
		x := l.StandardNormal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		u := l.Float64()
		square := float64(x * x)
		if u < 1-float64(float64(0.0331*square)*square) {
			return float64(b * v)
		}
		if Log(u) < float64(float64(0.5*x)*x)+float64(b*(1-v+Log(v))) {
			return float64(b * v)
		}
	}
}
