package vllmbench

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/tomlfile"
)

// Format is the name under which its results are imported.
const Format = "vllm-bench"

// Import makes one bundle of all results.
func Import(inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error) {
	var faults tomlfile.Faults
	var results []Result
	for _, in := range inputs {
		parsed, err := Parse(in)
		if err != nil {
			faults = scan.AppendFaults(faults, in.Name, err)
			continue
		}
		results = append(results, parsed.Results...)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	v := importer{meta: meta, opt: opt, f: scan.Faults{File: cmp.Or(meta.File, ingest.InputNames(inputs))}, b: ingest.Assemble(Format, meta, opt, inputs)}
	v.add(results)
	v.start()
	name := ingest.InputNames(inputs)
	v.f.List = append(v.f.List, ingest.MissingMetadata(v.b, name, v.missing...)...)
	if err := v.f.Err(); err != nil {
		return nil, err
	}
	if faults := ingest.FinishBundle(v.b, name); len(faults) > 0 {
		return nil, faults
	}
	return []*bundle.Bundle{v.b}, nil
}

// A importer is the making of a bundle from results of vllm bench serve.
type importer struct {
	meta    ingest.Metadata
	opt     ingest.Options
	f       scan.Faults
	b       *bundle.Bundle
	missing []string // lines that the metadata file should have
	first   time.Time
	leftOut []string
}

// add sorts the results into tests.
func (v *importer) add(results []Result) {
	nth := map[string]int{}
	for _, r := range results {
		nth[r.File]++
		where := fmt.Sprintf("%s:%d", r.File, r.Line)
		test, ok := v.testOf(r, nth[r.File])
		if !ok {
			continue
		}
		v.identity(r, where)
		cell := v.cell(r, test)
		v.addTo(test, r, cell)
	}
	if len(v.leftOut) > 0 {
		v.b.Notes = append(v.b.Notes, bundle.NewNote(bundle.NoteResultsLeftOut, "results", strings.Join(v.leftOut, " ")))
	}
}

// testOf says which test a result belongs to: as the metadata ties its file to
// one, by the parameters of the contract, or the only one.
func (v *importer) testOf(r Result, nth int) (ingest.TestMetadata, bool) {
	if len(v.meta.Tests) > 0 {
		for _, t := range v.meta.Tests {
			if (t.File == r.File || t.File == path.Base(r.File)) && (t.Table == 0 || t.Table == nth) {
				return t, true
			}
		}
		v.leftOut = append(v.leftOut, r.File+"#"+strconv.Itoa(nth))
		return ingest.TestMetadata{}, false
	}
	if v.meta.Test != "" {
		return ingest.TestMetadata{Slug: v.meta.Test}, true
	}
	if v.opt.Contract != nil {
		return v.contractTest(r)
	}
	const line = `test = "chat" # slug of the test that the results belong to`
	if !slices.Contains(v.missing, line) {
		v.missing = append(v.missing, line)
	}
	return ingest.TestMetadata{Slug: "unknown"}, true
}

// contractTest finds the one test of the contract that a result fits.
func (v *importer) contractTest(r Result) (ingest.TestMetadata, bool) {
	var fits []string
	for _, t := range v.opt.Contract.Tests {
		if t.Open() && Differs(t, r.Cell) == "" {
			fits = append(fits, t.Slug)
		}
	}
	if len(fits) == 1 {
		return ingest.TestMetadata{Slug: fits[0]}, true
	}
	msg := "fits no test of contract " + v.opt.Contract.Version
	if len(fits) > 1 {
		msg = "fits several tests: " + strings.Join(fits, ", ")
	}
	v.f.List = append(v.f.List, tomlfile.Fault{File: r.File, Line: r.Line, Message: msg + " (" + describe(r.Cell) + ")",
		Hint: `name the test with test = "SLUG", or with [[tests]] per file, in the metadata file; leave contract out if none was followed`})
	return ingest.TestMetadata{}, false
}

// identity takes in what a result says about the model and the tool.
func (v *importer) identity(r Result, where string) {
	stated := cmp.Or(v.meta.File, "the metadata")
	if _, err := bundle.ModelSlug(r.Model); err == nil {
		v.b.Model.ID = ingest.Agree(&v.f, "model.id", v.b.Model.ID, stated, r.Model, where)
	}
	if said := v.meta.Tool.Name; said != "" && r.Tool.Name != "" && said != r.Tool.Name {
		v.f.Add(0, "tool.name", "", "%s says %q, but %s was written by %s", stated, said, where, r.Tool.Name)
	}
	v.b.Source.Tools = ingest.AddTool(v.b.Source.Tools, v.tool(r))
}

// tool returns the tool of a result, with the version that the metadata states.
func (v *importer) tool(r Result) bundle.Tool {
	switch {
	case r.Tool.Name == "":
		return v.meta.Tool
	case v.meta.Tool.Name == "" || v.meta.Tool.Name == r.Tool.Name:
		return bundle.Tool{Name: r.Tool.Name, Version: v.meta.Tool.Version}
	}
	return r.Tool
}

// cell returns the cell of a result with what the metadata adds.
func (v *importer) cell(r Result, t ingest.TestMetadata) bundle.Cell {
	cell := r.Cell
	cell.PromptTokens = cmp.Or(cell.PromptTokens, t.PromptTokens, v.meta.PromptTokens)
	cell.OutputTokens = cmp.Or(cell.OutputTokens, t.OutputTokens, v.meta.OutputTokens)
	if n, ok := dateNote(r); ok {
		cell.Notes = append(cell.Notes, n)
	}
	if _, err := bundle.ModelSlug(r.Model); r.Model != "" && err != nil {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteModelNotID))
	}
	ended, ok := r.Ended(v.meta.Zone)
	if !ok {
		return cell
	}
	cell.EndedAt = ingest.UTC(ended)
	if r.Duration > 0 {
		started := ended.Add(-time.Duration(r.Duration * float64(time.Second))).Truncate(time.Second)
		if v.first.IsZero() || started.Before(v.first) {
			v.first = started
		}
	}
	return cell
}

