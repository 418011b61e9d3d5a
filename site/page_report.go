package site

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/markdown"
	"example.org/arena/site/page"
	"example.org/arena/site/page/model"
	"example.org/arena/site/render"
)

// A report is a text with blocks of tables and charts between its paragraphs.
// Every number in either comes from bundles. In the Markdown a block is a line
// of its own, [[name]].

// reports returns the slugs of the reports whose bundles are all there.
func (b *builder) reports() []string {
	var out []string
	for _, slug := range b.in.Content.Texts(content.Reports) {
		if _, ok := b.deployments(slug); ok {
			out = append(out, slug)
		}
	}
	return out
}

// kimiK3 is the slug of the report on Kimi K3.
const kimiK3 = "kimi-k3-dgx-b300"

// reportBundles names the configurations that each report is about, in the order
// of its tables.
var reportBundles = map[string][]board.ConfigKey{
	kimiK3: {
		{Platform: "dgx-b300", Model: "moonshotai/Kimi-K3", Profile: "vllm-direct"},
		{Platform: "dgx-b300", Model: "moonshotai/Kimi-K3", Profile: "vllm-dspark"},
		{Platform: "dgx-b300", Model: "moonshotai/Kimi-K3", Profile: "sglang-direct"},
		{Platform: "dgx-b300", Model: "moonshotai/Kimi-K3", Profile: "sglang-dspark"},
	},
}

// deployments returns the configurations of a report, false when one is missing.
func (b *builder) deployments(slug string) ([]*page.Configuration, bool) {
	var out []*page.Configuration
	for _, key := range reportBundles[slug] {
		c, ok := b.site.Configuration(key)
		if !ok {
			return nil, false
		}
		out = append(out, c)
	}
	return out, len(out) > 0
}

// blockLine is a line that stands for a block.
var blockLine = regexp.MustCompile(`^\[\[([a-z0-9-]+)\]\]$`)

// reportPage makes a report.
func (b *builder) reportPage(slug string) func(*i18n.Printer) (*render.Page, error) {
	return func(w *i18n.Printer) (*render.Page, error) {
		configs, ok := b.deployments(slug)
		if !ok {
			return nil, fmt.Errorf("report %s: a bundle is missing", slug)
		}
		k := newKimi(b, w, configs)
		blocks, toc, err := b.reportBlocks(slug, k, w)
		if err != nil {
			return nil, err
		}
		marks, err := b.withdrawnMarks(configs, w)
		if err != nil {
			return nil, err
		}
		body := render.Report{
			Heading: w.T("report." + slug + ".title"),
			Lead:    w.T("report." + slug + ".lead"),
			Marks:   marks,
			Facts:   k.facts(),
			TOC:     toc,
			Blocks:  blocks,
			Sources: k.sources(),
		}
		return &render.Page{
			Template:    "report",
			Title:       body.Heading,
			Description: body.Lead,
			HasCharts:   true,
			Crumbs:      []render.Link{{Label: w.T("common.nav.reports"), URL: page.RouteReports.URL(w.Lang())}, {Label: body.Heading}},
			Body:        body,
		}, nil
	}
}

// withdrawnMarks says which measurements of a report no longer stand, and why.
func (b *builder) withdrawnMarks(configs []*page.Configuration, w *i18n.Printer) ([]string, error) {
	var out []string
	for _, c := range configs {
		if !c.Shown().Withdrawn {
			continue
		}
		run, err := b.site.Run(c)
		if err != nil {
			return nil, err
		}
		for _, text := range model.Marks(b.site, c, run, w) {
			out = append(out, w.T("report.withdrawn", "configuration", c.Key.Profile, "text", text))
		}
	}
	return out, nil
}

// reportBlocks reads the text of a report and puts its blocks between the
// paragraphs.
func (b *builder) reportBlocks(slug string, k *kimi, w *i18n.Printer) ([]render.Block, []render.Link, error) {
	source, ok := b.in.Content.Text(content.Reports, slug, string(w.Lang()))
	if !ok {
		return nil, nil, fmt.Errorf("no text content/reports/%s.%s.md", slug, w.Lang())
	}
	file := fmt.Sprintf("content/reports/%s.%s.md", slug, w.Lang())
	filled, err := markdown.Fill(file, source, k)
	if err != nil {
		return nil, nil, err
	}
	var blocks []render.Block
	var toc []render.Link
	var used []string
	flush := func(lines []string) error {
		html, headings, err := markdown.New().Render([]byte(strings.Join(lines, "\n")))
		if err != nil {
			return err
		}
		for _, h := range headings {
			if h.Level == 2 {
				toc = append(toc, render.Link{Label: h.Text, URL: "#" + h.ID})
			}
		}
		blocks = append(blocks, render.Block{Prose: html})
		return nil
	}
	var lines []string
	for _, line := range strings.Split(string(filled), "\n") {
		m := blockLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			lines = append(lines, line)
			continue
		}
		if err := flush(lines); err != nil {
			return nil, nil, err
		}
		lines = nil
		made, err := k.block(m[1])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: block [[%s]]: %w", file, m[1], err)
		}
		blocks, used = append(blocks, made...), append(used, m[1])
	}
	if err := flush(lines); err != nil {
		return nil, nil, err
	}
	for _, name := range k.names() {
		if !slices.Contains(used, name) {
			return nil, nil, fmt.Errorf("%s: block [[%s]] is nowhere in the text", file, name)
		}
	}
	return blocks, toc, nil
}

// reportSources lists the bundles behind a report.
func (b *builder) reportSources(configs []*page.Configuration, w *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: w.T("report.sources.caption"),
		Head: []render.Head{
			{Label: w.T("report.sources.configuration")}, {Label: w.T("model.provenance.bundle")},
			{Label: w.T("data.credits.credit")}, {Label: w.T("data.credits.licence")},
		},
	}
	for _, c := range configs {
		t.Rows = append(t.Rows, []render.Cell{
			{Text: c.Key.Profile, URL: c.Route().URL(w.Lang())},
			{Text: c.Row.ID[:12], URL: "/" + c.Shown().BundleFile()},
			{Text: c.Row.Bundle.Credit}, {Text: format.Licence(w, c.Row.Bundle.Licence)},
		})
	}
	return t
}
