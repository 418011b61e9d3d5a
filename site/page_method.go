package site

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/site/format"
	"example.org/arena/site/markdown"
	"example.org/arena/site/render"
)

// prose fills in a text of the repository and turns it into HTML.
func (b *builder) prose(s content.Section, name string, values any, w *i18n.Printer) (template.HTML, []markdown.Heading, error) {
	source, ok := b.Content.Text(s, name, string(w.Lang()))
	if !ok {
		return "", nil, fmt.Errorf("no text content/%s/%s.%s.md", s, name, w.Lang())
	}
	file := fmt.Sprintf("content/%s/%s.%s.md", s, name, w.Lang())
	filled, err := markdown.Fill(file, source, values)
	if err != nil {
		return "", nil, err
	}
	return b.markdown.Render(filled)
}

// methodIndexPage lists the versions of the contract.
func (b *builder) methodIndexPage(w *i18n.Printer) (*render.Page, error) {
	t := &render.Table{
		Caption: w.T("method.index.caption"),
		Head: []render.Head{
			{Label: w.T("method.index.version")}, {Label: w.T("method.index.date")},
			{Label: w.T("method.index.tests"), Numeric: true}, {Label: w.T("method.index.results"), Numeric: true},
		},
	}
	for _, c := range newestFirst(b.Content.Contracts) {
		results := 0
		for _, item := range b.Items {
			if p := item.Bundle.Contract; p != nil && p.Version == c.Version {
				results++
			}
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: w.T("method.index.contract", "version", c.Version), URL: routeVersion(c.Version).url(w.Lang())},
			{Text: w.T("method.date", "date", c.Date)},
			{Text: w.Integer(int64(len(c.Tests))), Class: "n"},
			{Text: w.Integer(int64(results)), Class: "n"},
		})
	}
	return &render.Page{
		Template:    "list",
		Title:       w.T("method.index.title"),
		Description: w.T("method.index.lead"),
		Body:        render.List{Heading: w.T("method.index.title"), Lead: w.T("method.index.lead"), Groups: []render.Group{{ID: "versions", Title: w.T("method.index.caption"), Table: t}}},
	}, nil
}

func newestFirst(list []*contract.Contract) []*contract.Contract {
	out := make([]*contract.Contract, len(list))
	for i, c := range list {
		out[len(list)-1-i] = c
	}
	return out
}

// methodPage makes the page of one version of the contract.
func (b *builder) methodPage(c *contract.Contract) func(*i18n.Printer) (*render.Page, error) {
	return func(w *i18n.Printer) (*render.Page, error) {
		m := methodWriter{builder: b, Printer: w, contract: c}
		body, err := m.body()
		if err != nil {
			return nil, err
		}
		return &render.Page{
			Template:    "method",
			Title:       w.T("method.title", "version", c.Version),
			Description: w.T("method.description", "version", c.Version, "tests", len(c.Tests)),
			Crumbs: []render.Link{
				{Label: w.T("common.nav.method"), URL: routeMethod.url(w.Lang())},
				{Label: w.T("method.index.contract", "version", c.Version)},
			},
			Body: body,
		}, nil
	}
}

// A methodWriter makes the page of one contract in one language.
type methodWriter struct {
	*builder
	*i18n.Printer
	contract *contract.Contract
}

// versioned returns the name of the text that speaks of the contract. What holds
// of all versions has a plain name; where a version differs it has a text of its
// own, <name>-<version>, which then holds of later ones too.
func (m methodWriter) versioned(s content.Section, name string) string {
	for _, c := range slices.Backward(m.Content.Contracts[:slices.Index(m.Content.Contracts, m.contract)+1]) {
		own := name + "-" + c.Version
		if _, ok := m.Content.Text(s, own, string(m.Lang())); ok {
			return own
		}
	}
	return name
}

// changesText says why this version differs from the one before it, empty for one
// that does not explain itself.
func (m methodWriter) changesText() (template.HTML, error) {
	name := "method-changes-" + m.contract.Version
	if _, ok := m.Content.Text(content.Pages, name, string(m.Lang())); !ok {
		return "", nil
	}
	html, _, err := m.prose(content.Pages, name, m.values(), m.Printer)
	return html, err
}

// methodValues are the numbers that the texts of a method page may name.
type methodValues struct {
	Version, Tests, Closed, Open, Runs, Rounds, Warmup, Seed, Threshold string
}

