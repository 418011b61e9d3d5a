package numpy

import "math"

// A double is the unevaluated sum of two floats, the second at most half a unit
// in the last place of the first: about 106 bits. Products are converted to
// float64 before they are added to anything, so that no compiler fuses the two
// and every machine gets the same bits.
type double struct{ high, low float64 }

// sum returns a+b exactly.
func sum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

// quickSum returns a+b exactly where a is the larger one or zero.
func quickSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

// product returns a·b exactly while neither is near the ends of the range.
func product(a, b float64) double {
	p := float64(a * b)
	ah, al := halves(a)
	bh, bl := halves(b)
	low := float64(ah*bh) - p
	low += float64(ah * bl)
	low += float64(al * bh)
	low += float64(al * bl)
	return double{p, low}
}

// halves splits a into two floats of 26 bits each.
func halves(a float64) (high, low float64) {
	t := float64((1<<27 + 1) * a)
	high = t - (t - a)
	return high, a - high
}

func (a double) plus(b double) double {
	s, t := sum(a.high, b.high), sum(a.low, b.low)
	s = quickSum(s.high, s.low+t.high)
	return quickSum(s.high, s.low+t.low)
}

func (a double) times(b double) double {
	p := product(a.high, b.high)
	cross := float64(a.high*b.low) + float64(a.low*b.high)
	return quickSum(p.high, p.low+cross)
}

func (a double) timesFloat(b float64) double { return a.times(double{high: b}) }

func (a double) dividedBy(b double) double {
	q := a.high / b.high
	rest := a.plus(b.timesFloat(-q))
	r := rest.high / b.high
	rest = rest.plus(b.timesFloat(-r))
	d := quickSum(q, r)
	return d.plus(double{high: rest.high / b.high})
}

// rounded returns the float nearest to a and whether it is certain: whether every
// number that differs from a by at most the relative error rounds to it.
func (a double) rounded(relative float64) (float64, bool) {
	margin := math.Abs(float64(a.high * relative))
	below, above := a.high+(a.low-margin), a.high+(a.low+margin)
	return above, below == above
}
