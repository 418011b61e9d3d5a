// Package model makes the page of a configuration: what it is good for, its tests
// with their numbers, charts and commands, how the model was served, and where the
// numbers come from.
//
// A page depends on the run of its configuration, whose bundle it reads; on the
// summaries of the configuration's other runs; and on the rows of the model's other
// configurations, of which it shows names and the values of the headline columns.
// Of the contents it needs the platforms' names, which contracts there are, and the
// retraction of its bundle.
package model

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Inputs name everything but the content that the page of a configuration depends
// on: two pages with the same inputs are the same.
func Inputs(s *page.Site, c *page.Configuration) []string {
	list := []string{c.Slug, fmt.Sprintf("%+v", c.Board.Key)}
	for _, run := range c.Runs {
		list = append(list, fmt.Sprintf("%+v", run))
	}
	near, more := s.Family(c)
	for _, other := range near {
		list = append(list, other.Slug, fmt.Sprintf("%+v", other.Shown()))
	}
	return append(list, strconv.FormatBool(more))
}

// Page makes the page of a configuration from its run.
func Page(s *page.Site, c *page.Configuration, run *verdict.Run, p *i18n.Printer) *render.Page {
	w := writer{site: s, conf: c, run: run, p: p}
	return &render.Page{
		Template:    "model",
		Title:       p.T("model.title", "model", c.Name(), "configuration", c.Key.Profile),
		Description: p.T("model.description", "model", c.Name(), "configuration", c.Key.Profile, "platform", s.PlatformName(c.Key.Platform)),
		HasCharts:   true,
		Crumbs: []render.Link{
			{Label: p.T("common.nav.models"), URL: page.RouteModels.URL(p.Lang())},
			{Label: c.Title()},
		},
		Body: w.body(),
	}
}

// A writer writes one configuration's page in one language.
type writer struct {
	site *page.Site
	conf *page.Configuration
	run  *verdict.Run
	p    *i18n.Printer
}

// body makes what stands within the frame.
func (w writer) body() render.Model {
	tests := w.tests()
	body := render.Model{
		Heading:       w.conf.Name(),
		Configuration: w.conf.Key.Profile,
		Byline:        w.byline(),
		Marks:         w.marks(),
		Verdict:       w.verdict(),
		Figures:       w.figures(),
		Findings:      format.Findings(w.p, w.findingsAbout("")),
		Siblings:      w.siblings(),
		Quality:       w.quality(),
		Titles:        w.titles(),
		TestsTitle:    w.p.N("model.tests.title", len(tests)),
		TestsLead:     w.testsLead(),
		Tests:         tests,
		Setup:         w.setup(),
		ServerCommand: format.ServerCommand(w.p, w.run.Bundle.Server.Argv),
		Facts:         w.facts(),
		Telemetry:     w.telemetry(),
		Client:        w.client(),
		Provenance:    w.provenance(),
		History:       w.history(),
		Downloads:     w.downloads(),
	}
	for _, t := range tests {
		body.TOC = append(body.TOC, render.Link{Label: strings.TrimSpace(t.Number + " " + t.Name), URL: "#" + t.ID})
	}
	body.Sections = sections(body)
	return body
}

// titles are the headings of the page.
func (w writer) titles() render.ModelTitles {
	return render.ModelTitles{
		Siblings:      w.p.T("model.siblings.title"),
		Quality:       w.p.T("model.quality.title"),
		Configuration: w.p.T("model.configuration.title"),
		Facts:         w.p.T("model.facts.title"),
		Telemetry:     w.p.T("model.telemetry.title"),
		Client:        w.p.T("model.client.title"),
		Provenance:    w.p.T("model.provenance.title"),
		Downloads:     w.p.T("model.downloads.title"),
	}
}

// sections are the links to those parts of the page, beside the tests, that it has.
func sections(body render.Model) []render.Link {
	var out []render.Link
	for _, part := range []struct {
		shown     bool
		id, title string
	}{
		{body.Siblings != nil, "siblings", body.Titles.Siblings},
		{body.Quality != nil, "quality", body.Titles.Quality},
		{true, "configuration", body.Titles.Configuration},
		{len(body.Facts) > 0, "facts", body.Titles.Facts},
		{body.Telemetry != nil, "telemetry", body.Titles.Telemetry},
		{body.Client != nil, "client", body.Titles.Client},
		{true, "provenance", body.Titles.Provenance},
		{true, "downloads", body.Titles.Downloads},
	} {
		if part.shown {
			out = append(out, render.Link{Label: part.title, URL: "#" + part.id})
		}
	}
	return out
}