func (m methodWriter) values() methodValues {
	closed, runs, rounds, warmup := 0, 0, 0, 0
	for _, t := range m.contract.Tests {
		if t.ClosedLoop != nil {
			closed++
			runs, rounds, warmup = t.ClosedLoop.Runs, t.ClosedLoop.Rounds, t.ClosedLoop.WarmupTokens
		}
	}
	return methodValues{
		Version:   m.contract.Version,
		Tests:     m.Integer(int64(len(m.contract.Tests))),
		Closed:    m.Integer(int64(closed)),
		Open:      m.Integer(int64(len(m.contract.Tests) - closed)),
		Runs:      m.Integer(int64(runs)),
		Rounds:    m.Integer(int64(rounds)),
		Warmup:    m.Integer(int64(warmup)),
		Seed:      strconv.FormatInt(m.contract.Seed, 10),
		Threshold: m.Percent(m.contract.SuccessThreshold, 0),
	}
}

func (m methodWriter) body() (render.Method, error) {
	body := render.Method{
		Heading:    m.T("method.heading"),
		Lead:       m.T("method.lead", "version", m.contract.Version, "tests", len(m.contract.Tests)),
		TestsTitle: m.N("method.tests.title", len(m.contract.Tests)),
		Overview:   m.overview(),
		Changes:    m.changes(),
		Metrics:    m.metrics(),
		Facts:      m.terms(),
	}
	for _, c := range newestFirst(m.Content.Contracts) {
		n := render.NavLink{Link: render.Link{Label: m.T("method.index.contract", "version", c.Version), URL: routeVersion(c.Version).url(m.Lang())}}
		if c == m.contract {
			n.Current = "page"
		}
		body.Versions = append(body.Versions, n)
	}
	for _, part := range []struct {
		name string
		into *template.HTML
	}{{"method-intro", &body.Intro}, {"method-counts", &body.Counts}, {"method-reproduce", &body.Reproduce}} {
		html, _, err := m.prose(content.Pages, m.versioned(content.Pages, part.name), m.values(), m.Printer)
		if err != nil {
			return body, err
		}
		*part.into = html
	}
	var err error
	if body.ChangesText, err = m.changesText(); err != nil {
		return body, err
	}
	errata := m.Content.ErrataOf(m.contract.Version)
	if errata != nil {
		for _, e := range errata.List {
			body.Errata = append(body.Errata, m.erratum(e))
		}
	}
	for _, t := range m.contract.Tests {
		section, err := m.test(t, errata)
		if err != nil {
			return body, err
		}
		body.Tests = append(body.Tests, section)
	}
	return body, nil
}

// erratum writes what is wrong with the contract.
func (m methodWriter) erratum(e contract.Erratum) string {
	args := []any{}
	for _, p := range e.Params {
		if n, err := strconv.ParseFloat(p.Value, 64); p.Number && err == nil {
			args = append(args, p.Name, n)
		} else {
			args = append(args, p.Name, p.Value)
		}
	}
	return m.T("erratum."+e.Code+".text", args...)
}

// terms lists what holds for the whole contract.
func (m methodWriter) terms() []render.Term {
	t := format.NewTerms(m.Printer)
	date := m.T("method.date", "date", m.contract.Date)
	note := ""
	if !m.contract.DateStated {
		note = m.T("method.facts.date_not_stated")
	}
	t.Add("method.facts.date", render.Value{Text: date, Note: note})
	t.Text("method.facts.seed", strconv.FormatInt(m.contract.Seed, 10))
	if m.contract.SuccessThreshold > 0 {
		t.Text("method.facts.threshold", m.Percent(m.contract.SuccessThreshold, 0))
	}
	if len(m.contract.TTFTLimits) > 0 {
		t.Text("method.facts.limits", m.List(m.limits()...))
	}
	t.Add("method.facts.file", render.Value{Text: "SHA-256 " + m.contract.Digest, Code: true, URL: "/" + contractFile(m.contract)})
	return t.List
}

func (m methodWriter) limits() []string {
	var out []string
	for _, l := range m.contract.TTFTLimits {
		out = append(out, format.ExactMilliseconds(m.Printer, float64(l)))
	}
	return out
}

