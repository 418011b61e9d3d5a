package model

import (
	"strings"

	"example.org/arena/results/facts"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// quality lists what others published about the model.
func (w writer) quality() *render.Table {
	if w.conf.Row.Family == nil || len(w.conf.Row.Family.Quality) == 0 {
		return nil
	}
	t := &render.Table{
		Caption: w.p.T("model.quality.caption"),
		Head: []render.Head{
			{Label: w.p.T("model.quality.benchmark")},
			{Label: w.p.T("model.quality.dimension")},
			{Label: w.p.T("model.quality.value"), Numeric: true},
			{Label: w.p.T("model.quality.mode")},
			{Label: w.p.T("model.quality.measured_on")},
			{Label: w.p.T("model.quality.by")},
		},
	}
	for _, q := range w.conf.Row.Family.Quality {
		value := format.Unknown(w.p)
		if q.Value != nil {
			value = render.Cell{Text: format.Quality(w.p, q), Class: "n"}
		}
		by := w.p.T("model.quality.vendor")
		if q.Independent {
			by = w.p.T("model.quality.independent", "name", q.By)
		}
		source := render.Cell{Text: by, Class: "note"}
		if strings.HasPrefix(q.Source, "https://") {
			source.URL = q.Source
		}
		if doubt := q.Doubt[string(w.p.Lang())]; doubt != "" {
			source.Spread = doubt
		}
		mark := ""
		if q.Suggested && q.Dimension == facts.Science && w.conf.Board.Ranked {
			mark = w.p.T("model.quality.shown")
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: q.Benchmark, Mark: mark},
			{Text: w.p.T("quality." + string(q.Dimension) + ".name")},
			value,
			{Text: w.p.T("quality.mode." + strings.ReplaceAll(string(q.Mode), "-", "_")), Class: "nw"},
			{Text: q.Checkpoint, Class: "nw"},
			source,
		})
	}
	return t
}
