package i18n

import (
	"math"
	"strconv"
	"strings"
)

// Number writes x with the given number of decimals: 1.234,5 · 1,234.5 · 1 234,5.
// It rounds half away from zero, once; what rounds to zero has no sign.
func (p *Printer) Number(x float64, digits int) string {
	return p.signed(x, 0, digits, "")
}

// Integer writes n with its digits grouped.
func (p *Printer) Integer(n int64) string {
	digits, negative := strings.CutPrefix(strconv.FormatInt(n, 10), "-")
	if negative {
		return minus + p.group(digits)
	}
	return p.group(digits)
}

// Signed writes x with a sign, also when it is positive. Zero has none.
func (p *Printer) Signed(x float64, digits int) string {
	return p.signed(x, 0, digits, "+")
}

// Percent writes a ratio (1 is the whole) as a percentage: 12,3% · 12.3% · 12,3 %.
func (p *Printer) Percent(ratio float64, digits int) string {
	return p.T("format.percent", "number", p.signed(ratio, 2, digits, ""))
}

// SignedPercent writes the change that a ratio states, with its sign: 0.123 is
// +12,3%.
func (p *Printer) SignedPercent(ratio float64, digits int) string {
	return p.T("format.percent", "number", p.signed(ratio, 2, digits, "+"))
}

// Multiple writes a factor: 1,86× · 1.86×.
func (p *Printer) Multiple(x float64, digits int) string {
	return p.T("format.multiple", "number", p.Number(x, digits))
}

// signed writes x·10^shift with plus before numbers above zero. What is no
// finite number is a fault: a missing value must not reach a page as a number.
func (p *Printer) signed(x float64, shift, digits int, plus string) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		p.faulty("", "a number that is not finite")
		return mark("NaN")
	}
	abs, negative := p.decimal(x, shift, digits)
	switch {
	case negative:
		return minus + abs
	case x > 0 && plus != "" && !isZero(abs):
		return plus + abs
	}
	return abs
}

// isZero reports whether a written number has no digit but zero.
func isZero(number string) bool {
	for _, r := range number {
		if r >= '1' && r <= '9' {
			return false
		}
	}
	return true
}
