package format

import (
	"strconv"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/facts"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/render"
)

// Number writes a known value in its unit's digits, without the unit.
func Number(p *i18n.Printer, v verdict.Value) string {
	m, ok := metric.Lookup(v.Metric)
	if !ok {
		m.Digits = 1
	}
	text := p.Value(v.Number, m.Digits, string(v.Unit))
	switch {
	case v.Bound == verdict.AtLeast:
		return p.T("value.at_least", "number", text)
	case v.Approximate:
		return p.T("value.approximate", "number", text)
	}
	return text
}

// Quantity writes a known value with its unit.
func Quantity(p *i18n.Printer, v verdict.Value) string {
	m, _ := metric.Lookup(v.Metric)
	var text string
	switch v.Unit {
	case metric.Millisecond:
		text = p.Milliseconds(v.Number)
	case metric.Second:
		text = p.Milliseconds(1000 * v.Number)
	default:
		text = p.Quantity(v.Number, m.Digits, string(v.Unit))
	}
	if v.Bound == verdict.AtLeast {
		return p.T("value.at_least", "number", text)
	}
	return text
}

// Spread writes the standard deviation of a value, empty when none is known.
func Spread(p *i18n.Printer, v verdict.Value) string {
	if !v.Known || v.Spread == nil {
		return ""
	}
	m, _ := metric.Lookup(v.Metric)
	return p.T("value.spread", "std", p.Value(v.Spread.Number, m.Digits, string(v.Unit)))
}

// Cell writes a value as a field of a table: the number, or why there is none.
func Cell(p *i18n.Printer, v verdict.Value) render.Cell {
	if !v.Known {
		return render.Cell{Text: Missing(p, v), Class: "n none"}
	}
	c := render.Cell{Text: Number(p, v), Spread: Spread(p, v), Class: "n"}
	if len(v.Excluded) > 0 {
		c.Mark = p.T("value.not_ranked")
	}
	return c
}

// Unknown is the field of a number that is not known.
func Unknown(p *i18n.Printer) render.Cell {
	return render.Cell{Text: NotReported(p), Class: "n none"}
}

// NotReported is what stands for something that nobody stated.
func NotReported(p *i18n.Printer) string { return p.T("missing.not_reported.short") }

// Missing says in a word or two why a value is unknown.
func Missing(p *i18n.Printer, v verdict.Value) string {
	return p.T("missing." + string(v.Missing) + ".short")
}

// WhyMissing says in a sentence why a value is unknown.
func WhyMissing(p *i18n.Printer, v verdict.Value) string {
	return p.T("missing." + string(v.Missing) + ".text")
}

// Why explains an unknown or excluded value in a sentence; empty for any other.
func Why(p *i18n.Printer, v verdict.Value) string {
	if !v.Known {
		return WhyMissing(p, v)
	}
	if len(v.Excluded) > 0 {
		return Reason(p, v.Excluded[0])
	}
	return ""
}

// ExactNumber writes a number with as many decimals as it has.
func ExactNumber(p *i18n.Printer, x float64) string {
	_, decimals, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	return p.Number(x, len(decimals))
}

// ExactMilliseconds writes a time, such as a limit, with no more digits than it
// has: 5 s, 2.5 s, 800 ms.
func ExactMilliseconds(p *i18n.Printer, ms float64) string {
	if ms < 1000 {
		return p.Quantity(ms, 0, string(metric.Millisecond))
	}
	return p.T("format.quantity", "number", ExactNumber(p, ms/1000), "unit", p.Unit(string(metric.Second)))
}

// Quality writes the figure of a quality benchmark, which must be known.
func Quality(p *i18n.Printer, q facts.Quality) string {
	return p.Percent(*q.Value/100, q.Digits)
}

// Precision writes a precision as its publishers do: "NVFP4".
func Precision(precision string) string { return strings.ToUpper(precision) }