// overview is the table of all tests.
func (m methodWriter) overview() *render.Table {
	t := &render.Table{
		Caption: m.T("method.overview.caption"),
		Head: []render.Head{
			{Label: m.T("method.overview.test")}, {Label: m.T("method.overview.loop")},
			{Label: m.T("method.overview.prompt"), Numeric: true}, {Label: m.T("method.overview.output"), Numeric: true},
			{Label: m.T("method.overview.load")}, {Label: m.T("method.overview.answers")},
		},
	}
	for _, x := range m.contract.Tests {
		prompt, output := m.lengths(x)
		t.Rows = append(t.Rows, []render.Cell{
			{Text: format.TestNumber(x.Number) + " " + format.TestName(m.Printer, x.Slug), URL: "#test-" + x.Slug},
			{Text: m.T("loop." + string(x.Loop) + ".name"), Class: "nw"},
			{Text: prompt, Class: "n"}, {Text: output, Class: "n"},
			{Text: m.load(x), Class: "note"}, {Text: m.answers(x)},
		})
	}
	return t
}

// lengths writes prompt and output length of a test.
func (m methodWriter) lengths(t contract.Test) (prompt, output string) {
	if l := t.ClosedLoop; l != nil {
		return m.integers(l.PromptTokens), m.integers(l.OutputTokens)
	}
	if t.OpenLoop.InputTokens == 0 {
		return m.T("method.overview.natural"), m.T("method.overview.natural")
	}
	return m.T("value.approximate", "number", m.Integer(int64(t.OpenLoop.InputTokens))),
		m.T("value.approximate", "number", m.Integer(int64(t.OpenLoop.OutputTokens)))
}

func (m methodWriter) integers(list []int) string {
	var out []string
	for _, n := range list {
		out = append(out, m.Integer(int64(n)))
	}
	return m.List(out...)
}

// load writes how a test's requests come.
func (m methodWriter) load(t contract.Test) string {
	if l := t.ClosedLoop; l != nil && l.Turns > 1 {
		return m.N("method.load.turns", l.Turns, "concurrency", m.integers(l.Concurrency))
	} else if l != nil {
		return m.T("method.load.closed", "concurrency", m.integers(l.Concurrency))
	}
	l := t.OpenLoop
	if l.MaxConcurrency > 0 {
		return m.T("method.load.capped", "rates", m.rates(l), "burstiness", l.Burstiness, "cap", l.MaxConcurrency)
	}
	return m.T("method.load.open", "rates", m.rates(l), "burstiness", l.Burstiness)
}

// rates writes the arrival rates of a test.
func (m methodWriter) rates(l *contract.OpenLoop) string {
	var out []string
	for _, r := range l.Rungs {
		out = append(out, format.ExactNumber(m.Printer, r.RequestRate))
	}
	return m.T("format.quantity", "number", m.List(out...), "unit", m.Unit(string(metric.RequestsPerS)))
}

// answers names the quantities that answer a test's question.
func (m methodWriter) answers(t contract.Test) string {
	var out []string
	for _, key := range t.Primary {
		out = append(out, m.T("metric."+string(key)+".short"))
	}
	return strings.Join(out, " · ")
}

// benchmarkValues are the numbers that a test's text may name.
type benchmarkValues struct {
	Prompt, Output, Depth, Concurrency, Runs                 string
	Turns, Question, LastPrompt, Texts                       string
	Input, Rate, Rates, Burstiness, Requests, MaxConcurrency string
	Stop                                                     string
}

// test makes the card of one test.
func (m methodWriter) test(t contract.Test, errata *contract.Errata) (render.MethodTest, error) {
	out := render.MethodTest{
		ID: "test-" + t.Slug, Number: format.TestNumber(t.Number), Name: format.TestName(m.Printer, t.Slug),
		Loop: m.T("loop." + string(t.Loop) + ".name"), Tool: m.T("tool." + string(t.Tool) + ".name"),
		Parameters: m.parameters(t),
	}
	if errata != nil {
		for _, e := range errata.For(t.Slug) {
			out.Errata = append(out.Errata, m.erratum(e))
		}
	}
	html, _, err := m.prose(content.Benchmarks, m.versioned(content.Benchmarks, t.Slug), m.benchmarkValues(t), m.Printer)
	if err != nil {
		return out, err
	}
	out.Text = html
	commands := m.contract.Commands(t, contract.Names{})
	out.CommandLabel = m.N("method.command.show", len(commands))
	for i, c := range commands {
		out.Commands = append(out.Commands, render.Command{
			ID: fmt.Sprintf("command-%s-%d", t.Slug, i+1), Kind: m.T("method.command.kind"), Note: c.Comment, Text: c.Shell(),
		})
	}
	return out, nil
}

