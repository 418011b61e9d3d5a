// Package reports makes the list of the reports; package report makes each of them.
//
// It depends on the titles and leads in the reports' files; it reads no bundle.
package reports

import (
	"example.org/arena/i18n"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Page lists the reports of the content.
func Page(s *page.Site, p *i18n.Printer) *render.Page {
	t := &render.Table{
		Caption: p.T("reports.caption"),
		Head:    []render.Head{{Label: p.T("reports.report")}, {Label: p.T("reports.about")}},
	}
	for _, r := range s.Content.Reports {
		t.Rows = append(t.Rows, []render.Cell{
			{Text: r.Title[string(p.Lang())], URL: page.ReportRoute(r.Slug).URL(p.Lang())},
			{Text: r.Lead[string(p.Lang())]},
		})
	}
	title, lead := p.T("reports.title"), p.T("reports.lead")
	body := render.List{Heading: title, Lead: lead, Groups: []render.Group{{ID: "reports", Table: t}}}
	return &render.Page{Template: "list", Title: title, Description: lead, Body: body}
}
