package stat

import "math"

// studentT returns the t that |T| exceeds with probability 1−Level, for T of
// Student's distribution with the given degrees of freedom, at least 1.
//
// Formulas: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions,
// 26.7.3 and 26.7.4 (the probability of |T| ≤ t for whole degrees of freedom)
// and, for many of them, 26.7.5 (expansion around the normal distribution).
func studentT(df int) float64 {
	if df > 200 {
		return expandT(float64(df))
	}
	// The probability rises with the angle; halve until no number lies between.
	low, high := 0.0, math.Pi/2
	for {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			return math.Tan(low) * math.Sqrt(float64(df))
		}
		if probability(mid, df) < Level {
			low = mid
		} else {
			high = mid
		}
	}
}

// probability returns P(|T| ≤ √df·tan θ).
func probability(theta float64, df int) float64 {
	sin, cos := math.Sincos(theta)
	sum, term, first := 0.0, 1.0, 1
	if df%2 == 1 {
		term, first = cos, 2
	}
	for k := first; k < df; k += 2 {
		sum += term
		term *= cos * cos * float64(k) / float64(k+1)
	}
	if df%2 == 1 {
		return 2 / math.Pi * (theta + float64(sin*sum))
	}
	return sin * sum
}

// expandT is studentT for many degrees of freedom; from 200 its error is below
// 1e-9.
func expandT(df float64) float64 {
	x := math.Sqrt2 * math.Erfinv(Level)
	x2 := x * x
	g1 := x * (x2 + 1) / 4
	g2 := x * ((5*x2+16)*x2 + 3) / 96
	g3 := x * (((3*x2+19)*x2+17)*x2 - 15) / 384
	g4 := x * ((((79*x2+776)*x2+1482)*x2-1920)*x2 - 945) / 92160
	return x + g1/df + g2/(df*df) + g3/(df*df*df) + g4/(df*df*df*df)
}
