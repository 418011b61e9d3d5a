package site

import (
	"cmp"
	"slices"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// dataPage says what the data files are, who may use them how, and whom to
// credit.
func (b *builder) dataPage(w *i18n.Printer) (*render.Page, error) {
	values := struct{ Contact string }{b.Content.Site.Contact}
	body := render.Prose{Heading: w.T("data.heading"), Lead: w.N("data.lead", len(b.Items))}
	for _, part := range []struct {
		id, title, text string
		table           *render.Table
	}{
		{"formats", "data.formats.title", "data-formats", b.files(w)},
		{"bundles", "data.bundles.title", "", b.bundles(w)},
		{"licence", "data.licence.title", "data-licence", b.credits(w)},
		{"contact", "data.contact.title", "data-contact", nil},
	} {
		block := render.Block{ID: part.id, Title: w.T(part.title), Table: part.table}
		if part.text != "" {
			html, _, err := b.prose(content.Pages, part.text, values, w)
			if err != nil {
				return nil, err
			}
			block.Prose = html
		}
		body.Blocks = append(body.Blocks, block)
		body.TOC = append(body.TOC, render.Link{Label: block.Title, URL: "#" + part.id})
	}
	return &render.Page{Template: "prose", Title: w.T("data.title"), Description: w.N("data.lead", len(b.Items)), Body: body}, nil
}

// files lists the files for programs.
func (b *builder) files(w *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: w.T("data.files.caption"),
		Head:    []render.Head{{Label: w.T("data.files.file")}, {Label: w.T("data.files.holds")}},
	}
	add := func(file, key string) {
		t.Rows = append(t.Rows, []render.Cell{{Text: "/" + file, URL: "/" + file}, {Text: w.T(key)}})
	}
	add(leaderboardJSON, "data.files.leaderboard_json")
	add(leaderboardCSV, "data.files.leaderboard_csv")
	for _, name := range sortedKeys(b.schemas) {
		add(schemaFolder+name, "data.files.schema."+name[:len(name)-len(".schema.json")])
	}
	for _, c := range newestFirst(b.Content.Contracts) {
		t.Rows = append(t.Rows, []render.Cell{{Text: "/" + contractFile(c), URL: "/" + contractFile(c)}, {Text: w.T("data.files.contract", "version", c.Version)}})
	}
	t.Rows = append(t.Rows, []render.Cell{{Text: "/" + feedFile(w.Lang()), URL: "/" + feedFile(w.Lang())}, {Text: w.T("data.files.feed")}})
	return t
}

// bundles lists every bundle with its files.
func (b *builder) bundles(w *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: w.T("data.bundles.caption"),
		Head: []render.Head{
			{Label: w.T("board.column.model")}, {Label: w.T("model.siblings.platform")}, {Label: w.T("board.column.date"), Numeric: true},
			{Label: w.T("data.bundles.bundle")}, {Label: w.T("data.bundles.figures")},
		},
	}
	for _, c := range byName(b.configs) {
		t.Rows = append(t.Rows, []render.Cell{
			{Text: modelName(c.row) + " " + c.Key.Profile, URL: c.route().url(w.Lang())},
			{Text: b.platformName(c.Key.Platform)},
			{Text: format.Measured(w, c.row.Bundle), Class: "n"},
			{Text: c.row.ID[:12], URL: "/" + bundleFile(c.item, c.row)},
			{Text: "CSV", URL: "/" + runFile(c, ".csv")},
		})
	}
	return t
}

// A credit is a source to name.
type credit struct{ licence, credit, url string }

// credits lists whom to credit, with the number of results.
func (b *builder) credits(w *i18n.Printer) *render.Table {
	count := map[credit]int{}
	for _, item := range b.Items {
		c := credit{licence: item.Bundle.Licence, credit: item.Bundle.Credit}
		if s := item.Bundle.Source; s != nil {
			c.url = format.WebAddress(s.URL)
		}
		count[c]++
	}
	list := make([]credit, 0, len(count))
	for c := range count {
		list = append(list, c)
	}
	slices.SortFunc(list, func(x, y credit) int {
		return cmp.Or(cmp.Compare(x.credit, y.credit), cmp.Compare(x.licence, y.licence), cmp.Compare(x.url, y.url))
	})
	t := &render.Table{
		Caption: w.T("data.credits.caption"),
		Head: []render.Head{
			{Label: w.T("data.credits.credit")}, {Label: w.T("data.credits.licence")},
			{Label: w.T("data.credits.source")}, {Label: w.T("data.credits.results"), Numeric: true},
		},
	}
	for _, c := range list {
		source := render.Cell{Text: format.NotReported(w), Class: "none"}
		if c.url != "" {
			source = render.Cell{Text: c.url, URL: c.url}
		}
		name := render.Cell{Text: c.credit}
		if name.Text == "" {
			name.Text = w.T("data.credits.own")
		}
		t.Rows = append(t.Rows, []render.Cell{name, {Text: format.Licence(w, c.licence)}, source, {Text: w.Integer(int64(count[c])), Class: "n"}})
	}
	return t
}
