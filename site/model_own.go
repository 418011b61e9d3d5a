package site

import (
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// What only runs of Arena's own have: figures that follow from recorded requests,
// repetitions and turns.

// ownColumns are the columns of a closed loop whose figures Arena computed, in
// order.
var ownColumns = []tableColumn{
	{metric.DecodeRequest, board.Mean},
	{metric.Decode, board.Mean},
	{metric.Output, board.Mean},
	{metric.TTFT, board.Mean},
	{metric.TTFT, board.P95},
	{metric.TPOT, board.Mean},
	{metric.E2E, board.Mean},
	{metric.Prefill, board.Mean},
	{metric.AcceptanceLength, board.Single},
	{metric.Energy, board.Single},
}

// computed reports whether the figures of a test follow from requests that its
// bundle records, and how many those are.
func (m modelWriter) computed(slug string) (requests int, ok bool) {
	t := m.item.Bundle.Test(slug)
	if t == nil {
		return 0, false
	}
	for i := range t.Cells {
		if c := &t.Cells[i]; stat.Derives(c) {
			requests += c.Records.Len()
			ok = true
		}
	}
	return requests, ok
}

// recorded counts the requests that figures of the page follow from, and says
// whether all tests with cells have such figures.
func (m modelWriter) recorded() (requests int, all bool) {
	all = true
	for i := range m.item.Bundle.Tests {
		t := &m.item.Bundle.Tests[i]
		n, ok := m.computed(t.Slug)
		requests += n
		all = all && (ok || len(t.Cells) == 0)
	}
	return requests, all
}

// repetitions shows the decode throughput of each repetition of a closed loop,
// with the interval of their mean; nil without repetitions.
func (m modelWriter) repetitions(s *board.TestStatus) *render.Table {
	most := 0
	for i := range s.Test.Cells {
		if f := s.Test.Cells[i].Figure(metric.Decode); f != nil {
			most = max(most, len(f.Values))
		}
	}
	if most < 2 {
		return nil
	}
	name := m.T("metric." + string(metric.Decode) + ".name")
	t := &render.Table{
		Caption: m.T("model.repetition.caption", "metric", name),
		Head:    []render.Head{{Label: m.T("model.table.cell")}},
	}
	t.Label = m.tableName(s, t.Caption)
	unit := m.Unit(string(metric.TokensPerS))
	for n := range most {
		t.Head = append(t.Head, render.Head{Label: m.T("model.repetition.number", "number", n+1), Unit: unit, Numeric: true})
	}
	t.Head = append(t.Head, render.Head{Label: m.T("model.repetition.interval"), Unit: unit, Numeric: true, Explain: m.T("model.repetition.interval_text")})
	for i := range s.Test.Cells {
		f := s.Test.Cells[i].Figure(metric.Decode)
		if f == nil || len(f.Values) == 0 {
			continue
		}
		row := []render.Cell{{Text: format.Point(m.Printer, pointOf(s, i))}}
		for n := range most {
			if n < len(f.Values) {
				row = append(row, render.Cell{Text: m.Number(f.Values[n], 1), Class: "n"})
			} else {
				row = append(row, format.Unknown(m.Printer))
			}
		}
		interval := format.Unknown(m.Printer)
		if x := stat.FromFigure(*f).Interval; x != nil {
			interval = render.Cell{Text: m.T("model.repetition.range", "low", m.Number(max(0, x.Low), 1), "high", m.Number(x.High, 1)), Class: "n"}
		}
		t.Rows = append(t.Rows, append(row, interval))
	}
	return t
}

// turns shows the median time to first token of each turn of a test's
// conversations; nil without conversations.
func (m modelWriter) turns(s *board.TestStatus) *render.Table {
	t := &render.Table{Caption: m.T("model.turn.caption"), Head: []render.Head{{Label: m.T("model.table.cell")}}}
	t.Label = m.tableName(s, t.Caption)
	all, most := m.byTurn(s)
	if most < 2 {
		return nil
	}
	for n := range most {
		t.Head = append(t.Head, render.Head{Label: m.T("model.turn.number", "number", n+1), Unit: m.Unit(string(metric.Millisecond)), Numeric: true})
	}
	for i, turns := range all {
		row := []render.Cell{{Text: format.Point(m.Printer, pointOf(s, i))}}
		for n := range most {
			if n < len(turns) && turns[n].Median != nil {
				row = append(row, render.Cell{Text: m.Number(*turns[n].Median, 0), Class: "n"})
			} else {
				row = append(row, format.Unknown(m.Printer))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// byTurn describes the first tokens of each turn, per cell of a test, and returns
// how many turns there are.
func (m modelWriter) byTurn(s *board.TestStatus) (all [][]stat.Summary, most int) {
	for i := range s.Test.Cells {
		turns := stat.TTFTByTurn(&s.Test.Cells[i])
		all, most = append(all, turns), max(most, len(turns))
	}
	return all, most
}

// turnChart shows the time to first token against the turn of a conversation, a
// line per concurrency.
func (m modelWriter) turnChart(s *board.TestStatus) []render.Figure {
	all, most := m.byTurn(s)
	if most < 2 {
		return nil
	}
	line := chart.Line{
		Title:       m.T("model.chart.turn.title", "test", format.TestName(m.Printer, s.Slug)),
		Description: m.T("model.chart.turn.text"),
		X:           chart.Axis{Name: m.T("model.chart.turn_axis"), Format: format.Tick(m.Printer)},
		Y:           chart.Axis{Name: m.T("model.chart.ttft_seconds"), Format: format.Tick(m.Printer)},
	}
	for n := range most {
		line.X.Ticks = append(line.X.Ticks, float64(n+1))
	}
	for i, turns := range all {
		where := m.T("model.point.concurrency", "concurrency", s.Test.Cells[i].Concurrency)
		series := chart.Series{Name: where, Slot: i}
		for n, turn := range turns {
			p := chart.Point{X: float64(n + 1)}
			if turn.Median != nil {
				p.Y = new(*turn.Median / 1000)
				p.Label = format.PointLabel(m.Printer, where+", "+m.T("model.turn.number", "number", n+1), m.Milliseconds(*turn.Median))
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
	return []render.Figure{{Caption: m.T("model.chart.turn.caption"), Spec: line}}
}
