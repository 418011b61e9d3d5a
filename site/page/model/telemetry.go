package model

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/stat"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// telemetry summarises what the GPU reported during each test.
func (w writer) telemetry() *render.Table {
	columns := []struct {
		label, unit string
		of          func(*bundle.Telemetry) []*float64
		most        bool // the largest sample instead of the mean
	}{
		{"model.telemetry.power", "W", func(t *bundle.Telemetry) []*float64 { return t.PowerW }, false},
		{"model.telemetry.temperature", "°C", func(t *bundle.Telemetry) []*float64 { return t.TemperatureC }, true},
		{"model.telemetry.clock", "MHz", func(t *bundle.Telemetry) []*float64 { return t.ClockMHz }, false},
	}
	t := &render.Table{Caption: w.p.T("model.telemetry.caption"), Head: []render.Head{{Label: w.p.T("model.telemetry.test")}, {Label: w.p.T("model.telemetry.samples"), Numeric: true}}}
	for _, c := range columns {
		t.Head = append(t.Head, render.Head{Label: w.p.T(c.label), Unit: w.p.Unit(c.unit), Numeric: true})
	}
	for _, s := range w.run.Tests {
		if s.Test == nil || s.Test.Telemetry == nil {
			continue
		}
		row := []render.Cell{{Text: format.TestName(w.p, s.Slug), URL: "#test-" + s.Slug}, {Text: w.p.Integer(int64(len(s.Test.Telemetry.OffsetS))), Class: "n"}}
		for _, c := range columns {
			row = append(row, w.sample(c.of(s.Test.Telemetry), c.most))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// sample writes the mean or the largest of a column's samples.
func (w writer) sample(column []*float64, most bool) render.Cell {
	var samples []float64
	for _, x := range column {
		if x != nil {
			samples = append(samples, *x)
		}
	}
	if len(samples) == 0 {
		return format.Unknown(w.p)
	}
	s := stat.Summarize(samples)
	x := s.Mean
	if most {
		x = s.Max
	}
	if x == nil {
		return format.Unknown(w.p)
	}
	return render.Cell{Text: w.p.Number(*x, 0), Class: "n"}
}
