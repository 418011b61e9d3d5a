package report

import (
	"example.org/arena/content"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// sloBlock is the matrix of limits as sources print it: P90 of both quantities.
func (w *writer) sloBlock(b content.ReportBlock) ([]render.Block, error) {
	return w.sloMatrix(b, func(c board.Compliance) (ttft, speed *bool) { return c.TTFTP90, c.SpeedP90 })
}

// sloSlowBlock is the matrix with the speed that nine of ten requests reach.
func (w *writer) sloSlowBlock(b content.ReportBlock) ([]render.Block, error) {
	return w.sloMatrix(b, func(c board.Compliance) (ttft, speed *bool) { return c.TTFTP90, c.SpeedSlow })
}

func (w *writer) sloMatrix(b content.ReportBlock, of func(board.Compliance) (ttft, speed *bool)) ([]render.Block, error) {
	levels, err := w.levels()
	if err != nil {
		return nil, err
	}
	slo, err := w.slo()
	if err != nil {
		return nil, err
	}
	at := func(d *deployment, level int) (ttft, speed *bool) {
		return of(d.curve.Compliances(slo)[d.index(level)])
	}
	h := chart.Heatmap{
		Title: w.p.T("report." + key(b.Kind) + ".chart"), Description: w.p.T("report." + key(b.Kind) + ".chart_text"),
		RowName: w.p.T("report.sources.configuration"), ColumnName: w.p.T("model.chart.concurrency"),
		Columns: format.ConcurrencyAxis(w.p, levels).Categories,
		States: map[chart.State]string{
			chart.Met: w.p.T("report.slo.met_both"), chart.Near: w.p.T("report.slo.met_one"), chart.Missed: w.p.T("report.slo.met_neither"),
		},
	}
	for _, d := range w.all {
		h.Rows = append(h.Rows, d.name)
		var row []chart.Cell
		for _, level := range levels {
			ttft, speed := at(d, level)
			row = append(row, chart.Cell{
				State: sloState(ttft, speed), Text: w.mark(ttft) + w.mark(speed),
				Label: w.p.T("report.slo.label", "ttft", w.mark(ttft), "speed", w.mark(speed)),
			})
		}
		h.Cells = append(h.Cells, row)
	}
	h.States = occurring(h)
	caption := w.caption(b, "report."+key(b.Kind)+".caption")
	t := w.matrix(caption, "slo", levels, func(d *deployment, level int) render.Cell {
		ttft, speed := at(d, level)
		return render.Cell{Text: w.mark(ttft) + w.mark(speed), Class: "n"}
	})
	return []render.Block{chartBlock(b, caption, h, t)}, nil
}

// mark writes whether a limit is met.
func (w *writer) mark(ok *bool) string {
	switch {
	case ok == nil:
		return w.p.T("report.slo.unknown")
	case *ok:
		return w.p.T("report.slo.met")
	}
	return w.p.T("report.slo.missed")
}

func sloState(ttft, speed *bool) chart.State {
	switch {
	case ttft == nil || speed == nil:
		return chart.Unmeasured
	case *ttft && *speed:
		return chart.Met
	case *ttft || *speed:
		return chart.Near
	}
	return chart.Missed
}

// occurring keeps the names of the states that a matrix shows.
func occurring(h chart.Heatmap) map[chart.State]string {
	out := map[chart.State]string{}
	for _, row := range h.Cells {
		for _, c := range row {
			out[c.State] = h.States[c.State]
		}
	}
	return out
}

// usersBlock shows how many users each deployment carries, on each basis.
func (w *writer) usersBlock(b content.ReportBlock) ([]render.Block, error) {
	slo, err := w.slo()
	if err != nil {
		return nil, err
	}
	t := &render.Table{
		Caption: w.caption(b, "report.users.caption", "think", format.ExactMilliseconds(w.p, slo.ThinkS*1000)),
		Head:    []render.Head{{Label: w.p.T("report.sources.configuration")}},
	}
	bar := chart.Bar{
		Title: w.p.T("report.users.chart"), Description: w.p.T("report.users.chart_text"),
		X: chart.Axis{Name: w.p.T("report.sources.configuration"), Scale: chart.Category},
		Y: chart.Axis{Name: w.p.T("report.users.axis"), Format: format.Tick(w.p)},
	}
	for slot, basis := range bases {
		name := w.p.T("report.users.basis." + string(basis))
		t.Head = append(t.Head, render.Head{Label: name, Numeric: true})
		bar.Series = append(bar.Series, chart.Series{Name: name, Slot: slot})
	}
	for i, d := range w.all {
		bar.X.Categories = append(bar.X.Categories, d.name)
		row := []render.Cell{{Text: d.name}}
		for j, basis := range bases {
			u := d.curve.UsersOf(basis, slo)
			p := chart.Point{X: float64(i)}
			cell := render.Cell{Text: w.p.T("report.users.none"), Class: "n none"}
			if u.Known {
				p.Y = new(u.Users)
				p.Label = w.p.N("report.users.label", int(u.Users+0.5), "concurrency", u.Concurrency)
				cell = render.Cell{Text: w.p.Number(u.Users, 0), Class: "n", Spread: w.p.T("report.users.at", "concurrency", u.Concurrency)}
			}
			bar.Series[j].Points = append(bar.Series[j].Points, p)
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return []render.Block{{Table: t}, chartBlock(b, bar.Description, bar, nil)}, nil
}
