package site

import (
	"context"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/site/page"
	"example.org/arena/site/page/front"
	"example.org/arena/site/render"
)

// sections are the entries of the navigation.
var sections = []struct {
	route page.Route
	key   string
}{
	{page.RouteLeaderboard, "common.nav.leaderboard"},
	{page.RouteModels, "common.nav.models"},
	{page.RouteMethod, "common.nav.method"},
	{page.RouteReports, "common.nav.reports"},
	{page.RouteSuggestions, "common.nav.suggestions"},
	{page.RouteData, "common.nav.data"},
}

// frame fills in what every page has around its body.
func (b *builder) frame(made *render.Page, r page.Route, p *i18n.Printer) {
	b.surround(made, r, p)
	made.Canonical = b.absolute(r.URL(p.Lang()))
	made.Alternates = b.alternates(r)
	made.Feed = &render.Link{Label: p.T("common.feed.title"), URL: "/" + page.FeedFile(p.Lang())}
	made.Nav = navigation(p, &r)
}

// surround fills in what even a page without an address of its own has. The language
// switch leads to the route.
func (b *builder) surround(made *render.Page, r page.Route, p *i18n.Printer) {
	made.Lang = string(p.Lang())
	made.Title = p.T("common.title", "page", made.Title)
	made.Assets = b.assets
	made.Home = page.RouteLeaderboard.URL(p.Lang())
	for _, l := range i18n.Langs {
		entry := render.Language{Lang: string(l), Label: l.Autonym(), URL: r.URL(l)}
		if l == p.Lang() {
			entry.Current = "true"
		}
		made.Languages = append(made.Languages, entry)
	}
	made.Footer = render.Footer{
		Links: []render.Link{
			{Label: p.T("common.footer.licence"), URL: page.RouteData.URL(p.Lang()) + "#licence"},
			{Label: p.T("common.footer.contact"), URL: page.RouteData.URL(p.Lang()) + "#contact"},
			{Label: p.T("common.footer.feed"), URL: "/" + page.FeedFile(p.Lang())},
			{Label: p.T("common.footer.code"), URL: b.in.Content.Site.Repository},
		},
	}
}

// navigation writes the entries of the navigation, with a mark on the one that the
// page at the route is or belongs to. A page without a route belongs to none.
func navigation(p *i18n.Printer, at *page.Route) []render.NavLink {
	var out []render.NavLink
	for _, s := range sections {
		n := render.NavLink{Link: render.Link{Label: p.T(s.key), URL: s.route.URL(p.Lang())}}
		if at != nil {
			n.Current = current(s.route, *at)
		}
		out = append(out, n)
	}
	return out
}

// current is the mark of a section of the navigation on the page at a route.
func current(section, at page.Route) string {
	below := section
	if section == page.RouteLeaderboard {
		below = page.PresetsRoute
	}
	switch {
	case section == at:
		return "page"
	case strings.HasPrefix(string(at), string(below)):
		return "true"
	}
	return ""
}

// alternates are the page's addresses in every language, itself included, and
// the page that offers the languages.
func (b *builder) alternates(r page.Route) []render.Alternate {
	var out []render.Alternate
	for _, l := range i18n.Langs {
		out = append(out, render.Alternate{Lang: string(l), URL: b.absolute(r.URL(l))})
	}
	return append(out, render.Alternate{Lang: xDefault, URL: b.absolute("/")})
}

// makeFrontPages makes the language choice and the pages for addresses that lead
// nowhere.
func (b *builder) makeFrontPages(_ context.Context, to *files) error {
	en := b.printers[i18n.EN]
	var all []*i18n.Printer
	for _, l := range i18n.Langs {
		all = append(all, b.printers[l])
	}
	choice := front.Chooser(en, all)
	choice.Canonical = b.absolute("/")
	choice.Alternates = b.alternates(page.RouteLeaderboard)
	choice.Assets = b.assets
	if err := to.addPage("index.html", choice, en); err != nil {
		return err
	}
	for _, p := range all {
		if err := b.makeNotFound(to, string(p.Lang())+"/404.html", p); err != nil {
			return err
		}
	}
	return b.makeNotFound(to, "404.html", en)
}

// makeNotFound makes the page for an address that leads nowhere.
func (b *builder) makeNotFound(to *files, file string, p *i18n.Printer) error {
	made := front.NotFound(p)
	b.surround(made, page.RouteLeaderboard, p)
	made.Nav = navigation(p, nil)
	return to.addPage(file, made, p)
}
