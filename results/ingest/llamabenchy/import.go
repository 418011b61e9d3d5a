package llamabenchy

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// Format is the name under which its output is imported.
const Format = "llama-benchy"

// Import makes one bundle of all reports. Reports of the same test
// are accounts of one run and are joined.
func Import(inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error) {
	m := importer{Importer: ingest.NewImporter(Format, inputs, meta, opt), tests: map[string]*test{}}
	for _, in := range inputs {
		parsed, err := Parse(in)
		if err != nil {
			m.Faults.List = scan.AppendFaults(m.Faults.List, in.Name, err)
			continue
		}
		m.sort(parsed.Reports)
	}
	if err := m.Faults.Err(); err != nil {
		return nil, err
	}
	for _, slug := range m.order {
		m.test(slug)
	}
	m.start()
	if m.Faults.Err() == nil {
		m.Missing()
	}
	return m.Finish()
}

// An importer sorts reports into tests.
type importer struct {
	*ingest.Importer
	order []string // slugs, in the order of the input
	tests map[string]*test
}

// A test is the reports of one test, and what the metadata says about it.
type test struct {
	meta    ingest.TestMetadata
	reports []Report
}

// sort puts the reports of one file with their tests.
func (m *importer) sort(reports []Report) {
	for i, r := range reports {
		t, ok := m.testOf(r, i+1, len(reports))
		if !ok {
			continue
		}
		if m.tests[t.Slug] == nil {
			m.tests[t.Slug] = &test{meta: t}
			m.order = append(m.order, t.Slug)
		}
		m.tests[t.Slug].reports = append(m.tests[t.Slug].reports, r)
	}
}

// testOf says which test a report belongs to. Without word from the metadata, a
// file of several tables is refused.
func (m *importer) testOf(r Report, nth, of int) (ingest.TestMetadata, bool) {
	at := r.place()
	at.Nth = nth
	if len(m.Meta.Tests) == 0 && of > 1 {
		m.Fault(at, "say in the metadata file which tables to import, and as which test:\n    [[tests]]\n    file = "+
			strconv.Quote(path.Base(r.File))+"\n    table = 1\n    slug = \"chat\"", "table %d of %d in this file (%s)", nth, of, at.About)
		return ingest.TestMetadata{}, false
	}
	t, ok := m.TestOf(at, func(t contract.Test) bool {
		return t.Closed() && len(t.Match(ingest.MeasuredCells(r.Cells)).Extra) == 0
	})
	if !ok && len(m.Meta.Tests) > 0 {
		m.Bundle.Notes = append(m.Bundle.Notes, bundle.NewNote(bundle.NoteTableLeftOut, "file", privacy.Clean(path.Base(r.File)), "line", strconv.Itoa(r.Line)))
	}
	return t, ok
}

// place says where a report stands and what it holds.
func (r Report) place() ingest.Place {
	return ingest.Place{File: r.File, Line: r.Line, About: describe(r)}
}

// describe says what a report holds, for messages.
func describe(r Report) string {
	keys := make([]cellKey, len(r.Cells))
	for i, c := range r.Cells {
		keys[i] = keyOf(c)
	}
	return strings.TrimSpace(r.Model + " " + describeKeys(keys))
}

// test joins the reports of a test and adds it to the bundle.
func (m *importer) test(slug string) {
	t := m.tests[slug]
	r, err := Merge(t.reports...)
	if err != nil {
		m.Faults.List = scan.AppendFaults(m.Faults.List, t.reports[0].File, err)
		return
	}
	if len(ingest.MeasuredCells(r.Cells)) == 0 && !slices.ContainsFunc(r.Cells, func(c bundle.Cell) bool { return c.Error != "" }) {
		m.refuseEmpty(r)
		return
	}
	m.model(r)
	r.settle(cmp.Or(t.meta.PromptTokens, m.Meta.PromptTokens), cmp.Or(t.meta.OutputTokens, m.Meta.OutputTokens))
	out := bundle.Test{Slug: slug, StartedAt: m.startOf(t.meta, r), LatencyMS: r.LatencyMS, Cells: r.Cells, Notes: r.Notes}
	out.Tool = m.tool(r)
	if argv := firstArgv(t.meta.Argv, r.Argv); len(argv) > 0 {
		out.Command = &bundle.Command{Argv: argv}
	}
	if r.Status == "interrupted" || r.Status == "error" {
		out.Stopped = &bundle.Stop{Reason: bundle.StopUnknown, Detail: r.Status}
	}
	if out.Stopped == nil && out.Command != nil && !covers(r.Cells, planFromCommand(out.Command.Argv)) {
		out.Stopped = &bundle.Stop{Reason: bundle.StopUnknown}
	}
	m.Bundle.Server.Settings = ingest.SortedSettings(append(m.Bundle.Server.Settings, r.Settings...))
	m.checkContract(r, &out)
	m.Bundle.Tests = append(m.Bundle.Tests, out)
}

// covers reports whether every planned cell was measured.
func covers(cells []bundle.Cell, plan []plannedCell) bool {
	for _, p := range plan {
		if !slices.ContainsFunc(cells, func(c bundle.Cell) bool { return len(c.Reported) > 0 && p.key.fits(keyOf(c)) }) {
			return false
		}
	}
	return true
}

// refuseEmpty says where the figures of a run are, if not here.
func (m *importer) refuseEmpty(r Report) {
	hint := "the run may have stopped before it printed its results"
	if r.savedTo != "" {
		hint = "the tool saved them to " + path.Base(privacy.Clean(r.savedTo)) + ": import that file together with this one"
	}
	m.Fault(r.place(), hint, "shows which tests ran, but no figures")
}

// firstArgv returns the first command that is stated.
func firstArgv(list ...[]string) []string {
	for _, argv := range list {
		if len(argv) > 0 {
			return argv
		}
	}
	return nil
}
