package site

import (
	"fmt"
	"slices"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/facts"
	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// A configuration is what a model page is about: one model, precision and set of
// server settings on one platform, as one source measured it.
type configuration struct {
	board.Configuration
	slug  string         // model and profile as they stand in addresses
	runs  []board.RowRef // the source's runs, the one shown first
	board *board.Board   // the board it stands on; one without rows for a withdrawn bundle
	row   *board.Row     // the run shown
	item  Item
}

// route is the address of the configuration's page.
func (c configuration) route() route { return routeModels + route(c.slug+"/") }

// withdrawn reports whether the run shown was retracted or superseded.
func (c configuration) withdrawn() bool { return c.runs[0].Board < 0 }

// configurations finds the pages. An address names model and profile. Where two
// platforms have the same, the ones that are not the default platform add theirs;
// where several sources measured the same, all but the one on the main board add
// a mark of their board, so that no later contribution takes over a page.
func (b *builder) configurations() ([]configuration, error) {
	count := map[string]int{}
	for _, c := range b.set.Configurations {
		count[c.Key.Model+"\x00"+c.Key.Profile]++
	}
	var out []configuration
	for _, c := range b.set.Configurations {
		slug, err := bundle.ModelSlug(c.Key.Model)
		if err != nil {
			return nil, err
		}
		slug += "/" + c.Key.Profile
		if count[c.Key.Model+"\x00"+c.Key.Profile] > 1 && c.Key.Platform != b.Content.Site.Defaults.Platform {
			slug += "--" + c.Key.Platform
		}
		for i, conf := range b.sources(c) {
			conf.slug = slug
			if i > 0 {
				conf.slug += "--" + mark(conf.board.Key)
			}
			out = append(out, conf)
		}
	}
	return out, nil
}

// sources parts the runs of a configuration by the board they belong to: the main
// board first, then in the order of the boards.
func (b *builder) sources(c board.Configuration) []configuration {
	var out []configuration
	for _, ref := range append(slices.Clone(c.Current), c.History...) {
		bd, row := b.standing(ref)
		at := slices.IndexFunc(out, func(x configuration) bool { return x.board.Key == bd.Key })
		if at < 0 {
			out = append(out, configuration{Configuration: c, board: bd, row: row, item: b.byID[ref.ID]})
			at = len(out) - 1
		}
		out[at].runs = append(out[at].runs, ref)
	}
	main := b.mainBoard()
	slices.SortStableFunc(out, func(x, y configuration) int {
		return order(main != nil && y.board.Key == main.Key) - order(main != nil && x.board.Key == main.Key)
	})
	return out
}

// mark is a short name for a board in an address.
func mark(k board.Key) string {
	return bundle.ID([]byte(strings.Join([]string{k.Contract, k.Digest, string(k.Kind), k.Source}, "\x00")))[:8]
}

// standing returns the row that a reference names with its board. The bundle of a
// configuration that was withdrawn keeps its page: it brings its own.
func (b *builder) standing(ref board.RowRef) (*board.Board, *board.Row) {
	if row := b.set.Row(ref); row != nil {
		return &b.set.Boards[ref.Board], row
	}
	for i := range b.set.Withdrawn {
		if w := &b.set.Withdrawn[i]; w.ID == ref.ID {
			return w.Board, w.Row
		}
	}
	return nil, nil
}

// pages returns the pages of a configuration, the main one first.
func (b *builder) pages(key board.ConfigKey) []configuration {
	var out []configuration
	for _, c := range b.configs {
		if c.Key == key {
			out = append(out, c)
		}
	}
	return out
}

// byBundle returns the page that a bundle stands on.
func (b *builder) byBundle(id string) (configuration, bool) {
	for _, c := range b.configs {
		if slices.ContainsFunc(c.runs, func(ref board.RowRef) bool { return ref.ID == id }) {
			return c, true
		}
	}
	return configuration{}, false
}

// modelName is the name of a row's model as its vendor writes it.
func modelName(r *board.Row) string {
	if r.Family != nil {
		return r.Family.Name
	}
	return r.Config.Model
}

// modelPage makes the page of a configuration.
func (b *builder) modelPage(c configuration) func(*i18n.Printer) (*render.Page, error) {
	return func(w *i18n.Printer) (*render.Page, error) {
		m := modelWriter{builder: b, configuration: c, Printer: w}
		body := m.body()
		name := modelName(c.row)
		return &render.Page{
			Template:    "model",
			Title:       w.T("model.title", "model", name, "configuration", c.Key.Profile),
			Description: w.T("model.description", "model", name, "configuration", c.Key.Profile, "platform", b.platformName(c.Key.Platform)),
			HasCharts:   true,
			Crumbs: []render.Link{
				{Label: w.T("common.nav.models"), URL: routeModels.url(w.Lang())},
				{Label: name + " " + c.Key.Profile},
			},
			Body: body,
		}, nil
	}
}

// platformName is a platform's name, or its id when nothing is known about it.
func (b *builder) platformName(id string) string {
	if p, ok := b.Content.Catalog.Platform(id); ok {
		return p.Name
	}
	return id
}

// A modelWriter makes one configuration's page in one language.
type modelWriter struct {
	*builder
	configuration
	*i18n.Printer
}

func (m modelWriter) body() render.Model {
	tests := m.tests()
	body := render.Model{
		Heading:       modelName(m.row),
		Configuration: m.Key.Profile,
		Byline:        m.byline(),
		Marks:         m.marks(),
		Verdict:       m.verdict(),
		Figures:       m.figures(),
		Findings:      format.Findings(m.Printer, m.about("")),
		Siblings:      m.siblings(),
		Quality:       m.quality(),
		TestsTitle:    m.N("model.tests.title", len(tests)),
		TestsLead:     m.testsLead(),
		Tests:         tests,
		Setup:         m.setup(),
		ServerCommand: m.serverCommand(),
		Facts:         m.facts(),
		Telemetry:     m.telemetry(),
		Client:        m.client(),
		Provenance:    m.provenance(),
		History:       m.history(),
		Downloads:     m.downloads(),
	}
	for _, t := range tests {
		body.TOC = append(body.TOC, render.Link{Label: strings.TrimSpace(t.Number + " " + t.Name), URL: "#" + t.ID})
	}
	body.Sections = m.sections(body)
	return body
}

// sections are the links to what follows the tests.
func (m modelWriter) sections(body render.Model) []render.Link {
	var out []render.Link
	add := func(there bool, id, label string) {
		if there {
			out = append(out, render.Link{Label: m.T(label), URL: "#" + id})
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

// byline says where, by what rules and when it was measured, and by whom if not
// by this project.
func (m modelWriter) byline() []string {
	b := m.row.Bundle
	parts := []string{m.platformName(b.Platform)}
	if m.board.Contract != nil {
		parts = append(parts, m.T("method.index.contract", "version", m.board.Contract.Version))
	}
	out := []string{strings.Join(append(parts, format.Measured(m.Printer, b)), " · ")}
	if b.Kind == bundle.Import {
		out = append(out, m.T("model.mark.imported", "credit", b.Credit))
	}
	return out
}

// marks are the warnings that a reader must see before any number.
func (m modelWriter) marks() []string {
	var out []string
	if m.row.Bundle.Kind == bundle.Simulated {
		out = append(out, m.T("model.mark.simulated"))
	}
	if b := m.row.Bundle; b.Kind == bundle.Run && b.Engine.Dirty {
		out = append(out, m.T("model.mark.dirty"))
	}
	retraction, retracted := m.Content.Retraction(m.row.ID)
	for _, r := range m.runs[0].Reasons {
		if r.Code != board.ReasonRetracted || !retracted {
			out = append(out, m.T("model.mark.not_current", "reason", format.Reason(m.Printer, r)))
		}
	}
	if r := retraction; retracted {
		out = append(out, m.T("model.mark.retracted", "date", r.Date, "reason", m.T("retraction.reason."+r.Reason), "text", r.Text[string(m.Lang())]))
	}
	return out
}

// verdict answers in a sentence or two what the configuration is good for.
func (m modelWriter) verdict() string {
	var parts []string
	say := func(column, key string) {
		v, ok := m.value(column)
		if ok && v.Known {
			parts = append(parts, m.T(key, "number", format.Quantity(m.Printer, v)))
		}
	}
	say(board.ColumnOneUser, "model.verdict.one_user")
	if v, ok := m.value(board.ColumnManyUsers); ok && v.Known {
		parts = append(parts, m.N("model.verdict.many_users", v.At.Concurrency, "number", format.Quantity(m.Printer, v)))
	}
	limit := m.limit()
	if v, ok := m.value(board.CapacityColumn(limit)); ok {
		switch {
		case v.Known:
			parts = append(parts, m.T("model.verdict.capacity", "rate", format.Quantity(m.Printer, v), "limit", format.ExactMilliseconds(m.Printer, float64(limit))))
		case v.Missing == board.NoRung:
			parts = append(parts, m.T("model.verdict.no_rung", "limit", format.ExactMilliseconds(m.Printer, float64(limit))))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, m.loadVerdict()...)
	}
	if len(parts) == 0 {
		return m.T("model.verdict.none")
	}
	return strings.Join(parts, " ")
}

// loadVerdict speaks of a bundle without a contract: the speed at the lowest and
// the highest concurrency.
func (m modelWriter) loadVerdict() []string {
	for _, s := range m.row.Tests {
		if s.Test == nil || len(s.Test.Cells) < 2 {
			continue
		}
		low := board.CellValue(s.Test, 0, metric.OutputRequest, board.Mean, m.row.Findings)
		high := board.CellValue(s.Test, len(s.Test.Cells)-1, metric.OutputRequest, board.Mean, m.row.Findings)
		if low.Known && high.Known {
			return []string{m.T("model.verdict.load", "low", low.At.Concurrency, "low_speed", format.Quantity(m.Printer, low), "high", high.At.Concurrency, "high_speed", format.Quantity(m.Printer, high))}
		}
	}
	return nil
}

// limit is the limit on the first token that headlines use: the middle one of
// the contract.
func (m modelWriter) limit() int {
	return middle(m.limits())
}

// limits are the contract's limits on the first token, none without a contract.
func (m modelWriter) limits() []int {
	if m.board.Contract == nil {
		return nil
	}
	return m.board.Contract.TTFTLimits
}

// value returns the row's value in a column of its board.
func (m modelWriter) value(column string) (board.Value, bool) {
	col, ok := m.board.Column(column)
	if !ok {
		return board.Value{}, false
	}
	return m.board.Value(m.row, col), true
}

// figures are the numbers at the head of the page.
func (m modelWriter) figures() []render.Number {
	var out []render.Number
	add := func(column, label string, note func(board.Value) string) {
		v, ok := m.value(column)
		if !ok {
			return
		}
		n := render.Number{Label: m.T(label)}
		if v.Known {
			n.Text, n.Note = format.Quantity(m.Printer, v), note(v)
			if s := format.Spread(m.Printer, v); s != "" {
				n.Unit = s
			}
		} else {
			n.Text, n.Note = format.Missing(m.Printer, v), format.WhyMissing(m.Printer, v)
		}
		out = append(out, n)
	}
	add(board.ColumnOneUser, "board.column.one_user", func(board.Value) string { return m.T("model.figure.one_user") })
	add(board.ColumnManyUsers, "model.figure.throughput", func(v board.Value) string { return m.N("model.figure.many_users", v.At.Concurrency) })
	add(board.ColumnTTFT, "board.column.ttft", func(board.Value) string { return m.T("model.figure.ttft") })
	if limit := m.limit(); limit > 0 {
		add(board.CapacityColumn(limit), "board.column.capacity", func(board.Value) string {
			return m.T("model.figure.capacity", "limit", format.ExactMilliseconds(m.Printer, float64(limit)))
		})
	}
	if mem := m.row.Memory; mem.Known {
		note := m.T("model.figure.weights")
		if mem.Nominal {
			note = m.T("model.figure.weights_nominal")
		}
		out = append(out, render.Number{Label: m.T("board.column.weights"), Text: m.Bytes(mem.WeightBytes), Note: note})
	}
	return out
}

func (m modelWriter) testsLead() string {
	if m.board.Contract == nil {
		if pin := m.row.Bundle.Contract; pin != nil {
			return m.T("model.tests.lead_unknown_contract", "version", pin.Version)
		}
		return m.T("model.tests.lead_no_contract")
	}
	complete := 0
	for _, s := range m.row.Tests {
		if s.Completeness == "complete" && s.Counts {
			complete++
		}
	}
	return m.T("model.tests.lead", "contract", m.board.Contract.Version, "complete", complete, "all", len(m.board.Contract.Tests))
}

// siblings compares the other configurations of the same model.
func (m modelWriter) siblings() *render.Table {
	if len(m.family()) < 2 {
		return nil
	}
	t := &render.Table{
		Caption: m.T("model.siblings.caption"),
		Head:    []render.Head{{Label: m.T("model.siblings.configuration")}, {Label: m.T("model.siblings.platform")}},
	}
	columns := []string{board.ColumnOneUser, board.ColumnManyUsers, board.ColumnTTFT, board.CapacityColumn(m.limit())}
	labels := []string{"board.column.one_user", "model.figure.throughput", "board.column.ttft", "board.column.capacity"}
	var shown []int
	for i, id := range columns {
		if v, ok := m.value(id); ok {
			shown = append(shown, i)
			t.Head = append(t.Head, render.Head{Label: m.T(labels[i]), Unit: m.Unit(string(v.Unit)), Numeric: true})
		}
	}
	for _, c := range m.family() {
		other := modelWriter{builder: m.builder, configuration: c, Printer: m.Printer}
		row := []render.Cell{
			{Text: modelName(c.row) + " " + c.Key.Profile, URL: c.route().url(m.Lang())},
			{Text: m.platformName(c.Key.Platform)},
		}
		if c.slug == m.slug {
			row[0].Mark = m.T("model.siblings.this")
		} else if c.row.Bundle.Kind == bundle.Simulated {
			row[0].Mark = m.T("common.simulated")
		} else if c.Key == m.Key {
			row[0].Mark = c.row.Bundle.Credit
		}
		for _, i := range shown {
			v, ok := other.value(columns[i])
			if !ok {
				v.Missing = board.NoContract
			}
			row = append(row, format.Cell(m.Printer, v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// family lists the pages of the same model: those of this configuration first.
func (m modelWriter) family() []configuration {
	out := m.pages(m.Key)
	for _, key := range m.Siblings {
		out = append(out, m.pages(key)...)
	}
	return out
}

// quality lists what others published about the model.
func (m modelWriter) quality() *render.Table {
	if m.row.Family == nil || len(m.row.Family.Quality) == 0 {
		return nil
	}
	t := &render.Table{
		Caption: m.T("model.quality.caption"),
		Head: []render.Head{
			{Label: m.T("model.quality.benchmark")},
			{Label: m.T("model.quality.dimension")},
			{Label: m.T("model.quality.value"), Numeric: true},
			{Label: m.T("model.quality.mode")},
			{Label: m.T("model.quality.measured_on")},
			{Label: m.T("model.quality.by")},
		},
	}
	for _, q := range m.row.Family.Quality {
		value := format.Unknown(m.Printer)
		if q.Value != nil {
			value = render.Cell{Text: format.Quality(m.Printer, q), Class: "n"}
		}
		by := m.T("model.quality.vendor")
		if q.Independent {
			by = m.T("model.quality.independent", "name", q.By)
		}
		source := render.Cell{Text: by, Class: "note"}
		if strings.HasPrefix(q.Source, "https://") {
			source.URL = q.Source
		}
		if doubt := q.Doubt[string(m.Lang())]; doubt != "" {
			source.Spread = doubt
		}
		mark := ""
		if q.Suggested && q.Dimension == facts.Science && m.board.Ranked {
			mark = m.T("model.quality.shown")
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: q.Benchmark, Mark: mark},
			{Text: m.T("quality." + string(q.Dimension) + ".name")},
			value,
			{Text: m.T("quality.mode." + strings.ReplaceAll(string(q.Mode), "-", "_")), Class: "nw"},
			{Text: q.Checkpoint, Class: "nw"},
			source,
		})
	}
	return t
}

// downloads are the files behind the page.
func (m modelWriter) downloads() []render.Link {
	return []render.Link{
		{Label: m.T("model.downloads.bundle"), URL: "/" + bundleFile(m.item, m.row)},
		{Label: m.T("model.downloads.json"), URL: "/" + runFile(m.configuration, ".json")},
		{Label: m.T("model.downloads.csv"), URL: "/" + runFile(m.configuration, ".csv")},
	}
}

// history lists the other runs of the same configuration.
func (m modelWriter) history() *render.Table {
	if len(m.runs) < 2 {
		return nil
	}
	t := &render.Table{
		Caption: m.T("model.history.caption"),
		Head: []render.Head{
			{Label: m.T("board.column.date")},
			{Label: m.T("model.provenance.bundle")},
			{Label: m.T("model.history.standing")},
		},
	}
	for _, ref := range m.runs {
		item := m.byID[ref.ID]
		standing := m.T("model.history.current")
		if len(ref.Reasons) > 0 {
			standing = format.Reason(m.Printer, ref.Reasons[0])
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: format.Measured(m.Printer, item.Bundle)},
			{Text: ref.ID[:12], URL: "/" + fmt.Sprintf("data/bundles/%s", item.Path)},
			{Text: standing},
		})
	}
	return t
}
