package site

import (
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/site/render"
)

// sections are the entries of the navigation.
var sections = []struct {
	route route
	key   string
}{
	{routeBoard, "common.nav.leaderboard"},
	{routeModels, "common.nav.models"},
	{routeMethod, "common.nav.method"},
	{routeReports, "common.nav.reports"},
	{routeSuggestions, "common.nav.suggestions"},
	{routeData, "common.nav.data"},
}

// frame fills in what every page has around its body.
func (b *builder) frame(p *render.Page, r route, w *i18n.Printer) {
	p.Lang = string(w.Lang())
	p.Title = w.T("common.title", "page", p.Title)
	p.Canonical = b.absolute(r.url(w.Lang()))
	p.Alternates = b.alternates(r)
	p.Feed = &render.Link{Label: w.T("common.feed.title"), URL: "/" + feedFile(w.Lang())}
	for _, l := range i18n.Langs {
		p.Languages = append(p.Languages, language(l, w.Lang(), r.url(l)))
	}
	b.surround(p, w)
	for _, s := range sections {
		n := render.NavLink{Link: render.Link{Label: w.T(s.key), URL: s.route.url(w.Lang())}}
		switch {
		case s.route == r:
			n.Current = "page"
		case s.route != routeBoard && strings.HasPrefix(string(r), string(s.route)):
			n.Current = "true"
		case s.route == routeBoard && strings.HasPrefix(string(r), "for/"):
			n.Current = "true"
		}
		p.Nav = append(p.Nav, n)
	}
}

// surround fills in what even a page without an address of its own has.
func (b *builder) surround(p *render.Page, w *i18n.Printer) {
	p.Lang = string(w.Lang())
	p.Assets = b.assets
	p.Home = routeBoard.url(w.Lang())
	p.Footer = render.Footer{
		Summary: w.T("common.footer.summary", "bundles", len(b.Items), "date", b.Date),
		Links: []render.Link{
			{Label: w.T("common.footer.licence"), URL: routeData.url(w.Lang()) + "#licence"},
			{Label: w.T("common.footer.contact"), URL: routeData.url(w.Lang()) + "#contact"},
			{Label: w.T("common.footer.feed"), URL: "/" + feedFile(w.Lang())},
			{Label: w.T("common.footer.code"), URL: b.Content.Site.Repository},
		},
	}
}

func language(l, current i18n.Lang, url string) render.Language {
	out := render.Language{Lang: string(l), Label: l.Autonym(), URL: url}
	if l == current {
		out.Current = "true"
	}
	return out
}

// alternates are the page's addresses in every language, itself included, and
// the page that offers the languages.
func (b *builder) alternates(r route) []render.Alternate {
	var out []render.Alternate
	for _, l := range i18n.Langs {
		out = append(out, render.Alternate{Lang: string(l), URL: b.absolute(r.url(l))})
	}
	return append(out, render.Alternate{Lang: xDefault, URL: b.absolute("/")})
}

// addFrontPages adds the language choice and the pages for addresses that lead
// nowhere.
func (b *builder) addFrontPages() error {
	en := b.Catalogs.Printer(i18n.EN)
	choice := &render.Page{
		Template:    "chooser",
		Title:       en.T("common.site.name"),
		Description: en.T("common.site.description"),
		Canonical:   b.absolute("/"),
		Alternates:  b.alternates(routeBoard),
		Assets:      b.assets,
	}
	for _, l := range i18n.Langs {
		entry := language(l, "", routeBoard.url(l))
		entry.Text = b.Catalogs.Printer(l).T("common.site.description")
		choice.Languages = append(choice.Languages, entry)
	}
	if err := b.addPage("index.html", choice, en); err != nil {
		return err
	}
	for _, l := range i18n.Langs {
		if err := b.addNotFound(string(l)+"/404.html", b.Catalogs.Printer(l)); err != nil {
			return err
		}
	}
	return b.addNotFound("404.html", en)
}

// addNotFound adds the page for an address that leads nowhere.
func (b *builder) addNotFound(file string, w *i18n.Printer) error {
	p := &render.Page{
		Template:    "notfound",
		Title:       w.T("common.title", "page", w.T("common.notfound.title")),
		Description: w.T("common.notfound.text"),
		NoIndex:     true,
		Body: render.NotFound{Links: []render.Link{
			{Label: w.T("common.nav.leaderboard"), URL: routeBoard.url(w.Lang())},
			{Label: w.T("common.nav.models"), URL: routeModels.url(w.Lang())},
		}},
	}
	b.surround(p, w)
	for _, l := range i18n.Langs {
		p.Languages = append(p.Languages, language(l, w.Lang(), routeBoard.url(l)))
	}
	for _, s := range sections {
		p.Nav = append(p.Nav, render.NavLink{Link: render.Link{Label: w.T(s.key), URL: s.route.url(w.Lang())}})
	}
	return b.addPage(file, p, w)
}
