package format

import (
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/render"
)

// Terms collects facts with their values. A fact without a value is left out.
type Terms struct {
	List []render.Term

	p *i18n.Printer
}

// NewTerms starts a list of facts in the printer's language.
func NewTerms(p *i18n.Printer) *Terms { return &Terms{p: p} }

// Add adds the fact that the catalog key names, with those of the values that
// have a text.
func (t *Terms) Add(key string, values ...render.Value) {
	var known []render.Value
	for _, v := range values {
		if v.Text != "" {
			known = append(known, v)
		}
	}
	if len(known) > 0 {
		t.List = append(t.List, render.Term{Term: t.p.T(key), Values: known})
	}
}

// Text adds a fact whose value is a text.
func (t *Terms) Text(key, text string) { t.Add(key, render.Value{Text: text}) }

// Code adds a fact whose value is for programs: a hash, a path, a setting.
func (t *Terms) Code(key, text string) { t.Add(key, render.Value{Text: text, Code: true}) }

// Notes adds a fact with a value for each remark.
func (t *Terms) Notes(key string, notes []bundle.Note) {
	var values []render.Value
	for _, text := range Notes(t.p, notes) {
		values = append(values, render.Value{Text: text})
	}
	t.Add(key, values...)
}
