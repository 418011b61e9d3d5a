package leaderboard

import (
	"math"
	"strconv"
	"strings"

	"example.org/arena/results/facts"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// cell writes a value, with a bar where more is better.
func (w *writer) cell(v verdict.Value, col board.Column, most float64) render.BoardCell {
	c := format.Cell(w.p, v)
	out := render.BoardCell{Text: c.Text, Spread: c.Spread, Missing: !v.Known, Sort: sortKey(v), Class: c.Class, Why: format.Why(w.p, v), Mark: c.Mark}
	if out.Mark != "" {
		out.Sort = ""
	}
	if d, _ := metric.Lookup(col.Metric); v.Known && d.Better == metric.HigherIsBetter {
		out.HasBar, out.Bar = true, barLength(v.Number, most)
	}
	return out
}

// withUnit writes a value with its unit, or why there is none.
func (w *writer) withUnit(v verdict.Value) string {
	if !v.Known {
		return format.Missing(w.p, v)
	}
	return format.Quantity(w.p, v)
}

// sortKey is the number that a column is sorted by, empty when there is none.
// "No rung" is a result, the lowest there is.
func sortKey(v verdict.Value) string {
	switch {
	case v.Known:
		return strconv.FormatFloat(v.Number, 'g', -1, 64)
	case v.Missing == verdict.NoRung:
		return "0"
	}
	return ""
}

// barLength is a value's share of the largest, in whole percent, at least 1 for
// a value above zero.
func barLength(v, most float64) string {
	if most <= 0 || v <= 0 {
		return "0"
	}
	return strconv.Itoa(max(1, int(math.Round(100*v/most))))
}

// gigabyte is the unit in which the leaderboard shows weights.
const gigabyte = 1e9

// weights shows the size of the model's weights.
func (w *writer) weights(r *board.Row) render.BoardCell {
	if !r.Memory.Known {
		return render.BoardCell{Text: format.NotReported(w.p), Class: "n none"}
	}
	text := w.p.Number(r.Memory.WeightBytes/gigabyte, 1)
	c := render.BoardCell{Text: text, Sort: strconv.FormatFloat(r.Memory.WeightBytes, 'f', 0, 64), Class: "n"}
	if r.Memory.Nominal {
		c.Text = w.p.T("value.approximate", "number", text)
		c.Why = w.p.T("model.figure.weights_nominal")
	}
	return c
}

// quality shows the science figure with the name of its benchmark.
func (w *writer) quality(r *board.Row) render.BoardCell {
	for _, q := range r.Quality {
		if q.Dimension != facts.Science || !q.Known || q.Figure.Value == nil {
			continue
		}
		c := render.BoardCell{Text: format.Quality(w.p, q.Figure), Spread: q.Figure.Benchmark, Class: "q"}
		doubt := q.Figure.Doubt[string(w.p.Lang())]
		if doubt != "" {
			c.Text = w.p.T("value.doubtful", "number", c.Text)
		}
		if !q.SameModel {
			doubt = strings.TrimSpace(w.p.T("board.quality_of", "model", q.Figure.Checkpoint) + ". " + doubt)
		}
		c.Why = doubt
		return c
	}
	return render.BoardCell{Text: format.NotReported(w.p), Class: "q none"}
}

// date shows when the row was measured.
func (w *writer) date(r *board.Row) render.BoardCell {
	return render.BoardCell{
		Text:  format.Date(w.p, w.site.Summary(r.ID).Measured),
		Sort:  strings.ReplaceAll(r.Date, "-", ""),
		Class: "n",
	}
}
