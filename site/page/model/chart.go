package model

import (
	"slices"

	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// testCharts are the charts of a test, none for a test without two points.
func (w writer) testCharts(s *verdict.Test) []render.Figure {
	switch {
	case isSweep(s):
		return w.sweepChart(s)
	case isOpen(s):
		return w.percentileChart(s)
	case len(distinct(s, promptOf)) > 1:
		return w.contextChart(s)
	case len(distinct(s, concurrencyOf)) > 1:
		return append(w.concurrencyCharts(s), w.turnChart(s)...)
	}
	return w.turnChart(s)
}

func promptOf(s *verdict.Test, i int) int { return s.Test.Cells[i].PromptTokens }

func concurrencyOf(s *verdict.Test, i int) int { return s.Test.Cells[i].Concurrency }

// distinct lists the values of a parameter over a test's cells, ascending.
func distinct(s *verdict.Test, of func(*verdict.Test, int) int) []int {
	var out []int
	for i := range s.Test.Cells {
		out = append(out, of(s, i))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func empty(s chart.Series) bool {
	return !slices.ContainsFunc(s.Points, func(p chart.Point) bool { return p.Y != nil })
}

// concurrencyCharts show speed and waiting against concurrency.
func (w writer) concurrencyCharts(s *verdict.Test) []render.Figure {
	levels := distinct(s, concurrencyOf)
	user, all := metric.DecodeRequest, metric.Decode
	if !w.anyKnown(s, user) {
		user, all = metric.OutputRequest, metric.Output
	}
	speed := chart.Bar{
		Title:       w.p.T("model.chart.speed.title", "test", format.TestName(w.p, s.Slug)),
		Description: w.p.T("model.chart.speed.text"),
		X:           format.ConcurrencyAxis(w.p, levels),
		Y:           format.Axis(w.p, all),
		Series: []chart.Series{
			w.series(s, 0, all, "model.chart.speed.all", levels),
			w.series(s, 1, user, "model.chart.speed.user", levels),
		},
	}
	speed.Series = slices.DeleteFunc(speed.Series, empty)
	if len(speed.Series) == 0 {
		return nil
	}
	return []render.Figure{{Caption: w.p.T("model.chart.speed.caption"), Spec: speed}}
}

func (w writer) anyKnown(s *verdict.Test, key metric.Key) bool {
	for i := range s.Test.Cells {
		if s.Value(i, key, verdict.Mean).Known {
			return true
		}
	}
	return false
}

// series is one metric over the levels of concurrency.
func (w writer) series(s *verdict.Test, slot int, key metric.Key, label string, levels []int) chart.Series {
	out := chart.Series{Name: w.p.T(label), Slot: slot}
	for i := range s.Test.Cells {
		v := s.Value(i, key, verdict.Mean)
		x := float64(slices.Index(levels, s.Test.Cells[i].Concurrency))
		out.Points = append(out.Points, format.ChartPoint(w.p, x, w.p.T("model.point.concurrency", "concurrency", s.Test.Cells[i].Concurrency), v))
	}
	return out
}

// contextChart shows the time to first token against the length of the prompt,
// a line per concurrency.
func (w writer) contextChart(s *verdict.Test) []render.Figure {
	line := chart.Line{
		Title:       w.p.T("model.chart.context.title", "test", format.TestName(w.p, s.Slug)),
		Description: w.p.T("model.chart.context.text"),
		X:           chart.Axis{Name: w.p.T("model.chart.prompt"), Format: format.Tick(w.p)},
		Y:           chart.Axis{Name: w.p.T("model.chart.ttft_seconds"), Format: format.Tick(w.p)},
	}
	for _, n := range distinct(s, promptOf) {
		line.X.Ticks = append(line.X.Ticks, float64(n))
	}
	for slot, level := range distinct(s, concurrencyOf) {
		series := chart.Series{Name: w.p.T("model.point.concurrency", "concurrency", level), Slot: slot}
		for i := range s.Test.Cells {
			if s.Test.Cells[i].Concurrency != level {
				continue
			}
			v := s.Value(i, metric.TTFT, verdict.Mean)
			p := chart.Point{X: float64(s.Test.Cells[i].PromptTokens)}
			if v.Known {
				p.Y = new(v.Number / 1000)
				p.Label = format.PointLabel(w.p, format.Point(w.p, v.At.Point), w.p.Milliseconds(v.Number))
			}
			series.Points = append(series.Points, p)
		}
		line.Series = append(line.Series, series)
	}
	return []render.Figure{{Caption: w.p.T("model.chart.context.caption"), Spec: line}}
}

// turnChart shows the time to first token against the turn of a conversation, a
// line per concurrency.
func (w writer) turnChart(s *verdict.Test) []render.Figure {
	all, most := w.byTurn(s)
	if most < 2 {
		return nil
	}
	line := chart.Line{
		Title:       w.p.T("model.chart.turn.title", "test", format.TestName(w.p, s.Slug)),
		Description: w.p.T("model.chart.turn.text"),
		X:           chart.Axis{Name: w.p.T("model.chart.turn_axis"), Format: format.Tick(w.p)},
		Y:           chart.Axis{Name: w.p.T("model.chart.ttft_seconds"), Format: format.Tick(w.p)},
	}
	for n := range most {
		line.X.Ticks = append(line.X.Ticks, float64(n+1))
	}
	for i, turns := range all {
		where := w.p.T("model.point.concurrency", "concurrency", s.Test.Cells[i].Concurrency)
		series := chart.Series{Name: where, Slot: i}
		for n, turn := range turns {
			p := chart.Point{X: float64(n + 1)}
			if turn.Median != nil {
				p.Y = new(*turn.Median / 1000)
				p.Label = format.PointLabel(w.p, where+", "+w.p.T("model.turn.number", "number", n+1), w.p.Milliseconds(*turn.Median))
			}
			series.Points = append(series.Points, p)
		}
		if !empty(series) {
			line.Series = append(line.Series, series)
		}
	}
	if len(line.Series) == 0 {
		return nil
	}
	return []render.Figure{{Caption: w.p.T("model.chart.turn.caption"), Spec: line}}
}
