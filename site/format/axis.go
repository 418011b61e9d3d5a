package format

import (
	"example.org/arena/i18n"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/chart"
)

// Axis is a value axis for a metric, named with its unit.
func Axis(p *i18n.Printer, key metric.Key) chart.Axis {
	d, _ := metric.Lookup(key)
	name := p.T("model.chart.axis", "metric", p.T("metric."+string(key)+".short"), "unit", p.Unit(string(d.Unit)))
	return chart.Axis{Name: name, Format: Tick(p)}
}

// ConcurrencyAxis is an axis of levels of concurrency, evenly spaced.
func ConcurrencyAxis(p *i18n.Printer, levels []int) chart.Axis {
	a := chart.Axis{Name: p.T("model.chart.concurrency"), Scale: chart.Category}
	for _, l := range levels {
		a.Categories = append(a.Categories, p.Integer(int64(l)))
	}
	return a
}

// Tick writes the labels of an axis.
func Tick(p *i18n.Printer) func(float64) string {
	return func(x float64) string { return ExactNumber(p, x) }
}

// ChartPoint is a value with its spread over repetitions and its tooltip, which
// begins by saying where the point stands.
func ChartPoint(p *i18n.Printer, x float64, where string, v verdict.Value) chart.Point {
	if !v.Known {
		return chart.Point{X: x}
	}
	out := chart.Point{X: x, Y: new(v.Number)}
	text := Quantity(p, v)
	if s := v.Spread; s != nil && s.Of == verdict.Repetitions {
		out.Lo, out.Hi = new(max(0, v.Number-s.Number)), new(v.Number+s.Number)
		text += " " + Spread(p, v)
	}
	out.Label = PointLabel(p, where, text)
	return out
}

// PointLabel is the tooltip of a point: where it stands and its value.
func PointLabel(p *i18n.Printer, where, value string) string {
	return p.T("model.chart.point", "where", where, "value", value)
}
