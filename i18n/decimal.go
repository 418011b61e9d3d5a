package i18n

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// minus is the sign of negative numbers: as wide as a digit, and no line breaks
// after it.
const minus = "\u2212"

// tag returns the locale whose number format the language uses.
func (l Lang) tag() language.Tag {
	switch l {
	case NL:
		return language.Dutch
	case FR:
		return language.French
	}
	return language.BritishEnglish
}

// round returns |x|·10^shift in decimal notation with digits decimals, and
// whether the rounded number is below zero. It rounds once, the shortest decimal
// notation of x (the one bundles are written in) half away from zero, as
// Intl.NumberFormat does in browsers: 1.005 with two digits is 1.01.
func round(x float64, shift, digits int) (abs string, negative bool) {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'e', -1, 64), "e")
	exp, _ := strconv.Atoi(exponent)
	all := strings.Replace(mantissa, ".", "", 1)
	point := exp + 1 + shift // digits before the decimal point
	keep := point + digits
	switch {
	case keep < 0:
		all, point = "0", 1
	default:
		if keep < len(all) {
			up := all[keep] >= '5'
			if all = all[:keep]; up {
				all, point = increment(all, point)
			}
		}
	}
	for ; point <= 0; point++ {
		all = "0" + all
	}
	all += strings.Repeat("0", max(0, point+digits-len(all)))
	abs = all[:point]
	if digits > 0 {
		abs += "." + all[point:point+digits]
	}
	return abs, x < 0 && strings.Trim(abs, "0.") != ""
}

// increment adds one to the last digit of a decimal number that has point digits
// before its decimal point.
func increment(digits string, point int) (string, int) {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < '9' {
			b[i]++
			return string(b), point
		}
		b[i] = '0'
	}
	return "1" + string(b), point + 1
}

// decimal writes |x|·10^shift in the language's notation.
func (p *Printer) decimal(x float64, shift, digits int) (abs string, negative bool) {
	plain, negative := round(x, shift, digits)
	// Below 10^15 the rounded number is its own shortest notation, so nothing is
	// rounded a second time.
	v, _ := strconv.ParseFloat(plain, 64)
	return p.group(v, digits), negative
}

// group writes a number that is not negative, a float64 or a uint64.
func (p *Printer) group(v any, digits int) string {
	s := message.NewPrinter(p.lang.tag()).Sprint(number.Decimal(v, number.Scale(digits)))
	if p.lang == FR {
		// Browsers, whose data are newer, group with the narrow space.
		s = strings.ReplaceAll(s, noBreak, narrow)
	}
	return s
}
