package site

import (
	"context"
	"fmt"
	"html/template"

	"example.org/arena/i18n"
	"example.org/arena/site/page"
	"example.org/arena/site/page/data"
	"example.org/arena/site/page/leaderboard"
	"example.org/arena/site/page/method"
	"example.org/arena/site/page/model"
	"example.org/arena/site/page/models"
	"example.org/arena/site/page/reports"
	"example.org/arena/site/page/suggestions"
	"example.org/arena/site/render"
)

// A pageMaker makes one page in one language.
type pageMaker struct {
	route page.Route
	file  string // of the bundle that the page shows, below results/bundles; empty for none
	make  func(*i18n.Printer) (*render.Page, error)
}

// pageMakers lists the pages of the site.
func (b *builder) pageMakers() []pageMaker {
	s := b.site
	leaderboardOf := func(preset string) func(*i18n.Printer) (*render.Page, error) {
		return func(p *i18n.Printer) (*render.Page, error) { return leaderboard.Page(s, preset, p) }
	}
	of := func(f func(*page.Site, *i18n.Printer) (*render.Page, error)) func(*i18n.Printer) (*render.Page, error) {
		return func(p *i18n.Printer) (*render.Page, error) { return f(s, p) }
	}
	makers := []pageMaker{
		{route: page.RouteLeaderboard, make: leaderboardOf("")},
		{route: page.RouteModels, make: of(models.Page)},
		{route: page.RouteMethod, make: of(method.Index)},
		{route: page.RouteReports, make: func(p *i18n.Printer) (*render.Page, error) { return reports.Page(b.reports(), p) }},
		{route: page.RouteSuggestions, make: of(suggestions.Page)},
		{route: page.RouteData, make: of(data.Page)},
	}
	for _, p := range s.Content.Presets {
		makers = append(makers, pageMaker{route: page.PresetRoute(p.ID), make: leaderboardOf(p.ID)})
	}
	for _, c := range s.Content.Contracts {
		makers = append(makers, pageMaker{route: page.VersionRoute(c.Version), make: func(p *i18n.Printer) (*render.Page, error) {
			return method.Page(s, c, p)
		}})
	}
	for _, c := range s.Configurations {
		makers = append(makers, pageMaker{route: c.Route(), file: c.Shown().Path, make: func(p *i18n.Printer) (*render.Page, error) {
			return model.Page(s, c, p)
		}})
	}
	for _, slug := range b.reports() {
		makers = append(makers, pageMaker{route: page.ReportRoute(slug), make: b.reportPage(slug)})
	}
	return makers
}

// addPages makes every page in every language.
func (b *builder) addPages(ctx context.Context) error {
	makers := b.pageMakers()
	for _, m := range makers {
		b.routes = append(b.routes, m.route)
	}
	langs := i18n.Langs
	err := b.each(ctx, len(makers)*len(langs), func(i int) error {
		m, p := makers[i/len(langs)], b.in.Catalogs.Printer(langs[i%len(langs)])
		made, err := m.make(p)
		if err == nil {
			err = b.draw(ctx, made)
		}
		if err != nil {
			return m.fault(p.Lang(), err)
		}
		b.frame(made, m.route, p)
		return b.addPage(m.route.File(p.Lang()), made, p)
	})
	if err != nil {
		return err
	}
	return b.addFrontPages()
}

// fault makes the error of a page say which page it is and, where the page shows
// a bundle, the file of that.
func (m pageMaker) fault(lang i18n.Lang, err error) error {
	if m.file != "" {
		err = fmt.Errorf("%s: %w", m.file, err)
	}
	return fmt.Errorf("page /%s/%s: %w", lang, m.route, err)
}

// draw draws the charts of a page and keeps the data of their interactive
// versions.
func (b *builder) draw(ctx context.Context, made *render.Page) error {
	for _, f := range made.Figures() {
		drawn, err := b.in.Charts.Render(ctx, f.ID, f.Spec)
		if err != nil {
			return fmt.Errorf("draw %s: %w", f.ID, err)
		}
		// Drawn by our own code from checked specifications: labels are escaped there.
		f.Wide, f.Narrow = template.HTML(drawn.Wide), template.HTML(drawn.Narrow)
		f.Option = b.chartData(drawn.Option)
	}
	return nil
}

// addPage renders, minifies and adds a page.
func (b *builder) addPage(file string, made *render.Page, p *i18n.Printer) error {
	data, err := b.render.Render(made, p)
	if err != nil {
		return err
	}
	small, err := b.minifier.Bytes("text/html", data)
	if err != nil {
		return fmt.Errorf("minify %s: %w", file, err)
	}
	b.tree.add(file, small)
	return nil
}
