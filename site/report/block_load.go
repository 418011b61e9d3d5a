package report

import (
	"slices"

	"example.org/arena/content"
	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// endsBlock shows the lowest and the highest load.
func (w *writer) endsBlock(b content.ReportBlock) ([]render.Block, error) {
	levels, err := w.levels()
	if err != nil {
		return nil, err
	}
	rows := []struct {
		label string
		of    func(board.LoadPoint) *float64
		write func(float64) string
	}{
		{"metric.ttft_ms.short", func(p board.LoadPoint) *float64 { return p.TTFT.Mean }, w.p.Milliseconds},
		{"metric.itl_ms.short", func(p board.LoadPoint) *float64 { return p.ITL.Mean }, w.p.Milliseconds},
		{"metric.output_req_tok_per_s.short", func(p board.LoadPoint) *float64 { return p.Speed.Mean }, w.rate(1)},
		{"metric.e2e_ms.short", func(p board.LoadPoint) *float64 { return p.Latency.Mean }, w.seconds},
	}
	var out []render.Block
	for _, level := range []int{levels[0], levels[len(levels)-1]} {
		t := &render.Table{Caption: w.caption(b, "report.ends.caption", "concurrency", level), Head: w.columns(w.p.T("model.table.quantity"), render.Head{Numeric: true})}
		for _, r := range rows {
			row := []render.Cell{{Text: w.p.T(r.label)}}
			for _, d := range w.all {
				p := d.curve.Points[d.index(level)]
				row = append(row, number(w.p, board.MeanP90{Mean: r.of(p)}, r.write))
			}
			t.Rows = append(t.Rows, row)
		}
		out = append(out, render.Block{Table: t})
	}
	return out, nil
}

func (w *writer) ttftBlock(b content.ReportBlock) ([]render.Block, error) {
	slo, err := w.slo()
	if err != nil {
		return nil, err
	}
	y := format.Axis(w.p, metric.TTFT)
	y.Scale = chart.Log
	limit := chart.Limit{Name: format.ExactMilliseconds(w.p, slo.TTFTMS), Value: slo.TTFTMS}
	return w.loadChart(b, y, func(p board.LoadPoint) board.MeanP90 { return p.TTFT }, w.p.Milliseconds, limit)
}

func (w *writer) itlBlock(b content.ReportBlock) ([]render.Block, error) {
	return w.loadChart(b, format.Axis(w.p, metric.ITL), func(p board.LoadPoint) board.MeanP90 { return p.ITL }, w.p.Milliseconds)
}

func (w *writer) speedBlock(b content.ReportBlock) ([]render.Block, error) {
	slo, err := w.slo()
	if err != nil {
		return nil, err
	}
	limit := chart.Limit{Name: w.rate(0)(slo.Speed), Value: slo.Speed}
	return w.loadChart(b, format.Axis(w.p, metric.OutputRequest), func(p board.LoadPoint) board.MeanP90 { return p.Speed }, w.rate(1), limit)
}

func (w *writer) latencyBlock(b content.ReportBlock) ([]render.Block, error) {
	y := chart.Axis{Name: w.p.T("report.latency.axis"), Format: format.Tick(w.p)}
	return w.loadChart(b, y, func(p board.LoadPoint) board.MeanP90 { return p.Latency }, w.seconds)
}

// loadChart draws one quantity of all deployments against concurrency, with P90
// as the end of a whisker.
func (w *writer) loadChart(b content.ReportBlock, y chart.Axis, of func(board.LoadPoint) board.MeanP90, write func(float64) string, limits ...chart.Limit) ([]render.Block, error) {
	levels, err := w.levels()
	if err != nil {
		return nil, err
	}
	line := chart.Line{
		Title: w.p.T("report." + key(b.Kind) + ".chart"), Description: w.p.T("report." + key(b.Kind) + ".chart_text"),
		X: format.ConcurrencyAxis(w.p, levels), Y: y, Limits: limits,
	}
	line.Series = series(w, levels, func(d *deployment, x, level int) chart.Point {
		return w.loadPoint(x, level, of(d.curve.Points[d.index(level)]), write)
	})
	t := &render.Table{
		Caption: w.caption(b, "report."+key(b.Kind)+".caption"),
		Head:    w.columns(w.p.T("model.chart.concurrency"), render.Head{Unit: w.p.T("report.mean_p90_unit"), Numeric: true}),
	}
	for _, level := range levels {
		row := []render.Cell{{Text: w.p.Integer(int64(level))}}
		for _, d := range w.all {
			row = append(row, number(w.p, of(d.curve.Points[d.index(level)]), write))
		}
		t.Rows = append(t.Rows, row)
	}
	return []render.Block{chartBlock(b, line.Description, line, t)}, nil
}

func (w *writer) loadPoint(x, level int, t board.MeanP90, write func(float64) string) chart.Point {
	point := chart.Point{X: float64(x), Y: t.Mean}
	if t.Mean == nil {
		return point
	}
	value := write(*t.Mean)
	if t.P90 != nil {
		value = w.p.T("report.mean_p90", "mean", value, "p90", write(*t.P90))
		point.Lo, point.Hi = new(min(*t.Mean, *t.P90)), new(max(*t.Mean, *t.P90))
	}
	point.Label = format.PointLabel(w.p, w.p.T("model.point.concurrency", "concurrency", level), value)
	return point
}

// rateBlock sets the printed request rate beside that of the whole system.
func (w *writer) rateBlock(b content.ReportBlock) ([]render.Block, error) {
	levels, err := w.levels()
	if err != nil {
		return nil, err
	}
	write := func(x float64) string { return w.p.Number(x, 2) }
	t := w.matrix(w.caption(b, "report.rate.caption"), "", levels, func(d *deployment, level int) render.Cell {
		r := d.curve.Rates()[d.index(level)]
		c := number(w.p, board.MeanP90{Mean: r.Printed}, write)
		if r.System != nil {
			c.Spread = w.p.T("report.slash", "value", w.p.Number(*r.System, 1))
		}
		return c
	})
	return []render.Block{{Table: t}}, nil
}

// aggregateBlock shows the output of the whole machine, as the source computes
// it and as it follows from the latency.
func (w *writer) aggregateBlock(b content.ReportBlock) ([]render.Block, error) {
	levels, err := w.levels()
	if err != nil {
		return nil, err
	}
	slo, err := w.slo()
	if err != nil {
		return nil, err
	}
	line := chart.Line{
		Title: w.p.T("report.aggregate.chart"), Description: w.p.T("report.aggregate.chart_text"),
		X: format.ConcurrencyAxis(w.p, levels), Y: format.Axis(w.p, metric.Output),
	}
	line.Series = series(w, levels, func(d *deployment, x, level int) chart.Point {
		p := chart.Point{X: float64(x), Y: d.curve.Aggregates(slo)[d.index(level)].Actual}
		if p.Y != nil {
			p.Label = w.rate(0)(*p.Y)
		}
		return p
	})
	write := func(x float64) string { return w.p.Number(x, 0) }
	t := w.matrix(w.caption(b, "report.aggregate.table"), "", levels, func(d *deployment, level int) render.Cell {
		a := d.curve.Aggregates(slo)[d.index(level)]
		c := number(w.p, board.MeanP90{Mean: a.SpeedTimesC}, write)
		if a.Actual != nil {
			c.Spread = w.p.T("report.slash", "value", write(*a.Actual))
		}
		return c
	})
	return []render.Block{chartBlock(b, line.Description, line, nil), {Table: t}}, nil
}

// speedUpBlock shows what the variant of each pair gains against concurrency.
func (w *writer) speedUpBlock(b content.ReportBlock) ([]render.Block, error) {
	levels, err := w.levels()
	if err != nil {
		return nil, err
	}
	line := chart.Line{
		Title: w.p.T("report.speedup.chart"), Description: w.p.T("report.speedup.chart_text"),
		X: format.ConcurrencyAxis(w.p, levels), Y: chart.Axis{Name: w.p.T("report.speedup.axis"), Format: format.Tick(w.p)},
		Limits: []chart.Limit{{Name: w.p.T("report.speedup.even"), Value: 1}},
	}
	t := &render.Table{Caption: w.caption(b, "report.speedup.caption"), Head: []render.Head{{Label: w.p.T("model.chart.concurrency")}}}
	t.Rows = make([][]render.Cell, len(levels))
	for i, l := range levels {
		t.Rows[i] = []render.Cell{{Text: w.p.Integer(int64(l))}}
	}
	for _, p := range w.pairs() {
		// The colour is that of the variant on every other chart.
		s := chart.Series{Name: p.name, Slot: p.variant.slot}
		t.Head = append(t.Head, render.Head{Label: p.name, Numeric: true})
		for _, x := range board.SpeedUps(p.base.curve, p.variant.curve) {
			at := slices.Index(levels, x.Concurrency)
			if at < 0 {
				continue
			}
			text := w.p.Multiple(x.Ratio, ratioDigits)
			s.Points = append(s.Points, chart.Point{X: float64(at), Y: new(x.Ratio), Label: text})
			t.Rows[at] = append(t.Rows[at], render.Cell{Text: text, Class: "n"})
		}
		line.Series = append(line.Series, s)
	}
	return []render.Block{chartBlock(b, line.Description, line, nil), {Table: t}}, nil
}

// consistencyBlock compares what TTFT and ITL add up to with the latency at the
// highest load.
func (w *writer) consistencyBlock(b content.ReportBlock) ([]render.Block, error) {
	levels, err := w.levels()
	if err != nil {
		return nil, err
	}
	slo, err := w.slo()
	if err != nil {
		return nil, err
	}
	top := levels[len(levels)-1]
	t := &render.Table{
		Caption: w.caption(b, "report.consistency.caption", "concurrency", top),
		Head: []render.Head{
			{Label: w.p.T("report.sources.configuration")},
			{Label: w.p.T("report.consistency.sum"), Numeric: true},
			{Label: w.p.T("metric.e2e_ms.short"), Numeric: true},
			{Label: w.p.T("report.consistency.ratio"), Numeric: true},
		},
	}
	ratio := func(r float64) string { return w.p.Multiple(r, ratioDigits) }
	for _, d := range w.all {
		x := d.curve.Consistencies(slo)[d.index(top)]
		t.Rows = append(t.Rows, []render.Cell{
			{Text: d.name},
			number(w.p, board.MeanP90{Mean: x.SumMS}, w.p.Milliseconds),
			number(w.p, board.MeanP90{Mean: x.LatencyMS}, w.p.Milliseconds),
			number(w.p, board.MeanP90{Mean: x.Ratio}, ratio),
		})
	}
	return []render.Block{{Table: t}}, nil
}
