// Package models makes the list of all configurations, by platform and model.
//
// It depends on the configurations, their rows and the summaries of the runs shown,
// and on what the platforms are; it reads no bundle.
package models

import (
	"maps"
	"slices"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Page makes the list of all configurations.
func Page(s *page.Site, p *i18n.Printer) *render.Page {
	lead := p.N("models.lead", len(s.Configurations))
	byPlatform := map[string][]*page.Configuration{}
	for _, c := range s.ByName() {
		byPlatform[c.Key.Platform] = append(byPlatform[c.Key.Platform], c)
	}
	body := render.List{Heading: p.T("models.heading"), Lead: lead}
	for _, id := range platforms(byPlatform, s.Content.Site.Defaults.Platform) {
		name := s.PlatformName(id)
		body.Groups = append(body.Groups, render.Group{
			ID: "platform-" + id, Title: name, Text: about(s, id, p), Table: table(name, byPlatform[id], p),
		})
	}
	return &render.Page{Template: "list", Title: p.T("models.title"), Description: lead, Body: body}
}

// platforms lists the platforms with measurements, the default one first.
func platforms(measured map[string][]*page.Configuration, first string) []string {
	var out []string
	if _, ok := measured[first]; ok {
		out = append(out, first)
	}
	for _, id := range slices.Sorted(maps.Keys(measured)) {
		if id != first {
			out = append(out, id)
		}
	}
	return out
}

// about says what a platform is, as far as sources state it.
func about(s *page.Site, id string, p *i18n.Printer) string {
	x, ok := s.Content.Catalog.Platform(id)
	if !ok {
		return ""
	}
	text := p.T("models.platform.accelerator", "count", x.Accelerators, "name", x.Accelerator)
	if x.Memory != nil {
		text += " " + p.T("models.platform.memory", "bytes", x.Memory.Value)
	}
	if x.Bandwidth != nil {
		text += " " + p.T("models.platform.bandwidth", "rate", i18n.Amount{Value: x.Bandwidth.Value / 1e9, Unit: "GB/s"})
	}
	return text
}

// table lists the configurations of a platform.
func table(platform string, list []*page.Configuration, p *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: p.T("models.caption", "platform", platform),
		Head: []render.Head{
			{Label: p.T("board.column.model")},
			{Label: p.T("models.precision")},
			{Label: p.T("models.server")},
			{Label: p.T("models.tests"), Numeric: true},
			{Label: p.T("board.column.date"), Numeric: true},
		},
	}
	for _, c := range list {
		t.Rows = append(t.Rows, row(c, p))
	}
	return t
}

func row(c *page.Configuration, p *i18n.Printer) []render.Cell {
	run := c.Shown()
	precision := render.Cell{Text: format.NotReported(p), Class: "none"}
	if c.Row.Precision != "" {
		precision = render.Cell{Text: p.T("models.precision_value", "precision", format.Precision(c.Row.Precision))}
	}
	name := render.Cell{Text: c.Title(), URL: c.Route().URL(p.Lang())}
	switch {
	case run.Kind == bundle.Simulated:
		name.Mark = p.T("common.simulated")
	case run.Speculation:
		name.Mark = p.T("board.mark.speculation")
	}
	return []render.Cell{
		name, precision,
		{Text: run.Server},
		{Text: p.Integer(int64(c.MeasuredTests)), Class: "n"},
		{Text: format.Date(p, run.Measured), Class: "n"},
	}
}
