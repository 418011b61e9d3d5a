// Package suggestions makes the page of what people want to see measured, and how
// to propose it.
//
// It depends on the suggestions, on the text about them and on the address of the
// configuration that a suggestion led to; it reads no bundle.
package suggestions

import (
	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Page makes the page of suggestions.
func Page(s *page.Site, p *i18n.Printer) (*render.Page, error) {
	how, err := s.Prose(content.Pages, "suggestions-how", string(p.Lang()), nil)
	if err != nil {
		return nil, err
	}
	list := render.Block{ID: "list", Title: p.T("suggestions.list")}
	if len(s.Content.Suggestions) == 0 {
		list.Note = p.T("suggestions.empty")
	} else {
		list.Table = table(s, p)
	}
	lead := p.T("suggestions.lead")
	body := render.Prose{Heading: p.T("suggestions.heading"), Lead: lead, Blocks: []render.Block{
		list,
		{ID: "how", Title: p.T("suggestions.how"), Prose: how},
		{ID: "example", Title: p.T("suggestions.example"), Command: &render.Command{ID: "example-file", Kind: "TOML", Text: example}},
	}}
	return &render.Page{Template: "prose", Title: p.T("suggestions.title"), Description: lead, Body: body}, nil
}

// table lists the suggestions with their state.
func table(s *page.Site, p *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: p.T("suggestions.caption"),
		Head: []render.Head{
			{Label: p.T("board.column.model")},
			{Label: p.T("models.precision")},
			{Label: p.T("suggestions.why")},
			{Label: p.T("suggestions.state")},
			{Label: p.T("suggestions.since")},
		},
	}
	for _, x := range s.Content.Suggestions {
		state, since := standing(s, x, p)
		t.Rows = append(t.Rows, []render.Cell{{Text: x.Model}, {Text: format.Precision(x.Quantisation)}, {Text: x.Why}, state, {Text: since}})
	}
	return t
}

// standing says what became of a suggestion, and when.
func standing(s *page.Site, x content.Suggestion, p *i18n.Printer) (state render.Cell, since string) {
	state.Text = p.T("suggestion." + string(x.State()) + ".name")
	if len(x.History) == 0 {
		return state, ""
	}
	last := x.History[len(x.History)-1]
	switch {
	case last.Bundle != "":
		if c, ok := s.ByBundle(last.Bundle); ok {
			state.URL = c.Route().URL(p.Lang())
		}
	case last.Reason != "":
		state.Spread = p.T("suggestion.reason." + last.Reason)
	}
	return state, p.T("board.date", "date", last.Date)
}

// example is a file that a contributor can start from.
const example = `model = "ORG/MODEL"
quantisation = "nvfp4"
vllm_args = "--max-num-seqs 64"
why = ""

[[history]]
state = "proposed"
date = "2026-12-01"`
