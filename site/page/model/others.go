package model

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// siblings compares the other configurations of the same model.
func (w writer) siblings() *render.Table {
	family, more := w.site.Family(w.conf)
	if len(family) < 2 {
		return nil
	}
	t := &render.Table{
		Caption: w.p.T("model.siblings.caption"),
		Head:    []render.Head{{Label: w.p.T("model.siblings.configuration")}, {Label: w.p.T("model.siblings.platform")}},
	}
	columns := []string{board.ColumnOneUser, board.ColumnManyUsers, board.ColumnTTFT, board.CapacityColumn(w.limit())}
	labels := []string{"board.column.one_user", "model.figure.throughput", "board.column.ttft", "board.column.capacity"}
	var shown []int
	for i, id := range columns {
		if v, ok := w.conf.Value(id); ok {
			shown = append(shown, i)
			t.Head = append(t.Head, render.Head{Label: w.p.T(labels[i]), Unit: w.p.Unit(string(v.Unit)), Numeric: true})
		}
	}
	for _, c := range family {
		row := []render.Cell{
			{Text: c.Title(), URL: c.Route().URL(w.p.Lang())},
			{Text: w.site.PlatformName(c.Key.Platform)},
		}
		switch {
		case c == w.conf:
			row[0].Mark = w.p.T("model.siblings.this")
		case c.Shown().Kind == bundle.Simulated:
			row[0].Mark = w.p.T("common.simulated")
		case c.Key == w.conf.Key:
			row[0].Mark = c.Shown().Credit
		}
		for _, i := range shown {
			v, ok := c.Value(columns[i])
			if !ok {
				v.Missing = verdict.NoContract
			}
			row = append(row, format.Cell(w.p, v))
		}
		t.Rows = append(t.Rows, row)
	}
	if more {
		last := make([]render.Cell, len(t.Head))
		last[0] = render.Cell{Text: w.p.T("model.siblings.all"), URL: page.RouteModels.URL(w.p.Lang())}
		t.Rows = append(t.Rows, last)
	}
	return t
}

// history lists the other runs of the same configuration.
func (w writer) history() *render.Table {
	if len(w.conf.Runs) < 2 {
		return nil
	}
	t := &render.Table{
		Caption: w.p.T("model.history.caption"),
		Head: []render.Head{
			{Label: w.p.T("board.column.date")},
			{Label: w.p.T("model.provenance.bundle")},
			{Label: w.p.T("model.history.standing")},
		},
	}
	for _, run := range w.conf.Runs {
		standing := w.p.T("model.history.current")
		if len(run.Reasons) > 0 {
			standing = format.Reason(w.p, run.Reasons[0])
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: format.Date(w.p, run.Measured)},
			{Text: run.ID[:12], URL: "/" + run.BundleFile()},
			{Text: standing},
		})
	}
	return t
}
