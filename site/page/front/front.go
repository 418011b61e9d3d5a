// Package front makes the pages that lead into the site: the choice of a language,
// and the page for an address that leads nowhere.
package front

import (
	"example.org/arena/i18n"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Chooser makes the page that offers the languages. It is written in the language of
// p and shows a line in each of the others.
func Chooser(p *i18n.Printer, all []*i18n.Printer) *render.Page {
	out := &render.Page{
		Template:    "chooser",
		Title:       p.T("common.site.name"),
		Description: p.T("common.site.description"),
	}
	for _, other := range all {
		l := other.Lang()
		out.Languages = append(out.Languages, render.Language{
			Lang: string(l), Label: l.Autonym(), URL: page.RouteLeaderboard.URL(l), Text: other.T("common.site.description"),
		})
	}
	return out
}

// NotFound makes the page for an address that leads nowhere.
func NotFound(p *i18n.Printer) *render.Page {
	title, text := p.T("common.notfound.title"), p.T("common.notfound.text")
	return &render.Page{
		Template:    "notfound",
		Title:       title,
		Description: text,
		NoIndex:     true,
		Body: render.NotFound{Heading: title, Text: text, Links: []render.Link{
			{Label: p.T("common.nav.leaderboard"), URL: page.RouteLeaderboard.URL(p.Lang())},
			{Label: p.T("common.nav.models"), URL: page.RouteModels.URL(p.Lang())},
		}},
	}
}
