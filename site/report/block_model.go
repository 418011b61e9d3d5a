package report

import (
	"slices"
	"strings"

	"example.org/arena/content"
	"example.org/arena/results/facts"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// memoryBlock shows how much of the machine's memory the weights take.
func (w *writer) memoryBlock(b content.ReportBlock) ([]render.Block, error) {
	t := &render.Table{
		Caption: w.caption(b, "report.memory.caption"),
		Head: []render.Head{
			{Label: w.p.T("report.sources.configuration")},
			{Label: w.p.T("report.memory.weights"), Numeric: true},
			{Label: w.p.T("report.memory.usable"), Numeric: true},
			{Label: w.p.T("report.memory.share"), Numeric: true},
		},
	}
	for _, d := range w.all {
		m := d.run.Memory
		row := []render.Cell{{Text: d.name}, format.Unknown(w.p), format.Unknown(w.p), format.Unknown(w.p)}
		if m.Known {
			row[1] = render.Cell{Text: w.p.Bytes(m.WeightBytes), Class: "n"}
			if m.Nominal {
				row[1].Mark = w.p.T("model.figure.weights_nominal")
			}
		}
		if m.Usable != nil {
			row[2] = render.Cell{Text: w.p.Bytes(m.Usable.Value), Class: "n"}
		}
		if m.Known && m.Usable != nil {
			row[3] = render.Cell{Text: w.p.Percent(m.WeightBytes/m.Usable.Value, 0), Class: "n"}
		}
		t.Rows = append(t.Rows, row)
	}
	t.GatherMarks()
	return []render.Block{{Table: t}}, nil
}

// qualityBlock shows what is published about the quality of each checkpoint. A
// blank stays blank: no figure passes from one checkpoint to another.
func (w *writer) qualityBlock(b content.ReportBlock) ([]render.Block, error) {
	t := &render.Table{Caption: w.caption(b, "report.quality.caption"), Head: w.columns(w.p.T("model.quality.benchmark"), render.Head{Numeric: true})}
	t.Head = slices.Insert(t.Head, 1, render.Head{Label: w.p.T("model.quality.mode")}, render.Head{Label: w.p.T("model.quality.by")})
	for _, q := range w.published() {
		by := w.p.T("model.quality.vendor")
		if q.Independent {
			by = w.p.T("model.quality.independent", "name", q.By)
		}
		row := []render.Cell{
			{Text: q.Benchmark},
			{Text: w.p.T("quality.mode." + strings.ReplaceAll(string(q.Mode), "-", "_")), Class: "nw"},
			{Text: by, URL: format.WebAddress(q.Source), Class: "note", Spread: w.words(q.Doubt)},
		}
		for _, d := range w.all {
			row = append(row, w.qualityOf(d, q))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return nil, nil
	}
	return []render.Block{{Table: t}}, nil
}

// published are the figures of every model of the report, one for each benchmark,
// mode, effort and publisher.
func (w *writer) published() []facts.Quality {
	var out []facts.Quality
	for _, d := range w.all {
		if d.run.Model == nil {
			continue
		}
		for _, q := range d.run.Model.Quality {
			if !slices.ContainsFunc(out, func(have facts.Quality) bool { return sameQuality(have, q) }) {
				out = append(out, q)
			}
		}
	}
	return out
}

// sameQuality reports whether two figures are of the same measurement on what may
// be different checkpoints.
func sameQuality(a, b facts.Quality) bool {
	return a.Benchmark == b.Benchmark && a.Mode == b.Mode && a.Effort == b.Effort && a.By == b.By
}

func (w *writer) qualityOf(d *deployment, q facts.Quality) render.Cell {
	if f := d.run.Model; f != nil {
		for _, x := range f.Quality {
			if sameQuality(x, q) && x.Checkpoint == d.run.Verdict.Bundle.Model.ID && x.Value != nil {
				return render.Cell{Text: format.Quality(w.p, x), Class: "n"}
			}
		}
	}
	return render.Cell{Text: w.p.T("report.quality.unknown"), Class: "n none"}
}
