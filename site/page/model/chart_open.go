package model

import (
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// percentileChart shows how the time to first token spreads over the requests.
func (w writer) percentileChart(s *verdict.Test) []render.Figure {
	stats := []verdict.Statistic{verdict.P50, verdict.P90, verdict.P95, verdict.P99}
	bar := chart.Bar{
		Title:       w.p.T("model.chart.percentiles.title", "test", format.TestName(w.p, s.Slug)),
		Description: w.p.T("model.chart.percentiles.text"),
		X:           chart.Axis{Name: w.p.T("model.chart.percentile"), Scale: chart.Category},
		Y:           chart.Axis{Name: w.p.T("model.chart.ttft_seconds"), Format: format.Tick(w.p)},
	}
	series := chart.Series{Name: w.p.T("metric.ttft_ms.short")}
	for i, st := range stats {
		v := s.Value(0, metric.TTFT, st)
		bar.X.Categories = append(bar.X.Categories, w.p.T("statistic."+string(st)+".name"))
		p := chart.Point{X: float64(i)}
		if v.Known {
			p.Y = new(v.Number / 1000)
			p.Name = w.p.Milliseconds(v.Number)
			p.Label = format.PointLabel(w.p, bar.X.Categories[i], p.Name)
		}
		series.Points = append(series.Points, p)
	}
	if empty(series) {
		return nil
	}
	bar.Series = []chart.Series{series}
	return []render.Figure{{Caption: w.p.T("model.chart.percentiles.caption"), Spec: bar}}
}

// sweepChart shows p95 and median time to first token against the arrival rate,
// with the limits of the contract.
func (w writer) sweepChart(s *verdict.Test) []render.Figure {
	line := chart.Line{
		Title:       w.p.T("model.chart.sweep.title"),
		Description: w.p.T("model.chart.sweep.text"),
		X:           chart.Axis{Name: w.p.T("model.chart.rate"), Format: format.Tick(w.p)},
		Y:           chart.Axis{Name: w.p.T("model.chart.ttft_seconds"), Scale: chart.Log, Format: format.Tick(w.p)},
	}
	for _, limit := range w.conf.Limits() {
		line.Limits = append(line.Limits, chart.Limit{Name: format.ExactMilliseconds(w.p, float64(limit)), Value: float64(limit) / 1000})
	}
	for slot, st := range []verdict.Statistic{verdict.P95, verdict.P50} {
		series := chart.Series{Name: w.p.T("statistic." + string(st) + ".name"), Slot: slot}
		for _, rung := range s.Rungs() {
			v := s.Value(rung.Cell, metric.TTFT, st)
			p := chart.Point{X: rung.Rate}
			if v.Known && v.Number > 0 {
				p.Y = new(v.Number / 1000)
				p.Label = format.PointLabel(w.p, w.p.Rate(rung.Rate), w.p.Milliseconds(v.Number))
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
	return []render.Figure{{Caption: w.p.T("model.chart.sweep.caption"), Spec: line}}
}
