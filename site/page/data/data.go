// Package data makes the page about the data files: what they are, who may use them
// how, and whom to credit.
//
// It depends on the configurations, the summaries of all bundles, the contracts, the
// names of the schemas and the texts about the data; it reads no bundle.
package data

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// Page makes the page about the data files.
func Page(s *page.Site, p *i18n.Printer) (*render.Page, error) {
	values := struct{ Contact string }{s.Content.Site.Contact}
	lead := p.N("data.lead", len(s.Summaries))
	body := render.Prose{Heading: p.T("data.heading"), Lead: lead}
	for _, part := range []struct {
		id, title, text string
		table           *render.Table
	}{
		{"formats", "data.formats.title", "data-formats", files(s, p)},
		{"bundles", "data.bundles.title", "", bundles(s, p)},
		{"licence", "data.licence.title", "data-licence", credits(s, p)},
		{"contact", "data.contact.title", "data-contact", nil},
	} {
		block := render.Block{ID: part.id, Title: p.T(part.title), Table: part.table}
		if part.text != "" {
			html, err := s.Prose(content.Pages, part.text, string(p.Lang()), values)
			if err != nil {
				return nil, err
			}
			block.Prose = html
		}
		body.Blocks = append(body.Blocks, block)
		body.TOC = append(body.TOC, render.Link{Label: block.Title, URL: "#" + part.id})
	}
	return &render.Page{Template: "prose", Title: p.T("data.title"), Description: lead, Body: body}, nil
}

// files lists the files for programs.
func files(s *page.Site, p *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: p.T("data.files.caption"),
		Head:    []render.Head{{Label: p.T("data.files.file")}, {Label: p.T("data.files.holds")}},
	}
	add := func(file, holds string) {
		t.Rows = append(t.Rows, []render.Cell{{Text: "/" + file, URL: "/" + file}, {Text: holds}})
	}
	add(page.LeaderboardJSON, p.T("data.files.leaderboard_json"))
	add(page.LeaderboardCSV, p.T("data.files.leaderboard_csv"))
	for _, name := range s.Schemas {
		add(page.SchemaFile(name), p.T("data.files.schema."+strings.TrimSuffix(name, ".schema.json")))
	}
	for _, c := range s.Contracts() {
		add(page.ContractFile(c.Version), p.T("data.files.contract", "version", c.Version))
	}
	add(page.FeedFile(p.Lang()), p.T("data.files.feed"))
	return t
}

// bundles lists every configuration with the files of the run shown.
func bundles(s *page.Site, p *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: p.T("data.bundles.caption"),
		Head: []render.Head{
			{Label: p.T("board.column.model")},
			{Label: p.T("model.siblings.platform")},
			{Label: p.T("board.column.date"), Numeric: true},
			{Label: p.T("data.bundles.bundle")},
			{Label: p.T("data.bundles.figures")},
		},
	}
	for _, c := range s.ByName() {
		run := c.Shown()
		t.Rows = append(t.Rows, []render.Cell{
			{Text: c.Title(), URL: c.Route().URL(p.Lang())},
			{Text: s.PlatformName(c.Key.Platform)},
			{Text: format.Date(p, run.Measured), Class: "n"},
			{Text: run.ID[:12], URL: "/" + run.BundleFile()},
			{Text: "CSV", URL: "/" + c.RunFile(".csv")},
		})
	}
	return t
}

// A credit is a source to name.
type credit struct{ licence, name, url string }

// credits lists whom to credit, with the number of results.
func credits(s *page.Site, p *i18n.Printer) *render.Table {
	count := map[credit]int{}
	for _, b := range s.Summaries {
		count[credit{licence: b.Licence, name: b.Credit, url: format.WebAddress(b.Source)}]++
	}
	t := &render.Table{
		Caption: p.T("data.credits.caption"),
		Head: []render.Head{
			{Label: p.T("data.credits.credit")},
			{Label: p.T("data.credits.licence")},
			{Label: p.T("data.credits.source")},
			{Label: p.T("data.credits.results"), Numeric: true},
		},
	}
	for _, c := range slices.SortedFunc(maps.Keys(count), compareCredits) {
		source := render.Cell{Text: format.NotReported(p), Class: "none"}
		if c.url != "" {
			source = render.Cell{Text: c.url, URL: c.url}
		}
		name := cmp.Or(c.name, p.T("data.credits.own"))
		t.Rows = append(t.Rows, []render.Cell{{Text: name}, {Text: format.Licence(p, c.licence)}, source, {Text: p.Integer(int64(count[c])), Class: "n"}})
	}
	return t
}

func compareCredits(x, y credit) int {
	return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.licence, y.licence), cmp.Compare(x.url, y.url))
}
