package method

import (
	"example.org/arena/i18n"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Index makes the page that lists the versions of the contract.
func Index(s *page.Site, p *i18n.Printer) *render.Page {
	results := map[string]int{} // bundles by version
	for _, b := range s.Summaries {
		results[b.Contract]++
	}
	t := &render.Table{
		Caption: p.T("method.index.caption"),
		Head: []render.Head{
			{Label: p.T("method.index.version")},
			{Label: p.T("method.index.date")},
			{Label: p.T("method.index.tests"), Numeric: true},
			{Label: p.T("method.index.results"), Numeric: true},
		},
	}
	for _, c := range s.Contracts() {
		t.Rows = append(t.Rows, []render.Cell{
			{Text: p.T("method.index.contract", "version", c.Version), URL: page.VersionRoute(c.Version).URL(p.Lang())},
			{Text: p.T("method.date", "date", c.Date)},
			{Text: p.Integer(int64(len(c.Tests))), Class: "n"},
			{Text: p.Integer(int64(results[c.Version])), Class: "n"},
		})
	}
	title, lead := p.T("method.index.title"), p.T("method.index.lead")
	return &render.Page{
		Template:    "list",
		Title:       title,
		Description: lead,
		Body:        render.List{Heading: title, Lead: lead, Groups: []render.Group{{ID: "versions", Title: t.Caption, Table: t}}},
	}
}
