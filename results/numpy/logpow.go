package numpy

import "math"

// Bounds on the relative error of the fast ways, far above what they reach.
// Results closer than that to the middle of two floats, about one in 2⁴⁰ and one
// in 2³², are computed again with more digits.
const (
	logError = 0x1p-94
	powError = 0x1p-86
)

// ln2 is the natural logarithm of 2, rounded to 107 bits.
var ln2 = double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}

// Log returns the natural logarithm of x, correctly rounded: the float nearest to
// the exact value, on every machine. It is -Inf for 0 and NaN below.
func Log(x float64) float64 {
	if x == 1 || !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x) // exact there
	}
	if y, ok := log(x).rounded(logError); ok {
		return y
	}
	return slowLog(x)
}

// Pow returns x to the power y, correctly rounded as Log is. X is at least 0; the
// result is NaN below.
func Pow(x, y float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	if x == 0 || x == 1 || y == 0 || y == 1 || math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y {
		return math.Pow(x, y) // exact there
	}
	l := log(x)
	switch exponent := y * l.high; {
	case exponent > 710:
		return math.Inf(1)
	case exponent < -746:
		return 0
	case math.Abs(exponent) < 0x1p-55:
		return 1
	case exponent > 709 || exponent < -708: // near infinity, or no longer of full precision
		return slowPow(x, y)
	}
	value, power := exp(l.timesFloat(y))
	if z, ok := value.rounded(powError); ok {
		return math.Ldexp(z, power)
	}
	return slowPow(x, y)
}

// log returns the logarithm of a finite x above 0. With x = m·2ᵉ and m about 1 it
// is e·ln 2 + 2·artanh(s), s = (m−1)/(m+1).
func log(x float64) double {
	m, e := mantissa(x)
	s := double{high: m - 1}.dividedBy(sum(m, 1))
	square := s.times(s)
	series := double{}
	for k := 45.; k >= 1; k -= 2 { // s² < 0.0295: the next term is below 2⁻¹²⁰
		series = series.times(square).plus(double{high: 1}.dividedBy(double{high: k}))
	}
	return ln2.timesFloat(e).plus(s.times(series).timesFloat(2))
}

// mantissa returns m in [√½,√2) and a whole e with x = m·2ᵉ.
func mantissa(x float64) (m, e float64) {
	m, power := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, power = 2*m, power-1
	}
	return m, float64(power)
}

// exp returns e to the power l, for l in [-709,709], as value·2^power with value
// between about ½ and 2: Taylor's series of what ln 2 leaves of l.
func exp(l double) (value double, power int) {
	n := math.RoundToEven(l.high / ln2.high)
	rest := l.plus(ln2.timesFloat(-n))
	value = double{high: 1}
	for k := 28.; k >= 1; k-- { // |rest| < 0.35: the next term is below 2⁻¹³⁰
		value = value.times(rest.dividedBy(double{high: k})).plus(double{high: 1})
	}
	return value, int(n)
}
