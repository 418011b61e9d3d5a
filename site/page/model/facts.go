package model

import (
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/facts"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// facts lists what the model is.
func (w writer) facts() []render.Term {
	f := w.conf.Row.Family
	if f == nil {
		return nil
	}
	t := format.NewTerms(w.p)
	usual := f.UsualSource()
	note := func(source string, status facts.Status, words facts.Words) string {
		if source == usual {
			source = ""
		}
		return sourceNote(w.p, source, status, words)
	}
	number := func(key string, n *facts.Number, write func(float64) string) {
		if n != nil {
			t.Add(key, render.Value{Text: write(n.Value), Note: note(n.Source, n.Status, n.Note)})
		}
	}
	text := func(key string, x *facts.Text, write func(string) string) {
		if x != nil {
			t.Add(key, render.Value{Text: write(x.Value), Note: note(x.Source, x.Status, x.Note)})
		}
	}
	same := func(s string) string { return s }
	integer := func(x float64) string { return w.p.Number(x, 0) }
	t.Text("model.facts.vendor", f.Vendor)
	number("model.facts.params", f.TotalParams, w.p.Params)
	number("model.facts.active", f.ActiveParams, w.p.Params)
	text("model.facts.architecture", f.Architecture, func(s string) string { return w.p.T("model.architecture." + s) })
	number("model.facts.layers", f.Layers, integer)
	for _, g := range f.LayerKinds {
		if g.KVHeads > 0 {
			t.Add("model.facts.kv_heads", render.Value{
				Text: w.p.T("model.facts.kv_heads_kind", "count", g.KVHeads, "kind", string(g.Kind)),
				Note: note(g.Source, g.Status, g.Note),
			})
		}
	}
	number("model.facts.context", f.Context, integer)
	text("model.facts.licence", f.Licence, same)
	text("model.facts.released", f.Released, func(s string) string { return format.Date(w.p, s) })
	t.Text("model.facts.note", f.Note[string(w.p.Lang())])
	if cp := w.conf.Row.Checkpoint; cp != nil {
		t.Text("model.facts.checkpoint_note", cp.Note[string(w.p.Lang())])
	}
	t.Add("model.facts.source", render.Value{Text: usual, URL: format.WebAddress(usual)})
	return t.List
}

// sourceNote says where a fact comes from and what is doubtful about it.
func sourceNote(p *i18n.Printer, source string, status facts.Status, note facts.Words) string {
	var parts []string
	if status == facts.Inferred {
		parts = append(parts, p.T("model.facts.inferred"))
	}
	if source != "" {
		parts = append(parts, strings.TrimPrefix(source, "https://"))
	}
	out := strings.Join(parts, ", ")
	text := note[string(p.Lang())]
	if out == "" || text == "" {
		return out + text
	}
	return out + ". " + text
}
