package site

import (
	"context"
	"errors"
	"slices"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/tomlfile"
	"example.org/arena/site/board"
	"example.org/arena/site/page"
	"example.org/arena/site/page/model"
	"example.org/arena/site/render"
	"example.org/arena/site/report"
)

// reportPage makes the page of a report.
func (b *builder) reportPage(r content.Report, p *i18n.Printer) (*render.Page, error) {
	src, err := b.reportSource(r, p)
	if err != nil {
		return nil, err
	}
	return report.Page(p, src)
}

// makeReports makes the pages of all reports. Its error is tomlfile.Faults with
// everything that is wrong with them in all languages, with the files as the content
// names them.
func (b *builder) makeReports(ctx context.Context, to *files) error {
	var all tomlfile.Faults
	for _, r := range b.in.Content.Reports {
		for _, lang := range i18n.Langs {
			err := b.makePage(ctx, to, page.ReportRoute(r.Slug), true, func(p *i18n.Printer) (*render.Page, error) { return b.reportPage(r, p) }, lang)
			var faults tomlfile.Faults
			if err != nil && !errors.As(err, &faults) {
				return err
			}
			for _, f := range faults {
				if !slices.Contains(all, f) {
					all = append(all, f)
				}
			}
		}
	}
	return all.Err()
}

// reportSource gathers what a report is made from.
func (b *builder) reportSource(r content.Report, p *i18n.Printer) (report.Source, error) {
	src := report.Source{Report: r, Catalog: b.in.Content.Catalog, Index: page.RouteReports.URL(p.Lang())}
	for _, d := range r.Deployments {
		run, err := b.reportRun(board.ConfigKey{Platform: d.Platform, Model: d.Model, Profile: d.Profile}, p)
		if err != nil {
			return src, err
		}
		src.Runs = append(src.Runs, run)
	}
	return src, nil
}

// reportRun is the measurement of a configuration, without a verdict when there is
// none.
func (b *builder) reportRun(key board.ConfigKey, p *i18n.Printer) (report.Run, error) {
	c, ok := b.site.Configuration(key)
	if !ok {
		return report.Run{}, nil
	}
	run, err := b.site.Run(c)
	if err != nil {
		return report.Run{}, err
	}
	out := report.Run{
		ID: c.Shown().ID, Verdict: run, Model: c.Row.Family, Memory: c.Row.Memory,
		Page: c.Route().URL(p.Lang()), File: "/" + c.Shown().BundleFile(),
	}
	if run.Contract != nil {
		out.Method = page.VersionRoute(run.Contract.Version).URL(p.Lang())
	}
	if c.Shown().Withdrawn {
		out.Marks = model.Marks(b.site, c, run, p)
	}
	return out, nil
}
