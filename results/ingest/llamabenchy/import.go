package llamabenchy

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
	"example.org/arena/results/tomlfile"
)

// Format is the name under which its output are imported.
const Format = "llama-benchy"

// Import makes one bundle of all reports. Reports of the same test
// are accounts of one run and are joined.
func Import(inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error) {
	m := importer{meta: meta, opt: opt, f: scan.Faults{File: cmp.Or(meta.File, ingest.InputNames(inputs))}, b: ingest.Assemble(Format, meta, opt, inputs)}
	for _, in := range inputs {
		parsed, err := Parse(in)
		if err != nil {
			m.f.List = scan.AppendFaults(m.f.List, in.Name, err)
			continue
		}
		m.sort(parsed.Reports)
	}
	if err := m.f.Err(); err != nil {
		return nil, err
	}
	for _, slug := range m.order {
		m.test(slug)
	}
	m.start()
	if len(m.f.List) == 0 {
		m.f.List = ingest.MissingMetadata(m.b, ingest.InputNames(inputs), m.missing...)
	}
	if err := m.f.Err(); err != nil {
		return nil, err
	}
	if faults := ingest.FinishBundle(m.b, ingest.InputNames(inputs)); len(faults) > 0 {
		return nil, faults
	}
	return []*bundle.Bundle{m.b}, nil
}

// A importer is the making of a bundle from reports of llama-benchy.
type importer struct {
	meta    ingest.Metadata
	opt     ingest.Options
	f       scan.Faults
	b       *bundle.Bundle
	order   []string // slugs, in the order of the input
	tests   map[string]*test
	missing []string // lines that the metadata file should have
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
		if m.tests == nil {
			m.tests = map[string]*test{}
		}
		if m.tests[t.Slug] == nil {
			m.tests[t.Slug] = &test{meta: t}
			m.order = append(m.order, t.Slug)
		}
		m.tests[t.Slug].reports = append(m.tests[t.Slug].reports, r)
	}
}

// testOf says which test a report belongs to: as the metadata ties its file and
// table to one, the only one, or the one that its cells fit in the contract.
func (m *importer) testOf(r Report, nth, of int) (ingest.TestMetadata, bool) {
	if len(m.meta.Tests) > 0 {
		for _, t := range m.meta.Tests {
			if (t.File == r.File || t.File == path.Base(r.File)) && (t.Table == 0 || t.Table == nth) {
				return t, true
			}
		}
		m.b.Notes = append(m.b.Notes, bundle.NewNote(bundle.NoteTableLeftOut, "file", privacy.Clean(path.Base(r.File)), "line", strconv.Itoa(r.Line)))
		return ingest.TestMetadata{}, false
	}
	if of > 1 {
		m.f.List = append(m.f.List, tomlfile.Fault{
			File: r.File, Line: r.Line, Message: fmt.Sprintf("table %d of %d in this file (%s)", nth, of, describe(r)),
			Hint: "say in the metadata file which tables to import, and as which test:\n    [[tests]]\n    file = " +
				strconv.Quote(path.Base(r.File)) + "\n    table = 1\n    slug = \"chat\"",
		})
		return ingest.TestMetadata{}, false
	}
	if m.meta.Test != "" {
		return ingest.TestMetadata{Slug: m.meta.Test}, true
	}
	if m.opt.Contract != nil {
		return m.contractTest(r)
	}
	if !slices.Contains(m.missing, ingest.TestLine) {
		m.missing = append(m.missing, ingest.TestLine)
	}
	return ingest.TestMetadata{Slug: "unknown"}, true
}

// describe says what a report holds, for messages.
func describe(r Report) string {
	keys := make([]cellKey, len(r.Cells))
	for i, c := range r.Cells {
		keys[i] = keyOf(c)
	}
	return strings.TrimSpace(r.Model + " " + describeKeys(keys))
}

// contractTest finds the one test of the contract that has all cells of a report.
func (m *importer) contractTest(r Report) (ingest.TestMetadata, bool) {
	var fits []string
	for _, t := range m.opt.Contract.Tests {
		if t.Closed() && len(t.Match(ingest.MeasuredCells(r.Cells)).Extra) == 0 {
			fits = append(fits, t.Slug)
		}
	}
	if len(fits) == 1 {
		return ingest.TestMetadata{Slug: fits[0]}, true
	}
	msg := "fits no test of contract " + m.opt.Contract.Version
	if len(fits) > 1 {
		msg = "fits several tests: " + strings.Join(fits, ", ")
	}
	m.f.List = append(m.f.List, tomlfile.Fault{
		File: r.File, Line: r.Line, Message: msg + " (" + describe(r) + ")",
		Hint: `name the test with test = "SLUG" in the metadata file; leave contract out if none was followed`,
	})
	return ingest.TestMetadata{}, false
}

// test joins the reports of a test and adds it to the bundle.
func (m *importer) test(slug string) {
	t := m.tests[slug]
	r, err := Merge(t.reports...)
	if err != nil {
		m.f.List = scan.AppendFaults(m.f.List, t.reports[0].File, err)
		return
	}
	if len(ingest.MeasuredCells(r.Cells)) == 0 && !slices.ContainsFunc(r.Cells, func(c bundle.Cell) bool { return c.Error != "" }) {
		m.refuseEmpty(r)
		return
	}
	m.model(r)
	r.settle(cmp.Or(t.meta.PromptTokens, m.meta.PromptTokens), cmp.Or(t.meta.OutputTokens, m.meta.OutputTokens))
	out := bundle.Test{Slug: slug, StartedAt: m.startOf(t.meta, r), LatencyMS: r.LatencyMS, Cells: r.Cells, Notes: r.Notes}
	tool := m.tool(r)
	out.Tool = &tool
	m.b.Source.Tools = ingest.AddTool(m.b.Source.Tools, tool)
	if argv := firstArgv(t.meta.Argv, r.Argv); len(argv) > 0 {
		out.Command = &bundle.Command{Argv: argv}
	}
	if r.Status == "interrupted" || r.Status == "error" {
		out.Stopped = &bundle.Stop{Reason: bundle.StopUnknown, Detail: r.Status}
	}
	if out.Stopped == nil && out.Command != nil && !covers(r.Cells, planFromCommand(out.Command.Argv)) {
		out.Stopped = &bundle.Stop{Reason: bundle.StopUnknown}
	}
	m.b.Server.Settings = ingest.SortedSettings(append(m.b.Server.Settings, r.Settings...))
	m.checkContract(r, &out)
	m.b.Tests = append(m.b.Tests, out)
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
	m.f.List = append(m.f.List, tomlfile.Fault{File: r.File, Line: r.Line, Message: "shows which tests ran, but no figures", Hint: hint})
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
