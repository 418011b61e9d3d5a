package i18n

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// minus is the sign of negative numbers: as wide as a digit, and no line breaks
// after it.
const minus = "\u2212"

// Marks stand between the digits of a number.
type marks struct {
	decimal string // before the decimals
	group   string // between groups of three digits
}

// marksOf returns the marks that x/text has for a language. They are asked for once:
// to let it write every number takes most of the time of a page.
func marksOf(t language.Tag) marks {
	text := message.NewPrinter(t).Sprint(number.Decimal(1234.5))
	var found []string
	found = append(found, strings.FieldsFunc(text, unicode.IsDigit)...)
	if len(found) != 2 {
		return marks{} // a test finds it
	}
	return marks{group: found[0], decimal: found[1]}
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
	abs = cmp.Or(strings.TrimLeft(all[:point], "0"), "0")
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
	whole, fraction, _ := strings.Cut(plain, ".")
	abs = p.group(whole)
	if fraction != "" {
		abs += p.row.marks.decimal + fraction
	}
	return abs, negative
}

// group writes digits in groups of three.
func (p *Printer) group(digits string) string {
	first := (len(digits)-1)%3 + 1
	var b strings.Builder
	b.WriteString(digits[:first])
	for i := first; i < len(digits); i += 3 {
		b.WriteString(p.row.marks.group + digits[i:i+3])
	}
	return b.String()
}
