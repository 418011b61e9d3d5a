package model

import (
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// tables makes the tables of a test.
func (w writer) tables(s *verdict.Test) []*render.Table {
	switch {
	case isOpen(s) && len(s.Test.Cells) == 1 && !isSweep(s):
		return w.openTables(s)
	case isOpen(s):
		tables := []*render.Table{w.cellTable(s, sweepColumns)}
		if len(w.conf.Limits()) > 0 {
			tables = append(tables, w.capacityTable(s))
		}
		return tables
	}
	if w.computed(s.Slug) {
		tables := []*render.Table{w.cellTable(s, ownColumns)}
		for _, t := range []*render.Table{w.turns(s), w.repetitions(s)} {
			if t != nil {
				tables = append(tables, t)
			}
		}
		return tables
	}
	return []*render.Table{w.cellTable(s, closedColumns)}
}

// computed reports whether the figures of a test follow from requests that its bundle
// records.
func (w writer) computed(slug string) bool {
	t := w.run.Source.Test(slug)
	if t == nil {
		return false
	}
	_, ok := stat.Recorded(t)
	return ok
}

// isOpen reports whether requests of a test arrived at a rate. The contract states it;
// of a test that no contract knows the first cell does.
func isOpen(s *verdict.Test) bool {
	if s.Spec != nil {
		return s.Spec.Open()
	}
	return s.Test.Cells[0].RequestRate != nil
}

// isSweep reports whether a test goes through several rates.
func isSweep(s *verdict.Test) bool {
	return s.Spec != nil && s.Spec.Sweeps()
}

// A tableColumn is a column of a test's table.
type tableColumn struct {
	key  metric.Key
	stat verdict.Statistic
}

// closedColumns are the columns of a closed loop, in order.
var closedColumns = []tableColumn{
	{metric.DecodeRequest, verdict.Mean},
	{metric.Decode, verdict.Mean},
	{metric.OutputRequest, verdict.Mean},
	{metric.OutputRequest, verdict.P90},
	{metric.TTFT, verdict.Mean},
	{metric.TTFT, verdict.P90},
	{metric.ITL, verdict.Mean},
	{metric.ITL, verdict.P90},
	{metric.E2E, verdict.Mean},
	{metric.E2E, verdict.P90},
	{metric.TPOT, verdict.Mean},
	{metric.Prefill, verdict.Mean},
	{metric.Output, verdict.Single},
	{metric.Total, verdict.Single},
	{metric.RequestRate, verdict.Single},
}

// ownColumns are the columns of a closed loop whose figures Arena computed, in
// order.
var ownColumns = []tableColumn{
	{metric.DecodeRequest, verdict.Mean},
	{metric.Decode, verdict.Mean},
	{metric.Output, verdict.Mean},
	{metric.TTFT, verdict.Mean},
	{metric.TTFT, verdict.P95},
	{metric.TPOT, verdict.Mean},
	{metric.E2E, verdict.Mean},
	{metric.Prefill, verdict.Mean},
	{metric.AcceptanceLength, verdict.Single},
	{metric.Energy, verdict.Single},
}

// sweepColumns are the columns of a rate sweep, in order.
var sweepColumns = []tableColumn{
	{metric.RequestRate, verdict.Single},
	{metric.TTFT, verdict.P50},
	{metric.TTFT, verdict.P95},
	{metric.TTFT, verdict.P99},
	{metric.TTFTScheduled, verdict.P95},
	{metric.Output, verdict.Single},
	{metric.PeakConcurrency, verdict.Single},
}

// cellTable has a row per cell. Columns without a single value are left out.
func (w writer) cellTable(s *verdict.Test, columns []tableColumn) *render.Table {
	t := &render.Table{Label: w.tableName(s, w.p.T("model.table.label")), Head: []render.Head{{Label: w.p.T("model.table.cell")}}}
	rows := make([][]render.Cell, len(s.Test.Cells))
	for i := range s.Test.Cells {
		rows[i] = []render.Cell{{Text: format.Point(w.p, audit.PointOf(&s.Test.Cells[i]))}}
	}
	for _, col := range columns {
		values := make([]verdict.Value, len(s.Test.Cells))
		known := false
		for i := range s.Test.Cells {
			values[i] = s.Value(i, col.key, col.stat)
			known = known || values[i].Known
		}
		if !known {
			continue
		}
		t.Head = append(t.Head, format.Head(w.p, col.key, col.stat))
		for i, v := range values {
			rows[i] = append(rows[i], format.Cell(w.p, v))
		}
	}
	t.Rows = rows
	t.GatherMarks()
	if w.requestsKnown(s) {
		t.Head = append(t.Head, render.Head{Label: w.p.T("model.table.completed"), Explain: w.p.T("model.table.requests"), Numeric: true})
		for i := range s.Test.Cells {
			rows[i] = append(rows[i], w.requests(&s.Test.Cells[i]))
		}
	}
	if runs := s.Test.Cells[0].Runs; runs > 0 && hasSpread(rows) {
		t.Caption = w.p.N("model.table.runs", runs)
	}
	return t
}

// tableName names a table of a test among all tables of the page.
func (w writer) tableName(s *verdict.Test, text string) string {
	return w.p.T("model.finding.at", "place", format.TestName(w.p, s.Slug), "text", text)
}

// hasSpread reports whether any value is shown with its spread.
func hasSpread(rows [][]render.Cell) bool {
	for _, row := range rows {
		for _, c := range row {
			if c.Spread != "" {
				return true
			}
		}
	}
	return false
}

// requestsKnown reports whether any cell says how its requests ended.
func (w writer) requestsKnown(s *verdict.Test) bool {
	for i := range s.Test.Cells {
		if r := s.Test.Cells[i].Requests; r != nil && r.Completed != nil {
			return true
		}
	}
	return false
}

// requests says how the requests of a cell ended.
func (w writer) requests(c *bundle.Cell) render.Cell {
	completed, total, ok := c.Requests.Ended(0)
	if !ok {
		return format.Unknown(w.p)
	}
	return render.Cell{Text: w.p.T("model.table.of", "completed", completed, "total", total), Class: "n"}
}
