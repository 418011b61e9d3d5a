package site

import (
	"context"
	"errors"
	"fmt"
	"html/template"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/dataset"
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

// A pageMaker makes a page in one language.
type pageMaker func(*i18n.Printer) (*render.Page, error)

// pageParts lists the pages of the site, each in every language. All is what a
// page depends on that may show any bundle.
func (b *builder) pageParts(all []string) []part {
	s := b.site
	var parts []part
	add := func(route page.Route, make pageMaker) {
		b.routes = append(b.routes, route)
		parts = append(parts, part{name: string(route), inputs: all, make: func(ctx context.Context, to *files) error {
			return b.makePages(ctx, to, route, true, make)
		}})
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
		b.routes = append(b.routes, c.Route())
		parts = append(parts, b.configurationPart(c))
	}
	for _, r := range s.Content.Reports {
		b.routes = append(b.routes, page.ReportRoute(r.Slug))
	}
	return append(parts, part{name: "reports", inputs: all, make: b.makeReports})
}

// configurationPart is the page of a configuration and its figures as data.
func (b *builder) configurationPart(c *page.Configuration) part {
	make := func(ctx context.Context, to *files) error {
		run, err := b.site.Run(c)
		if err != nil {
			return err
		}
		err = b.makePages(ctx, to, c.Route(), false, func(p *i18n.Printer) (*render.Page, error) {
			return model.Page(b.site, c, run, p), nil
		})
		if err != nil {
			return err
		}
		figures := dataset.RunOf(c.Row, run)
		return to.addDocument(figures, figures.Table(), c.RunFile(".json"), c.RunFile(".csv"))
	}
	return part{name: string(c.Route()), file: c.Shown().Path, inputs: model.Inputs(b.site, c), make: make}
}

// makePages makes the page of a route in every language.
func (b *builder) makePages(ctx context.Context, to *files, route page.Route, whole bool, make pageMaker) error {
	var errs []error
	for _, lang := range i18n.Langs {
		errs = append(errs, b.makePage(ctx, to, route, whole, make, lang))
	}
	return errors.Join(errs...)
}

// makePage makes the page of a route in one language. A page that depends on the
// whole site says of what day that is; any other would change with every bundle.
func (b *builder) makePage(ctx context.Context, to *files, route page.Route, whole bool, make pageMaker, lang i18n.Lang) error {
	p := b.printers[lang]
	made, err := make(p)
	if err == nil {
		err = b.draw(ctx, to, made)
	}
	if err != nil {
		return fmt.Errorf("page %s: %w", route.URL(lang), err)
	}
	b.frame(made, route, p)
	if whole {
		made.Footer.Summary = p.T("common.footer.summary", "bundles", len(b.in.Items), "date", b.in.Date)
	}
	return to.addPage(route.File(lang), made, p)
}

// draw draws the charts of a page and adds the data of their interactive versions,
// each under a name that holds its hash: pages that show the same chart share it.
func (b *builder) draw(ctx context.Context, to *files, made *render.Page) error {
	for _, f := range made.Figures() {
		drawn, err := b.in.Charts.Render(ctx, f.ID, f.Spec)
		if err != nil {
			return fmt.Errorf("draw %s: %w", f.ID, err)
		}
		file := chartFolder + bundle.ID(drawn.Option)[:16] + ".json"
		if err := to.add(file, drawn.Option); err != nil {
			return err
		}
		// Drawn by our own code from checked specifications: labels are escaped there.
		f.Wide, f.Narrow = template.HTML(drawn.Wide), template.HTML(drawn.Narrow)
		f.Option = "/" + file
	}
	return nil
}

// addPage renders, minifies and adds a page.
func (to *files) addPage(file string, made *render.Page, p *i18n.Printer) error {
	data, err := to.site.render.Render(made, p)
	if err != nil {
		return err
	}
	small, err := to.site.minifier.Bytes("text/html", data)
	if err != nil {
		return fmt.Errorf("minify %s: %w", file, err)
	}
	return to.add(file, small)
}
