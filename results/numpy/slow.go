package numpy

import (
	"math"
	"math/big"
)

// The slow way of Log and Pow. It computes with slowBits, of which all but a few
// are right, and rounds to sureBits before it rounds to a float. The results of
// Pow that lie exactly between two floats then are exact again, and go to the
// even one; any other is 2⁻²⁵⁶ from the middle at most once in 2²⁰⁰ results.
const (
	slowBits = 400
	sureBits = 256
)

func slowLog(x float64) float64 { return nearest(bigLog(x)) }

// slowPow returns x to the power y for x above 0 where the result is no further
// than e^±746 from 1.
func slowPow(x, y float64) float64 {
	return nearest(bigExp(newBig().Mul(bigLog(x), newBig().SetFloat64(y))))
}

func nearest(z *big.Float) float64 {
	f, _ := z.SetPrec(sureBits).Float64()
	return f
}

func newBig() *big.Float { return new(big.Float).SetPrec(slowBits) }

func bigInt(n int64) *big.Float { return newBig().SetInt64(n) }

func bigLog(x float64) *big.Float {
	m, e := mantissa(x)
	part := newBig().Sub(newBig().SetFloat64(m), bigInt(1))
	part.Quo(part, newBig().Add(newBig().SetFloat64(m), bigInt(1)))
	y := newBig().Mul(bigLn2(), newBig().SetFloat64(e))
	return y.Add(y, twiceArtanh(part))
}

func bigLn2() *big.Float { return twiceArtanh(newBig().Quo(bigInt(1), bigInt(3))) }

// twiceArtanh returns 2·artanh(s) for s in [-1/3,1/3].
func twiceArtanh(s *big.Float) *big.Float {
	square := newBig().Mul(s, s)
	power := newBig().Add(s, s)
	total := newBig()
	for k := int64(1); k < slowBits; k += 2 { // a term adds at least three bits
		total.Add(total, newBig().Quo(power, bigInt(k)))
		power.Mul(power, square)
	}
	return total
}

// bigExp returns e to the power l for l in [-746,746].
func bigExp(l *big.Float) *big.Float {
	about, _ := l.Float64()
	n := math.RoundToEven(about / math.Ln2)
	rest := newBig().Sub(l, newBig().Mul(bigLn2(), newBig().SetFloat64(n)))
	total := bigInt(1)
	for k := int64(100); k >= 1; k-- { // 0.35¹⁰⁰/100! is below 2⁻⁶⁰⁰
		total.Mul(total, rest)
		total.Quo(total, bigInt(k))
		total.Add(total, bigInt(1))
	}
	return total.SetMantExp(total, int(n))
}