// addTo appends a cell to its test, which it may begin.
func (v *importer) addTo(t ingest.TestMetadata, r Result, cell bundle.Cell) {
	test := v.b.Test(t.Slug)
	if test == nil {
		v.b.Tests = append(v.b.Tests, bundle.Test{Slug: t.Slug, StartedAt: t.StartedAt})
		test = &v.b.Tests[len(v.b.Tests)-1]
		if tool := v.tool(r); tool.Name != "" {
			test.Tool = &tool
		}
	}
	argv := t.Argv
	if len(argv) == 0 {
		argv = r.Argv
	}
	switch {
	case len(argv) == 0:
	case test.Command == nil && len(test.Cells) == 0:
		test.Command = &bundle.Command{Argv: argv}
	case test.Command == nil || !slices.Equal(test.Command.Argv, argv):
		// Several commands measured this test: it has not one of its own.
		test.Command = nil
		if !slices.ContainsFunc(test.Notes, func(n bundle.Note) bool { return n.Code == "several_commands" }) {
			test.Notes = append(test.Notes, bundle.NewNote(bundle.NoteSeveralCommands))
		}
	}
	v.checkContract(t.Slug, r, cell)
	test.Cells = append(test.Cells, cell)
}

// checkContract compares a cell with the contract's test of the same name.
func (v *importer) checkContract(slug string, r Result, cell bundle.Cell) {
	if v.opt.Contract == nil || cell.Error != "" {
		return
	}
	i := slices.IndexFunc(v.opt.Contract.Tests, func(t contract.Test) bool { return t.Slug == slug })
	if i < 0 {
		v.f.Add(0, "test", "", "contract %s has no test %q", v.opt.Contract.Version, slug)
		return
	}
	if d := Differs(v.opt.Contract.Tests[i], cell); d != "" {
		v.f.List = append(v.f.List, tomlfile.Fault{File: r.File, Line: r.Line, Message: fmt.Sprintf("does not follow contract %s: %s", v.opt.Contract.Version, d)})
	}
	for _, d := range ingest.ChangedParameters(v.opt.Contract, v.opt.Contract.Tests[i], r.Argv) {
		v.f.List = append(v.f.List, tomlfile.Fault{File: r.File, Line: r.Line, Message: fmt.Sprintf("does not follow contract %s: %s", v.opt.Contract.Version, d)})
	}
}

