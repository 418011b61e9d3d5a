package model

import (
	"slices"

	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// latencies and totals are the rows of an open loop's tables, in order.
var (
	latencies = []metric.Key{
		metric.TTFT, metric.TTFTScheduled, metric.Queue, metric.TPOT, metric.ITL, metric.E2E, metric.E2EScheduled,
	}
	totals = []metric.Key{
		metric.Output, metric.RequestRate, metric.PeakConcurrency, metric.Duration, metric.AcceptanceLength, metric.Energy,
	}
)

// openTables show an open-loop test with one rate: latencies with their
// percentiles, and the figures of the whole test.
func (w writer) openTables(s *verdict.Test) []*render.Table {
	stats := []verdict.Statistic{verdict.Mean, verdict.P50, verdict.P90, verdict.P95, verdict.P99}
	lat := &render.Table{Caption: w.p.T("model.table.latencies"), Head: []render.Head{{Label: w.p.T("model.table.quantity")}}}
	lat.Label = w.tableName(s, lat.Caption)
	for _, st := range stats {
		lat.Head = append(lat.Head, render.Head{Label: w.p.T("statistic." + string(st) + ".name"), Numeric: true})
	}
	for _, key := range latencies {
		row := []render.Cell{{Text: w.p.T("metric." + string(key) + ".name")}}
		known := false
		for _, st := range stats {
			v := s.Value(0, key, st)
			v.Spread = nil // a spread over requests that differ by design says nothing about repetition
			c := format.Cell(w.p, v)
			if v.Known {
				known = true
				c.Text = w.p.Milliseconds(v.Number)
			}
			row = append(row, c)
		}
		if known {
			lat.Rows = append(lat.Rows, row)
		}
	}
	whole := &render.Table{Caption: w.p.T("model.table.whole"), Head: []render.Head{{Label: w.p.T("model.table.quantity")}, {Label: w.p.T("model.table.value"), Numeric: true}}}
	whole.Label = w.tableName(s, whole.Caption)
	for _, key := range totals {
		v := s.Value(0, key, verdict.Single)
		if v.Known {
			c := format.Cell(w.p, v)
			c.Text = format.Quantity(w.p, v)
			whole.Rows = append(whole.Rows, []render.Cell{{Text: w.p.T("metric." + string(key) + ".name")}, c})
		}
	}
	lat.GatherMarks()
	whole.GatherMarks()
	if c := &s.Test.Cells[0]; c.Requests != nil {
		whole.Rows = slices.Insert(whole.Rows, 0, []render.Cell{{Text: w.p.T("model.table.requests")}, w.requests(c)})
	}
	return []*render.Table{lat, whole}
}

// capacityTable shows the capacity of a sweep under each limit.
func (w writer) capacityTable(s *verdict.Test) *render.Table {
	t := &render.Table{
		Caption: w.p.T("model.capacity.caption"),
		Head: []render.Head{
			{Label: w.p.T("model.capacity.limit")},
			{Label: w.p.T("board.column.capacity"), Unit: w.p.Unit(string(metric.RequestsPerS)), Numeric: true},
			format.Head(w.p, metric.RequestRate, verdict.Single),
			format.Head(w.p, metric.TTFT, verdict.P95),
			format.Head(w.p, metric.Output, verdict.Single),
			format.Head(w.p, metric.PeakConcurrency, verdict.Single),
		},
	}
	for _, c := range s.Capacities(w.conf.Limits()) {
		row := []render.Cell{{Text: format.ExactMilliseconds(w.p, float64(c.LimitMS))}, format.Cell(w.p, c.Rate)}
		if c.Rung != nil {
			for _, v := range []verdict.Value{c.Rung.Achieved, c.Rung.TTFTP95, c.Rung.Output, c.Rung.Peak} {
				row = append(row, format.Cell(w.p, v))
			}
		} else {
			for range 4 {
				row = append(row, format.Unknown(w.p))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.GatherMarks()
	return t
}
