package leaderboard

import (
	"strings"

	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// The columns of the leaderboard that are no measured quantity.
const (
	columnRank    = "rank"
	columnModel   = "model"
	columnWeights = "weights"
	columnQuality = "quality"
	columnDate    = "date"
)

// keyColumns is the number of measured columns that stay visible on a phone.
const keyColumns = 2

// heads are the headers of all columns.
func (w *writer) heads() []render.Column {
	out := []render.Column{
		{Key: columnRank, Label: w.p.T("board.column.rank"), Class: "rank"},
		{Key: columnModel, Label: w.p.T("board.column.model")},
	}
	for _, c := range w.columns {
		d, _ := metric.Lookup(c.Metric)
		sortable := "desc"
		if d.Better == metric.LowerIsBetter {
			sortable = "asc"
		}
		out = append(out, render.Column{
			Key: strings.ReplaceAll(c.ID, "/", "."), Label: w.label(c), Unit: w.unit(c),
			Explain: w.explain(c), Class: "n", Sortable: sortable, Optional: true,
		})
	}
	return append(out,
		render.Column{Key: columnWeights, Label: w.p.T("board.column.weights"), Unit: w.p.T("unit.GB"), Explain: w.p.T("board.column.weights_explain"), Class: "n", Sortable: "asc", Optional: true},
		render.Column{Key: columnQuality, Label: w.p.T("board.column.quality"), Explain: w.p.T("board.column.quality_explain"), Optional: true},
		render.Column{Key: columnDate, Label: w.p.T("board.column.date"), Class: "n", Sortable: "desc", Optional: true},
	)
}

// label names a column of the board for a header.
func (w *writer) label(c board.Column) string {
	switch {
	case c.LimitMS > 0:
		return w.p.T("board.column.capacity_under", "limit", format.ExactMilliseconds(w.p, float64(c.LimitMS)))
	case isHeadline(c):
		return w.p.T("board.column." + c.ID)
	}
	return w.p.T("board.column.of_test", "test", format.TestName(w.p, c.Test), "quantity", w.quantityName(c))
}

// isHeadline reports whether a column has words of its own.
func isHeadline(c board.Column) bool {
	return c.ID == board.ColumnOneUser || c.ID == board.ColumnManyUsers || c.ID == board.ColumnTTFT
}

// unit is the unit of a column.
func (w *writer) unit(c board.Column) string {
	d, _ := metric.Lookup(c.Metric)
	return w.p.Unit(string(d.Unit))
}

// quantityName names the quantity of a column with its statistic and load.
func (w *writer) quantityName(c board.Column) string {
	name := format.Head(w.p, c.Metric, c.Statistic).Label
	if c.Concurrency > 0 {
		name = w.p.T("board.column.at_concurrency", "quantity", name, "concurrency", c.Concurrency)
	}
	return name
}

// explain says in a sentence what a column shows.
func (w *writer) explain(c board.Column) string {
	switch {
	case c.LimitMS > 0:
		return w.p.T("board.column.capacity_explain", "limit", format.ExactMilliseconds(w.p, float64(c.LimitMS)))
	case isHeadline(c):
		return w.p.T("board.column." + c.ID + "_explain")
	}
	return w.p.T("metric." + string(c.Metric) + ".text")
}
