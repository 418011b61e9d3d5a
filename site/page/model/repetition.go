package model

import (
	"example.org/arena/results/audit"
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// repetitions shows the decode throughput of each repetition of a closed loop,
// with the interval of their mean; nil without repetitions.
func (w writer) repetitions(s *verdict.Test) *render.Table {
	most := 0
	for i := range s.Test.Cells {
		if f := s.Test.Cells[i].Figure(metric.Decode); f != nil {
			most = max(most, len(f.Values))
		}
	}
	if most < 2 {
		return nil
	}
	name := w.p.T("metric." + string(metric.Decode) + ".name")
	t := &render.Table{
		Caption: w.p.T("model.repetition.caption", "metric", name),
		Head:    []render.Head{{Label: w.p.T("model.table.cell")}},
	}
	t.Label = w.tableName(s, t.Caption)
	unit := w.p.Unit(string(metric.TokensPerS))
	for n := range most {
		t.Head = append(t.Head, render.Head{Label: w.p.T("model.repetition.number", "number", n+1), Unit: unit, Numeric: true})
	}
	t.Head = append(t.Head, render.Head{Label: w.p.T("model.repetition.interval"), Unit: unit, Numeric: true, Explain: w.p.T("model.repetition.interval_text")})
	for i := range s.Test.Cells {
		f := s.Test.Cells[i].Figure(metric.Decode)
		if f == nil || len(f.Values) == 0 {
			continue
		}
		row := []render.Cell{{Text: format.Point(w.p, audit.PointOf(&s.Test.Cells[i]))}}
		for n := range most {
			if n < len(f.Values) {
				row = append(row, render.Cell{Text: w.p.Number(f.Values[n], 1), Class: "n"})
			} else {
				row = append(row, format.Unknown(w.p))
			}
		}
		interval := format.Unknown(w.p)
		if x := stat.FromFigure(*f).Interval; x != nil {
			interval = render.Cell{Text: w.p.T("model.repetition.range", "low", w.p.Number(max(0, x.Low), 1), "high", w.p.Number(x.High, 1)), Class: "n"}
		}
		t.Rows = append(t.Rows, append(row, interval))
	}
	return t
}

// turns shows the median time to first token of each turn of a test's
// conversations; nil without conversations.
func (w writer) turns(s *verdict.Test) *render.Table {
	t := &render.Table{Caption: w.p.T("model.turn.caption"), Head: []render.Head{{Label: w.p.T("model.table.cell")}}}
	t.Label = w.tableName(s, t.Caption)
	all, most := w.byTurn(s)
	if most < 2 {
		return nil
	}
	for n := range most {
		t.Head = append(t.Head, render.Head{Label: w.p.T("model.turn.number", "number", n+1), Unit: w.p.Unit(string(metric.Millisecond)), Numeric: true})
	}
	for i, turns := range all {
		row := []render.Cell{{Text: format.Point(w.p, audit.PointOf(&s.Test.Cells[i]))}}
		for n := range most {
			if n < len(turns) && turns[n].Median != nil {
				row = append(row, render.Cell{Text: w.p.Number(*turns[n].Median, 0), Class: "n"})
			} else {
				row = append(row, format.Unknown(w.p))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// byTurn describes the first tokens of each turn, per cell of a test, and returns
// how many turns there are.
func (w writer) byTurn(s *verdict.Test) (all [][]stat.Summary, most int) {
	for i := range s.Test.Cells {
		turns := stat.TTFTByTurn(&s.Test.Cells[i])
		all, most = append(all, turns), max(most, len(turns))
	}
	return all, most
}