func (m methodWriter) benchmarkValues(t contract.Test) benchmarkValues {
	var v benchmarkValues
	v.Prompt, v.Output = m.lengths(t)
	if l := t.ClosedLoop; l != nil {
		v.Depth, v.Concurrency, v.Runs = m.integers(l.DepthTokens), m.integers(l.Concurrency), m.Integer(int64(l.Runs))
		v.Turns, v.Question, v.Texts = m.Integer(int64(l.Turns)), m.Integer(int64(l.QuestionTokens)), m.texts(l.Texts)
		v.LastPrompt = m.Integer(int64(lastPrompt(l)))
		return v
	}
	l := t.OpenLoop
	v.Texts, v.Stop = m.texts(l.Texts), format.ExactMilliseconds(m.Printer, float64(l.StopP95TTFT))
	v.Input, v.Output = m.Integer(int64(l.InputTokens)), m.Integer(int64(l.OutputTokens))
	v.Burstiness = format.ExactNumber(m.Printer, l.Burstiness)
	v.MaxConcurrency = m.Integer(int64(l.MaxConcurrency))
	v.Rate = m.Rate(l.Rungs[0].RequestRate)
	v.Requests = m.Integer(int64(l.Rungs[0].Prompts))
	var rates []string
	for _, r := range l.Rungs {
		rates = append(rates, format.ExactNumber(m.Printer, r.RequestRate))
	}
	v.Rates = m.List(rates...)
	return v
}

// changes compares the contract with the version before it, test by test.
func (m methodWriter) changes() *render.Table {
	var before *contract.Contract
	for _, c := range m.Content.Contracts {
		if c == m.contract {
			break
		}
		before = c
	}
	if before == nil {
		return nil
	}
	t := &render.Table{
		Caption: m.T("method.changes.caption", "before", before.Version, "after", m.contract.Version),
		Head:    []render.Head{{Label: m.T("method.overview.test")}, {Label: before.Version}, {Label: m.contract.Version}},
	}
	old := methodWriter{builder: m.builder, Printer: m.Printer, contract: before}
	for _, x := range m.contract.Tests {
		was := m.T("method.changes.absent")
		if y, ok := before.Test(x.Slug); ok {
			was = old.summary(y)
		}
		if now := m.summary(x); now != was {
			t.Rows = append(t.Rows, []render.Cell{{Text: format.TestName(m.Printer, x.Slug)}, {Text: was}, {Text: now}})
		}
	}
	for _, y := range before.Tests {
		if _, ok := m.contract.Test(y.Slug); !ok {
			t.Rows = append(t.Rows, []render.Cell{{Text: format.TestName(m.Printer, y.Slug)}, {Text: old.summary(y)}, {Text: m.T("method.changes.absent")}})
		}
	}
	return t
}

// summary writes a test's number, lengths and load in one line.
func (m methodWriter) summary(t contract.Test) string {
	prompt, output := m.lengths(t)
	return m.T("method.changes.summary", "number", format.TestNumber(t.Number), "prompt", prompt, "output", output, "load", m.load(t))
}

// metrics defines the quantities of the site.
func (m methodWriter) metrics() *render.Table {
	t := &render.Table{
		Caption: m.T("method.metrics.caption"),
		Head: []render.Head{
			{Label: m.T("method.metrics.quantity")}, {Label: m.T("method.metrics.unit")},
			{Label: m.T("method.metrics.better")}, {Label: m.T("method.metrics.meaning")},
		},
	}
	better := map[metric.Direction]string{metric.Neutral: "neutral", metric.HigherIsBetter: "higher", metric.LowerIsBetter: "lower"}
	for _, x := range metric.All {
		t.Rows = append(t.Rows, []render.Cell{
			{Text: m.T("metric." + string(x.Key) + ".name")},
			{Text: m.Unit(string(x.Unit))},
			{Text: m.T("method.metrics." + better[x.Better])},
			{Text: m.T("metric." + string(x.Key) + ".text")},
		})
	}
	return t
}
