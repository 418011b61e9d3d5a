package site

import (
	"context"
	"errors"
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

// A pageFunc makes a page in one language.
type pageFunc func(*i18n.Printer) (*render.Page, error)

// A pageMaker makes one page in every language.
type pageMaker struct {
	route page.Route
	file  string                   // of the bundle that the page shows, below results/bundles; empty for none
	open  func() (pageFunc, error) // reads what the page needs, once for all languages
}

// pageMakers lists the pages of the site.
func (b *builder) pageMakers() []pageMaker {
	s := b.site
	var out []pageMaker
	add := func(r page.Route, f pageFunc) {
		out = append(out, pageMaker{route: r, open: func() (pageFunc, error) { return f, nil }})
	}
	add(page.RouteLeaderboard, func(p *i18n.Printer) (*render.Page, error) { return leaderboard.Page(s, "", p) })
	add(page.RouteModels, func(p *i18n.Printer) (*render.Page, error) { return models.Page(s, p), nil })
	add(page.RouteMethod, func(p *i18n.Printer) (*render.Page, error) { return method.Index(s, p), nil })
	add(page.RouteReports, func(p *i18n.Printer) (*render.Page, error) { return reports.Page(s, p), nil })
	add(page.RouteSuggestions, func(p *i18n.Printer) (*render.Page, error) { return suggestions.Page(s, p) })
	add(page.RouteData, func(p *i18n.Printer) (*render.Page, error) { return data.Page(s, p) })
	for _, x := range s.Content.Presets {
		add(page.PresetRoute(x.ID), func(p *i18n.Printer) (*render.Page, error) { return leaderboard.Page(s, x.ID, p) })
	}
	for _, c := range s.Content.Contracts {
		add(page.VersionRoute(c.Version), func(p *i18n.Printer) (*render.Page, error) { return method.Page(s, c, p) })
	}
	for _, c := range s.Configurations {
		out = append(out, b.modelMaker(c))
	}
	for _, r := range s.Content.Reports {
		add(page.ReportRoute(r.Slug), func(p *i18n.Printer) (*render.Page, error) { return b.reportPage(r, p) })
	}
	return out
}

// modelMaker makes the page of a configuration. It holds the run for as long as it
// takes to make the page in every language.
func (b *builder) modelMaker(c *page.Configuration) pageMaker {
	return pageMaker{route: c.Route(), file: c.Shown().Path, open: func() (pageFunc, error) {
		run, err := b.site.Run(c)
		return func(p *i18n.Printer) (*render.Page, error) { return model.Page(b.site, c, run, p), nil }, err
	}}
}

// addPages makes every page in every language.
func (b *builder) addPages(ctx context.Context) error {
	makers := b.pageMakers()
	for _, m := range makers {
		b.routes = append(b.routes, m.route)
	}
	err := b.each(ctx, len(makers), func(i int) error {
		m := makers[i]
		makePage, err := m.open()
		if err != nil {
			return m.fault(i18n.Langs[0], err)
		}
		var errs []error
		for _, l := range i18n.Langs {
			if err := b.addPageAt(ctx, m.route, makePage, b.in.Catalogs.Printer(l)); err != nil {
				errs = append(errs, m.fault(l, err))
			}
		}
		return errors.Join(errs...)
	})
	if err != nil {
		return err
	}
	return b.addFrontPages()
}

// addPageAt makes the page of a route in one language, draws its charts and adds it.
func (b *builder) addPageAt(ctx context.Context, r page.Route, makePage pageFunc, p *i18n.Printer) error {
	made, err := makePage(p)
	if err != nil {
		return err
	}
	if err := b.draw(ctx, made); err != nil {
		return err
	}
	b.frame(made, r, p)
	return b.addPage(r.File(p.Lang()), made, p)
}

// fault makes the error of a page say which page it is and, where the page shows
// a bundle, the file of that.
func (m pageMaker) fault(l i18n.Lang, err error) error {
	if m.file != "" {
		err = fmt.Errorf("%s: %w", m.file, err)
	}
	return fmt.Errorf("page %s: %w", m.route.URL(l), err)
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
