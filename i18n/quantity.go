package i18n

import (
	"math"
	"strconv"
)

// The units that change how a number is written.
const (
	unitRatio         = "ratio" // shown as a percentage
	unitDimensionless = "1"     // shown without a unit
)

// Unit returns the symbol of a unit for a column header or an axis: ms, tok/s,
// GB (Go in French). A ratio is shown as a percentage, so its symbol is %; a
// dimensionless number has none.
func (p *Printer) Unit(unit string) string {
	if unit == unitDimensionless {
		return ""
	}
	return p.T("unit." + unit)
}

// Value writes x for a place that shows the unit itself, such as a table cell
// under a header with Unit. Digits are decimals of x as stored: a ratio with
// three is shown as a percentage with one.
func (p *Printer) Value(x float64, digits int, unit string) string {
	if unit == unitRatio {
		return p.signed(x, 2, max(digits-2, 0), "")
	}
	return p.Number(x, digits)
}

// Quantity writes x with its unit, which no line break parts from it.
func (p *Printer) Quantity(x float64, digits int, unit string) string {
	return p.withUnit(p.Value(x, digits, unit), unit)
}

// withUnit puts a unit behind a written number.
func (p *Printer) withUnit(number, unit string) string {
	switch unit {
	case unitDimensionless:
		return number
	case unitRatio:
		return p.T("format.percent", "number", number)
	}
	return p.T("format.quantity", "number", number, "unit", p.Unit(unit))
}

// Milliseconds writes a duration given in milliseconds, in the unit that reads
// best. Below 10 ms it has one decimal, below 1 s none; from there on it is
// written as Seconds does. The unit is chosen after rounding: 999.6 is 1,00 s.
func (p *Printer) Milliseconds(ms float64) string {
	switch {
	case math.IsNaN(ms) || math.IsInf(ms, 0):
		return p.Number(ms, 0)
	case below(ms, 0, 1, 10):
		return p.Quantity(ms, 1, "ms")
	case below(ms, 0, 0, 1000):
		return p.Quantity(ms, 0, "ms")
	}
	return p.Seconds(ms / 1000)
}

// Seconds writes a duration given in seconds: below 10 s with two decimals, below
// two minutes with one, below an hour in minutes and seconds, then in hours and
// minutes.
func (p *Printer) Seconds(s float64) string {
	switch {
	case math.IsNaN(s) || math.IsInf(s, 0):
		return p.Number(s, 0)
	case below(s, 0, 2, 10):
		return p.Quantity(s, 2, "s")
	case below(s, 0, 1, 120):
		return p.Quantity(s, 1, "s")
	case below(s, 0, 0, 3600):
		return p.two(math.Round(s), "min", "s")
	}
	return p.two(math.Round(s/60), "h", "min")
}

// two writes a whole number of small units as large ones, of sixty each, and the
// rest.
func (p *Printer) two(x float64, large, small string) string {
	first := p.Quantity(math.Trunc(x/60), 0, large)
	rest := math.Mod(math.Abs(x), 60)
	if rest == 0 {
		return first
	}
	return p.T("format.pair", "first", first, "second", p.Quantity(rest, 0, small))
}

// below reports whether |x|·10^shift, rounded to digits decimals, is below limit.
func below(x float64, shift, digits int, limit float64) bool {
	abs, _ := round(x, shift, digits)
	v, _ := strconv.ParseFloat(abs, 64)
	return v < limit
}

// Bytes writes a number of bytes in the largest decimal unit of which there is at
// least one: 128 GB, 61,1 GB (Go in French).
func (p *Printer) Bytes(n float64) string {
	return p.scaled(n, []string{"B", "kB", "MB", "GB", "TB"})
}

// BytesPerS writes a bandwidth given in bytes per second: 273 GB/s.
func (p *Printer) BytesPerS(x float64) string {
	return p.scaled(x, []string{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"})
}

// Operations writes a compute rate given in floating-point operations per second:
// 125 TFLOP/s.
func (p *Printer) Operations(perS float64) string {
	return p.scaled(perS, []string{"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"})
}

// Params writes a number of parameters: 30,7 mld · 30.7B · 30,7 Md.
func (p *Printer) Params(n float64) string {
	names := []string{"unit", "thousand", "million", "billion", "trillion"}
	number, step := p.scale(n, len(names))
	return p.T("format.params."+names[step], "number", number)
}

// scaled writes x in one of units, each a thousand times the one before it.
func (p *Printer) scaled(x float64, units []string) string {
	number, step := p.scale(x, len(units))
	return p.withUnit(number, units[step])
}

// scale writes x in the largest of so many powers of a thousand of which there is
// at least one, and returns which. It has one decimal, unless that is zero.
func (p *Printer) scale(x float64, steps int) (number string, step int) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return p.Number(x, 0), 0
	}
	for step < steps-1 && !below(x, -3*step, 1, 1000) {
		step++
	}
	return p.signed(x, -3*step, decimals(x, -3*step, 1), ""), step
}

// Rate writes an arrival rate in requests per second, with as many decimals as it
// has, at most two. An infinite rate means that every request is sent at once.
func (p *Printer) Rate(perS float64) string {
	if math.IsInf(perS, 1) {
		return p.T("format.rate_unlimited")
	}
	if math.IsNaN(perS) {
		return p.Number(perS, 0)
	}
	return p.Quantity(perS, decimals(perS, 0, 2), "req/s")
}

// decimals returns how many decimals x·10^shift has when it is rounded to at most
// limit of them.
func decimals(x float64, shift, limit int) int {
	abs, _ := round(x, shift, limit)
	for limit > 0 && abs[len(abs)-1] == '0' {
		abs, limit = abs[:len(abs)-1], limit-1
	}
	return limit
}
