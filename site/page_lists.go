package site

import (
	"cmp"
	"slices"
	"strings"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// modelsPage lists every configuration, by platform and model.
func (b *builder) modelsPage(w *i18n.Printer) (*render.Page, error) {
	body := render.List{Heading: w.T("models.heading"), Lead: w.N("models.lead", len(b.configs))}
	for _, platform := range b.platforms() {
		t := &render.Table{
			Caption: w.T("models.caption", "platform", b.platformName(platform)),
			Head: []render.Head{
				{Label: w.T("board.column.model")}, {Label: w.T("models.precision")},
				{Label: w.T("models.server")}, {Label: w.T("models.tests"), Numeric: true}, {Label: w.T("board.column.date"), Numeric: true},
			},
		}
		for _, c := range byName(b.configs) {
			if c.Key.Platform == platform {
				t.Rows = append(t.Rows, b.modelRow(c, w))
			}
		}
		body.Groups = append(body.Groups, render.Group{ID: "platform-" + platform, Title: b.platformName(platform), Text: b.platformText(platform, w), Table: t})
	}
	return &render.Page{Template: "list", Title: w.T("models.title"), Description: w.N("models.lead", len(b.configs)), Body: body}, nil
}

// byName orders configurations as a reader looks for them: by the model's name.
func byName(configs []configuration) []configuration {
	out := slices.Clone(configs)
	slices.SortStableFunc(out, func(x, y configuration) int {
		return cmp.Or(
			cmp.Compare(strings.ToLower(modelName(x.row)), strings.ToLower(modelName(y.row))),
			cmp.Compare(x.Key.Profile, y.Key.Profile),
		)
	})
	return out
}

// platforms lists the platforms with measurements, the default one first.
func (b *builder) platforms() []string {
	var out []string
	for _, c := range b.configs {
		if !slices.Contains(out, c.Key.Platform) {
			out = append(out, c.Key.Platform)
		}
	}
	first := b.Content.Site.Defaults.Platform
	slices.SortFunc(out, func(x, y string) int {
		return cmp.Or(-cmp.Compare(order(x == first), order(y == first)), cmp.Compare(x, y))
	})
	return out
}

func order(b bool) int {
	if b {
		return 1
	}
	return 0
}

// platformText says what a platform is, as far as sources state it.
func (b *builder) platformText(id string, w *i18n.Printer) string {
	p, ok := b.Content.Catalog.Platform(id)
	if !ok {
		return ""
	}
	text := w.T("models.platform.accelerator", "count", p.Accelerators, "name", p.Accelerator)
	if p.Memory != nil {
		text += " " + w.T("models.platform.memory", "bytes", p.Memory.Value)
	}
	if p.Bandwidth != nil {
		text += " " + w.T("models.platform.bandwidth", "rate", i18n.Amount{Value: p.Bandwidth.Value / 1e9, Unit: "GB/s"})
	}
	return text
}

func (b *builder) modelRow(c configuration, w *i18n.Printer) []render.Cell {
	done := 0
	for _, s := range c.row.Tests {
		if s.Test != nil && s.Measured+order(s.Spec == nil) > 0 {
			done++
		}
	}
	precision := render.Cell{Text: format.NotReported(w), Class: "none"}
	if c.row.Precision != "" {
		precision = render.Cell{Text: w.T("models.precision_value", "precision", format.Precision(c.row.Precision))}
	}
	cells := []render.Cell{
		{Text: modelName(c.row) + " " + c.Key.Profile, URL: c.route().url(w.Lang())},
		precision,
		{Text: c.row.Bundle.Server.Name + " " + c.row.Bundle.Server.Version},
		{Text: w.Integer(int64(done)), Class: "n"},
		{Text: format.Measured(w, c.row.Bundle), Class: "n"},
	}
	if c.row.Bundle.Draft != nil {
		cells[0].Mark = w.T("board.mark.speculation")
	}
	if c.row.Bundle.Kind == bundle.Simulated {
		cells[0].Mark = w.T("common.simulated")
	}
	return cells
}

// reportsPage lists the reports.
func (b *builder) reportsPage(w *i18n.Printer) (*render.Page, error) {
	t := &render.Table{
		Caption: w.T("reports.caption"),
		Head:    []render.Head{{Label: w.T("reports.report")}, {Label: w.T("reports.about")}},
	}
	for _, slug := range b.reports() {
		t.Rows = append(t.Rows, []render.Cell{
			{Text: w.T("report." + slug + ".title"), URL: routeReport(slug).url(w.Lang())},
			{Text: w.T("report." + slug + ".lead")},
		})
	}
	body := render.List{Heading: w.T("reports.title"), Lead: w.T("reports.lead"), Groups: []render.Group{{ID: "reports", Table: t}}}
	return &render.Page{Template: "list", Title: w.T("reports.title"), Description: w.T("reports.lead"), Body: body}, nil
}

// suggestionsPage lists what people want to see measured, and how to propose it.
func (b *builder) suggestionsPage(w *i18n.Printer) (*render.Page, error) {
	how, _, err := b.prose(content.Pages, "suggestions-how", nil, w)
	if err != nil {
		return nil, err
	}
	body := render.Prose{Heading: w.T("suggestions.heading"), Lead: w.T("suggestions.lead")}
	list := render.Block{ID: "list", Title: w.T("suggestions.list")}
	if len(b.Content.Suggestions) == 0 {
		list.Note = w.T("suggestions.empty")
	} else {
		list.Table = b.suggestions(w)
	}
	body.Blocks = []render.Block{
		list,
		{ID: "how", Title: w.T("suggestions.how"), Prose: how},
		{ID: "example", Title: w.T("suggestions.example"), Command: &render.Command{ID: "example-file", Kind: "TOML", Text: suggestionExample}},
	}
	return &render.Page{Template: "prose", Title: w.T("suggestions.title"), Description: w.T("suggestions.lead"), Body: body}, nil
}

// suggestions is the table of suggestions with their state.
func (b *builder) suggestions(w *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: w.T("suggestions.caption"),
		Head: []render.Head{
			{Label: w.T("board.column.model")}, {Label: w.T("models.precision")}, {Label: w.T("suggestions.why")},
			{Label: w.T("suggestions.state")}, {Label: w.T("suggestions.since")},
		},
	}
	for _, s := range b.Content.Suggestions {
		state := render.Cell{Text: w.T("suggestion." + string(s.State()) + ".name")}
		var since string
		if n := len(s.History); n > 0 {
			last := s.History[n-1]
			since = w.T("board.date", "date", last.Date)
			switch {
			case last.Bundle != "":
				if c, ok := b.byBundle(last.Bundle); ok {
					state.URL = c.route().url(w.Lang())
				}
			case last.Reason != "":
				state.Spread = w.T("suggestion.reason." + last.Reason)
			}
		}
		t.Rows = append(t.Rows, []render.Cell{{Text: s.Model}, {Text: format.Precision(s.Quantisation)}, {Text: s.Why}, state, {Text: since}})
	}
	return t
}

// suggestionExample is a file that a contributor can start from.
const suggestionExample = `model = "ORG/MODEL"
quantisation = "nvfp4"
vllm_args = "--max-num-seqs 64"
why = ""

[[history]]
state = "proposed"
date = "2026-12-01"`
