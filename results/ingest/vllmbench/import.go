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
)

// Format is the name under which its results are imported.
const Format = "vllm-bench"

// Import makes one bundle of all results.
func Import(inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error) {
	v := importer{Importer: ingest.NewImporter(Format, inputs, meta, opt)}
	v.TestLine = `test = "chat" # slug of the test that the results belong to`
	v.TestHint = `name the test with test = "SLUG", or with [[tests]] per file, in the metadata file; leave contract out if none was followed`
	var results []Result
	for _, in := range inputs {
		parsed, err := Parse(in)
		if err != nil {
			v.Faults.List = scan.AppendFaults(v.Faults.List, in.Name, err)
			continue
		}
		results = append(results, parsed.Results...)
	}
	if err := v.Faults.Err(); err != nil {
		return nil, err
	}
	v.add(results)
	v.start()
	v.Missing()
	return v.Finish()
}

// An importer sorts results into tests.
type importer struct {
	*ingest.Importer
	first time.Time // when the first result began, as far as they tell
}

// place says where a result stands and what it holds.
func (r Result) place() ingest.Place {
	return ingest.Place{File: r.File, Line: r.Line, About: describe(r.Cell)}
}

// add sorts the results into tests.
func (v *importer) add(results []Result) {
	nth := map[string]int{}
	var leftOut []string
	for _, r := range results {
		nth[r.File]++
		at := r.place()
		at.Nth = nth[r.File]
		test, ok := v.TestOf(at, func(t contract.Test) bool { return t.Open() && Differs(t, r.Cell) == "" })
		switch {
		case ok:
			v.identity(r)
			v.addTo(test, r, v.cell(r, test))
		case len(v.Meta.Tests) > 0:
			leftOut = append(leftOut, r.File+"#"+strconv.Itoa(at.Nth))
		}
	}
	if len(leftOut) > 0 {
		v.Bundle.Notes = append(v.Bundle.Notes, bundle.NewNote(bundle.NoteResultsLeftOut, "results", strings.Join(leftOut, " ")))
	}
}

// identity takes in what a result says about the model and the tool.
func (v *importer) identity(r Result) {
	if _, err := bundle.ModelSlug(r.Model); err == nil {
		v.Bundle.Model.ID = ingest.Agree(&v.Faults, "model.id", v.Bundle.Model.ID, v.Stated(), r.Model, r.place().String())
	}
	if said := v.Meta.Tool.Name; said != "" && r.Tool.Name != "" && said != r.Tool.Name {
		v.Faults.Add(0, "tool.name", "", "%s says %q, but %s was written by %s", v.Stated(), said, r.place(), r.Tool.Name)
	}
}

// cell returns the cell of a result with what the metadata adds.
func (v *importer) cell(r Result, t ingest.TestMetadata) bundle.Cell {
	cell := r.Cell
	cell.PromptTokens = cmp.Or(cell.PromptTokens, t.PromptTokens, v.Meta.PromptTokens)
	cell.OutputTokens = cmp.Or(cell.OutputTokens, t.OutputTokens, v.Meta.OutputTokens)
	if n, ok := dateNote(r); ok {
		cell.Notes = append(cell.Notes, n)
	}
	if _, err := bundle.ModelSlug(r.Model); r.Model != "" && err != nil {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteModelNotID))
	}
	ended, ok := r.Ended(v.Meta.Zone)
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
	tool := v.ToolOf(r.place(), r.Tool)
	test := v.Bundle.Test(t.Slug)
	if test == nil {
		v.Bundle.Tests = append(v.Bundle.Tests, bundle.Test{Slug: t.Slug, StartedAt: t.StartedAt})
		test = &v.Bundle.Tests[len(v.Bundle.Tests)-1]
		if tool.Name != "" {
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
	if cell.Error != "" {
		return
	}
	t, ok := v.ContractTest(slug)
	if !ok {
		return
	}
	if d := Differs(t, cell); d != "" {
		v.Departs(r.place(), d)
	}
	v.DepartsIn(r.place(), t, r.Argv)
}

// start settles when the first test began: as stated, else as the end and the
// duration of the results say.
func (v *importer) start() {
	if v.Bundle.StartedAt == "" && !v.first.IsZero() {
		v.Bundle.StartedAt = ingest.UTC(v.first)
		v.Bundle.Notes = append(v.Bundle.Notes, bundle.NewNote(bundle.NoteStartComputed))
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
