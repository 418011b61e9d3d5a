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
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

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
	body.Sections = w.sections(body)
	return body
}

// sections are the links to what follows the tests.
func (w writer) sections(body render.Model) []render.Link {
	var out []render.Link
	add := func(there bool, id, label string) {
		if there {
			out = append(out, render.Link{Label: w.p.T(label), URL: "#" + id})
		}
	}
	add(body.Siblings != nil, "siblings", "model.siblings.title")
	add(body.Quality != nil, "quality", "model.quality.title")
	add(true, "configuration", "model.configuration.title")
	add(len(body.Facts) > 0, "facts", "model.facts.title")
	add(body.Telemetry != nil, "telemetry", "model.telemetry.title")
	add(body.Client != nil, "client", "model.client.title")
	add(true, "provenance", "model.provenance.title")
	add(true, "downloads", "model.downloads.title")
	return out
}