// start settles when the first test began: as stated, else as the end and the
// duration of the results say.
func (v *importer) start() {
	if v.b.StartedAt == "" && !v.first.IsZero() {
		v.b.StartedAt = ingest.UTC(v.first)
		v.b.Notes = append(v.b.Notes, bundle.NewNote(bundle.NoteStartComputed))
	}
}

// dateInName finds a date in a file's name.
var dateInName = regexp.MustCompile(`(?:^|[^0-9])(20[0-9]{2})[-_]?(0[1-9]|1[0-2])[-_]?(0[1-9]|[12][0-9]|3[01])(?:[^0-9]|$)`)

// dateNote says that the name of a file carries another day than its content.
// The content counts.
func dateNote(r Result) (bundle.Note, bool) {
	m := dateInName.FindStringSubmatch(path.Base(r.File))
	if m == nil || len(r.Date) < 8 {
		return bundle.Note{}, false
	}
	named := m[1] + m[2] + m[3]
	if named == r.Date[:8] {
		return bundle.Note{}, false
	}
	return bundle.NewNote(bundle.NoteDateOfFile, "file_name", named, "content", r.Date[:8]), true
}

// Differs says in which parameter a cell differs from every rung of an
// open-loop test, or nothing when it fits one. What the cell does not say
// contradicts nothing.
func Differs(t contract.Test, c bundle.Cell) string {
	o, open := t.Arrivals()
	if !open {
		return fmt.Sprintf("%s is a closed-loop test", t.Slug)
	}
	if c.Burstiness != nil && float64(*c.Burstiness) != o.Burstiness {
		return fmt.Sprintf("burstiness is %v, not %v", float64(*c.Burstiness), o.Burstiness)
	}
	if c.MaxConcurrency != o.MaxConcurrency {
		return fmt.Sprintf("max_concurrency is %s, not %s", capText(c.MaxConcurrency), capText(o.MaxConcurrency))
	}
	if c.RequestRate == nil {
		return "the request rate is not stated"
	}
	for _, rung := range o.Rungs {
		if float64(*c.RequestRate) != rung.RequestRate {
			continue
		}
		if c.Requests != nil && c.Requests.Planned != nil && *c.Requests.Planned != rung.Prompts {
			return fmt.Sprintf("%d requests were planned, not %d", *c.Requests.Planned, rung.Prompts)
		}
		return ""
	}
	return fmt.Sprintf("request_rate %v is none of its rates", float64(*c.RequestRate))
}

func capText(n int) string {
	if n == 0 {
		return "unlimited"
	}
	return strconv.Itoa(n)
}

// describe describes the parameters of a cell in a message.
func describe(c bundle.Cell) string {
	var parts []string
	if c.RequestRate != nil {
		parts = append(parts, fmt.Sprintf("request rate %v", float64(*c.RequestRate)))
	}
	if c.Burstiness != nil {
		parts = append(parts, fmt.Sprintf("burstiness %v", float64(*c.Burstiness)))
	}
	if c.Requests != nil && c.Requests.Planned != nil {
		parts = append(parts, fmt.Sprintf("%d requests", *c.Requests.Planned))
	}
	return strings.Join(append(parts, "max concurrency "+capText(c.MaxConcurrency)), ", ")
}
