package report

import (
	"example.org/arena/content"
	"example.org/arena/results/audit"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// sweepBlock shows what a rising arrival rate does to the wait for the first token
// and to the speed of one request, and whether the servers kept up with it.
func (w *writer) sweepBlock(b content.ReportBlock) ([]render.Block, error) {
	rates, err := common(w, b, "has no arrival rate", func(at audit.Point) float64 { return at.RequestRate })
	if err != nil {
		return nil, err
	}
	wait := chart.Line{
		Title: w.p.T("report.sweep.wait"), Description: w.p.T("report.sweep.wait_text"),
		X: w.rateAxis(rates), Y: chart.Axis{Name: w.p.T("model.chart.ttft_seconds"), Scale: chart.Log, Format: format.Tick(w.p)},
	}
	speed := chart.Line{
		Title: w.p.T("report.sweep.speed"), Description: w.p.T("report.sweep.speed_text"),
		X: w.rateAxis(rates), Y: format.Axis(w.p, metric.DecodeRequest),
	}
	waits := w.comparison(w.p.T("report.sweep.wait"), w.p.T("model.chart.rate"))
	speeds := w.comparison(w.p.T("report.sweep.speed"), w.p.T("model.chart.rate"))
	for _, rate := range rates {
		w.addRate(waits, b.Test, rate, metric.TTFT, verdict.P95)
		w.addRate(speeds, b.Test, rate, metric.DecodeRequest, verdict.P50)
	}
	wait.Series = series(w, rates, func(d *deployment, _ int, rate float64) chart.Point {
		return w.secondsPoint(rate, w.p.Rate(rate), valueAt(b.Test, audit.Point{RequestRate: rate}, metric.TTFT, verdict.P95)(d))
	})
	speed.Series = series(w, rates, func(d *deployment, _ int, rate float64) chart.Point {
		return format.ChartPoint(w.p, rate, w.p.Rate(rate), valueAt(b.Test, audit.Point{RequestRate: rate}, metric.DecodeRequest, verdict.P50)(d))
	})
	charts := chartBlock(b, wait.Description, wait, waits)
	charts.Figures[0].ID += "-wait"
	charts.Figures = append(charts.Figures, render.Figure{ID: "chart-" + b.Name + "-speed", Caption: speed.Description, Spec: speed, Table: speeds})
	return []render.Block{charts, {Table: w.backlog(b, rates)}}, nil
}

func (w *writer) rateAxis(rates []float64) chart.Axis {
	return chart.Axis{Name: w.p.T("model.chart.rate"), Format: format.Tick(w.p), Ticks: rates}
}

// addRate adds a row with a value at an arrival rate.
func (w *writer) addRate(t *render.Table, slug string, rate float64, key metric.Key, stat verdict.Statistic) {
	quantity := format.Head(w.p, key, stat).Label
	w.compare(t, w.p.Rate(rate), quantity, valueAt(slug, audit.Point{RequestRate: rate}, key, stat))
}

// backlog sets the time in which requests arrived beside the time that one took,
// and the most that were in flight beside how many there were. A server that kept
// up has few of all requests in flight, and answers one in a small part of the
// time in which all arrived.
func (w *writer) backlog(b content.ReportBlock, rates []float64) *render.Table {
	t := &render.Table{
		Caption: w.caption(b, "report.sweep.caption"),
		Head: []render.Head{
			{Label: w.p.T("model.chart.rate")},
			{Label: w.p.T("report.sources.configuration")},
			{Label: w.p.T("report.sweep.arrivals"), Numeric: true},
			{Label: w.p.T("report.sweep.duration"), Numeric: true},
			{Label: w.p.T("report.sweep.in_flight"), Numeric: true},
		},
	}
	for _, rate := range rates {
		for _, d := range w.all {
			at := audit.Point{RequestRate: rate}
			row := []render.Cell{{Text: w.p.Rate(rate)}, {Text: d.name}, format.Unknown(w.p), w.valueCell(valueAt(b.Test, at, metric.E2E, verdict.Mean)(d)), format.Unknown(w.p)}
			if s, i, err := d.cell(b.Test, at); err == nil {
				c := &s.Test.Cells[i]
				if seconds, ok := arrivals(c); ok {
					row[2] = render.Cell{Text: w.p.Seconds(seconds), Class: "n"}
				}
				_, total, known := c.Requests.Ended(0)
				if peak := s.Value(i, metric.PeakConcurrency, verdict.Single); peak.Known && known {
					row[4] = render.Cell{Text: w.p.T("report.sweep.of", "peak", int(peak.Number), "requests", total), Class: "n"}
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
