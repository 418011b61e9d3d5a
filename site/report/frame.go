package report

import (
	"slices"

	"example.org/arena/i18n"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// facts lists the frame of the measurements.
func (w *writer) facts() []render.Term {
	t := format.NewTerms(w.p)
	t.Add("report.facts.model", w.each(func(d *deployment) render.Value {
		id := d.run.Verdict.Bundle.Model.ID
		return render.Value{Text: id, URL: format.HuggingFace(id)}
	})...)
	t.Add("report.facts.platform", w.each(func(d *deployment) render.Value {
		return render.Value{Text: w.platform(d.run.Verdict.Bundle.Platform)}
	})...)
	t.Add("report.facts.source", w.each(func(d *deployment) render.Value {
		s := d.run.Verdict.Bundle.Source
		if s == nil {
			return render.Value{}
		}
		title := s.Title
		if title == "" {
			title = s.URL
		}
		return render.Value{Text: title, URL: format.WebAddress(s.URL)}
	})...)
	t.Add("report.facts.credit", w.each(func(d *deployment) render.Value { return render.Value{Text: d.run.Verdict.Bundle.Credit} })...)
	if w.sameContract() == nil {
		c := w.all[0].run.Verdict.Contract
		t.Add("report.facts.contract", render.Value{Text: w.p.T("method.index.contract", "version", c.Version), URL: w.all[0].run.Method})
		t.Add("report.facts.measured", w.each(func(d *deployment) render.Value {
			return render.Value{Text: format.Measured(w.p, d.run.Verdict.Bundle)}
		})...)
		return t.List
	}
	levels, noLevels := w.levels()
	tokens, noTokens := w.outputTokens()
	if noLevels == nil && noTokens == nil {
		t.Text("report.facts.load", w.p.T("report.facts.load_text", "tokens", tokens, "levels", w.p.List(integers(w.p, levels)...)))
	}
	return t.List
}

func integers(p *i18n.Printer, all []int) []string {
	return format.ConcurrencyAxis(p, all).Categories
}

// each are the values of a fact over all deployments, each value once.
func (w *writer) each(of func(*deployment) render.Value) []render.Value {
	var out []render.Value
	for _, d := range w.all {
		if v := of(d); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// platform is a platform's name, or its id when nothing is known about it.
func (w *writer) platform(id string) string {
	if p, ok := w.src.Catalog.Platform(id); ok {
		return p.Name
	}
	return id
}

// sources lists the bundles behind the report.
func (w *writer) sources() *render.Table {
	t := &render.Table{
		Caption: w.p.T("report.sources.caption"),
		Head: []render.Head{
			{Label: w.p.T("report.sources.configuration")},
			{Label: w.p.T("model.provenance.bundle")},
			{Label: w.p.T("data.credits.credit")},
			{Label: w.p.T("data.credits.licence")},
		},
	}
	for _, d := range w.all {
		b := d.run.Verdict.Bundle
		t.Rows = append(t.Rows, []render.Cell{
			{Text: b.Profile, URL: d.run.Page},
			{Text: d.run.ID[:12], URL: d.run.File},
			{Text: b.Credit},
			{Text: format.Licence(w.p, b.Licence)},
		})
	}
	return t
}
