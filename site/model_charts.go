package site

import (
	"slices"

	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// testCharts are the charts of a test, none for a test without two points.
func (m modelWriter) testCharts(s *board.TestStatus) []render.Figure {
	switch {
	case isSweep(s):
		return m.sweepChart(s)
	case isOpen(s):
		return m.percentileChart(s)
	case len(distinct(s, promptOf)) > 1:
		return m.contextChart(s)
	case len(distinct(s, concurrencyOf)) > 1:
		return append(m.concurrencyCharts(s), m.turnChart(s)...)
	}
	return m.turnChart(s)
}

func promptOf(s *board.TestStatus, i int) int      { return s.Test.Cells[i].PromptTokens }
func concurrencyOf(s *board.TestStatus, i int) int { return s.Test.Cells[i].Concurrency }

// distinct lists the values of a parameter over a test's cells, ascending.
func distinct(s *board.TestStatus, of func(*board.TestStatus, int) int) []int {
	var out []int
	for i := range s.Test.Cells {
		out = append(out, of(s, i))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// concurrencyCharts show speed and waiting against concurrency.
func (m modelWriter) concurrencyCharts(s *board.TestStatus) []render.Figure {
	levels := distinct(s, concurrencyOf)
	user, all := metric.DecodeRequest, metric.Decode
	if !m.anyKnown(s, user) {
		user, all = metric.OutputRequest, metric.Output
	}
	speed := chart.Bar{
		Title:       m.T("model.chart.speed.title", "test", format.TestName(m.Printer, s.Slug)),
		Description: m.T("model.chart.speed.text"),
		X:           format.ConcurrencyAxis(m.Printer, levels),
		Y:           format.Axis(m.Printer, all),
		Series: []chart.Series{
			m.series(s, 0, all, "model.chart.speed.all", levels),
			m.series(s, 1, user, "model.chart.speed.user", levels),
		},
	}
	speed.Series = slices.DeleteFunc(speed.Series, empty)
	if len(speed.Series) == 0 {
		return nil
	}
	return []render.Figure{{Caption: m.T("model.chart.speed.caption"), Spec: speed}}
}

func empty(s chart.Series) bool {
	return !slices.ContainsFunc(s.Points, func(p chart.Point) bool { return p.Y != nil })
}

func (m modelWriter) anyKnown(s *board.TestStatus, key metric.Key) bool {
	for i := range s.Test.Cells {
		if board.CellValue(s.Test, i, key, board.Mean, nil).Known {
			return true
		}
	}
	return false
}

// series is one metric over the levels of concurrency.
func (m modelWriter) series(s *board.TestStatus, slot int, key metric.Key, label string, levels []int) chart.Series {
	out := chart.Series{Name: m.T(label), Slot: slot}
	for i := range s.Test.Cells {
		v := board.CellValue(s.Test, i, key, board.Mean, m.row.Findings)
		x := float64(slices.Index(levels, s.Test.Cells[i].Concurrency))
		out.Points = append(out.Points, format.ChartPoint(m.Printer, x, m.T("model.point.concurrency", "concurrency", s.Test.Cells[i].Concurrency), v))
	}
	return out
}

// contextChart shows the time to first token against the length of the prompt,
// a line per concurrency.
func (m modelWriter) contextChart(s *board.TestStatus) []render.Figure {
	line := chart.Line{
		Title:       m.T("model.chart.context.title", "test", format.TestName(m.Printer, s.Slug)),
		Description: m.T("model.chart.context.text"),
		X:           chart.Axis{Name: m.T("model.chart.prompt"), Format: format.Tick(m.Printer)},
		Y:           chart.Axis{Name: m.T("model.chart.ttft_seconds"), Format: format.Tick(m.Printer)},
	}
	for _, n := range distinct(s, promptOf) {
		line.X.Ticks = append(line.X.Ticks, float64(n))
	}
	for slot, level := range distinct(s, concurrencyOf) {
		series := chart.Series{Name: m.T("model.point.concurrency", "concurrency", level), Slot: slot}
		for i := range s.Test.Cells {
			if s.Test.Cells[i].Concurrency != level {
				continue
			}
			v := board.CellValue(s.Test, i, metric.TTFT, board.Mean, m.row.Findings)
			p := chart.Point{X: float64(s.Test.Cells[i].PromptTokens)}
			if v.Known {
				p.Y = new(v.Number / 1000)
				p.Label = format.PointLabel(m.Printer, format.Point(m.Printer, v.At.Point), m.Milliseconds(v.Number))
			}
			series.Points = append(series.Points, p)
		}
		line.Series = append(line.Series, series)
	}
	return []render.Figure{{Caption: m.T("model.chart.context.caption"), Spec: line}}
}

// percentileChart shows how the time to first token spreads over the requests.
func (m modelWriter) percentileChart(s *board.TestStatus) []render.Figure {
	stats := []board.Statistic{board.P50, board.P90, board.P95, board.P99}
	bar := chart.Bar{
		Title:       m.T("model.chart.percentiles.title", "test", format.TestName(m.Printer, s.Slug)),
		Description: m.T("model.chart.percentiles.text"),
		X:           chart.Axis{Name: m.T("model.chart.percentile"), Scale: chart.Category},
		Y:           chart.Axis{Name: m.T("model.chart.ttft_seconds"), Format: format.Tick(m.Printer)},
	}
	series := chart.Series{Name: m.T("metric.ttft_ms.short")}
	for i, st := range stats {
		v := board.CellValue(s.Test, 0, metric.TTFT, st, m.row.Findings)
		bar.X.Categories = append(bar.X.Categories, m.T("statistic."+string(st)+".name"))
		p := chart.Point{X: float64(i)}
		if v.Known {
			p.Y = new(v.Number / 1000)
			p.Name = m.Milliseconds(v.Number)
			p.Label = format.PointLabel(m.Printer, bar.X.Categories[i], p.Name)
		}
		series.Points = append(series.Points, p)
	}
	if empty(series) {
		return nil
	}
	bar.Series = []chart.Series{series}
	return []render.Figure{{Caption: m.T("model.chart.percentiles.caption"), Spec: bar}}
}

// sweepChart shows p95 and median time to first token against the arrival rate,
// with the limits of the contract.
func (m modelWriter) sweepChart(s *board.TestStatus) []render.Figure {
	line := chart.Line{
		Title:       m.T("model.chart.sweep.title"),
		Description: m.T("model.chart.sweep.text"),
		X:           chart.Axis{Name: m.T("model.chart.rate"), Format: format.Tick(m.Printer)},
		Y:           chart.Axis{Name: m.T("model.chart.ttft_seconds"), Scale: chart.Log, Format: format.Tick(m.Printer)},
	}
	for _, limit := range m.limits() {
		line.Limits = append(line.Limits, chart.Limit{Name: format.ExactMilliseconds(m.Printer, float64(limit)), Value: float64(limit) / 1000})
	}
	for slot, st := range []board.Statistic{board.P95, board.P50} {
		series := chart.Series{Name: m.T("statistic." + string(st) + ".name"), Slot: slot}
		for _, rung := range s.Rungs(m.row.Findings) {
			v := board.CellValue(s.Test, rung.Cell, metric.TTFT, st, m.row.Findings)
			p := chart.Point{X: rung.Rate}
			if v.Known && v.Number > 0 {
				p.Y = new(v.Number / 1000)
				p.Label = format.PointLabel(m.Printer, m.Rate(rung.Rate), m.Milliseconds(v.Number))
			}
			series.Points = append(series.Points, p)
			if slot == 0 {
				line.X.Ticks = append(line.X.Ticks, rung.Rate)
			}
		}
		line.Series = append(line.Series, series)
	}
	if empty(line.Series[0]) {
		return nil
	}
	return []render.Figure{{Caption: m.T("model.chart.sweep.caption"), Spec: line}}
}
