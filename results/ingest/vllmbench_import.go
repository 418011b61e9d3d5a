package ingest

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
	"example.org/arena/results/tomlfile"
)

// importVLLMBench makes one bundle of all results.
func importVLLMBench(inputs []Input, meta Metadata, opt Options) ([]*bundle.Bundle, error) {
	var faults tomlfile.Faults
	var results []VLLMResult
	for _, in := range inputs {
		parsed, err := ParseVLLMBench(in)
		if err != nil {
			faults = appendFaults(faults, in.Name, err)
			continue
		}
		results = append(results, parsed.Results...)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	v := vllmImport{meta: meta, opt: opt, f: faultList{file: cmp.Or(meta.File, inputNames(inputs))}, b: assemble(meta, opt, inputs)}
	v.add(results)
	v.start()
	name := inputNames(inputs)
	v.f.list = append(v.f.list, missingMetadata(v.b, name, v.missing...)...)
	if err := v.f.err(); err != nil {
		return nil, err
	}
	if faults := finishBundle(v.b, name); len(faults) > 0 {
		return nil, faults
	}
	return []*bundle.Bundle{v.b}, nil
}

// inputNames names the inputs in messages about all of them.
func inputNames(inputs []Input) string {
	switch len(inputs) {
	case 0:
		return "input"
	case 1:
		return inputs[0].Name
	}
	return fmt.Sprintf("%s and %d more", inputs[0].Name, len(inputs)-1)
}

// appendFaults appends the faults in err.
func appendFaults(list tomlfile.Faults, name string, err error) tomlfile.Faults {
	if err == nil {
		return list
	}
	if faults, ok := err.(tomlfile.Faults); ok {
		return append(list, faults...)
	}
	return append(list, tomlfile.Fault{File: name, Message: err.Error()})
}

// A vllmImport is the making of a bundle from results of vllm bench serve.
type vllmImport struct {
	meta    Metadata
	opt     Options
	f       faultList
	b       *bundle.Bundle
	missing []string // lines that the metadata file should have
	first   time.Time
	leftOut []string
}

// add sorts the results into tests.
func (v *vllmImport) add(results []VLLMResult) {
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
		v.b.Notes = append(v.b.Notes, note(bundle.NoteResultsLeftOut, "results", strings.Join(v.leftOut, " ")))
	}
}

// testOf says which test a result belongs to: as the metadata ties its file to
// one, by the parameters of the contract, or the only one.
func (v *vllmImport) testOf(r VLLMResult, nth int) (TestMetadata, bool) {
	if len(v.meta.Tests) > 0 {
		for _, t := range v.meta.Tests {
			if (t.File == r.File || t.File == path.Base(r.File)) && (t.Table == 0 || t.Table == nth) {
				return t, true
			}
		}
		v.leftOut = append(v.leftOut, r.File+"#"+strconv.Itoa(nth))
		return TestMetadata{}, false
	}
	if v.meta.Test != "" {
		return TestMetadata{Slug: v.meta.Test}, true
	}
	if v.opt.Contract != nil {
		return v.contractTest(r)
	}
	const line = `test = "chat" # slug of the test that the results belong to`
	if !slices.Contains(v.missing, line) {
		v.missing = append(v.missing, line)
	}
	return TestMetadata{Slug: "unknown"}, true
}

// contractTest finds the one test of the contract that a result fits.
func (v *vllmImport) contractTest(r VLLMResult) (TestMetadata, bool) {
	var fits []string
	for _, t := range v.opt.Contract.Tests {
		if t.Open() && openLoopDiffers(t, r.Cell) == "" {
			fits = append(fits, t.Slug)
		}
	}
	if len(fits) == 1 {
		return TestMetadata{Slug: fits[0]}, true
	}
	msg := "fits no test of contract " + v.opt.Contract.Version
	if len(fits) > 1 {
		msg = "fits several tests: " + strings.Join(fits, ", ")
	}
	v.f.list = append(v.f.list, tomlfile.Fault{File: r.File, Line: r.Line, Message: msg + " (" + openLoopText(r.Cell) + ")",
		Hint: `name the test with test = "SLUG", or with [[tests]] per file, in the metadata file; leave contract out if none was followed`})
	return TestMetadata{}, false
}

// identity takes in what a result says about the model and the tool.
func (v *vllmImport) identity(r VLLMResult, where string) {
	stated := cmp.Or(v.meta.File, "the metadata")
	if _, err := bundle.ModelSlug(r.Model); err == nil {
		v.b.Model.ID = agree(&v.f, "model.id", v.b.Model.ID, stated, r.Model, where)
	}
	if said := v.meta.Tool.Name; said != "" && r.Tool.Name != "" && said != r.Tool.Name {
		v.f.add(0, "tool.name", "", "%s says %q, but %s was written by %s", stated, said, where, r.Tool.Name)
	}
	v.b.Source.Tools = addTool(v.b.Source.Tools, v.tool(r))
}

// tool returns the tool of a result, with the version that the metadata states.
func (v *vllmImport) tool(r VLLMResult) bundle.Tool {
	switch {
	case r.Tool.Name == "":
		return v.meta.Tool
	case v.meta.Tool.Name == "" || v.meta.Tool.Name == r.Tool.Name:
		return bundle.Tool{Name: r.Tool.Name, Version: v.meta.Tool.Version}
	}
	return r.Tool
}

// cell returns the cell of a result with what the metadata adds.
func (v *vllmImport) cell(r VLLMResult, t TestMetadata) bundle.Cell {
	cell := r.Cell
	cell.PromptTokens = firstNonZero(cell.PromptTokens, t.PromptTokens, v.meta.PromptTokens)
	cell.OutputTokens = firstNonZero(cell.OutputTokens, t.OutputTokens, v.meta.OutputTokens)
	if n, ok := dateNote(r); ok {
		cell.Notes = append(cell.Notes, n)
	}
	if _, err := bundle.ModelSlug(r.Model); r.Model != "" && err != nil {
		cell.Notes = append(cell.Notes, note(bundle.NoteModelNotID))
	}
	ended, ok := r.Ended(v.meta.Zone)
	if !ok {
		return cell
	}
	cell.EndedAt = utcText(ended)
	if r.Duration > 0 {
		started := ended.Add(-time.Duration(r.Duration * float64(time.Second))).Truncate(time.Second)
		if v.first.IsZero() || started.Before(v.first) {
			v.first = started
		}
	}
	return cell
}

func firstNonZero(values ...int) int {
	for _, v := range values {
		if v != 0 {
			return v
		}
	}
	return 0
}

// addTo appends a cell to its test, which it may begin.
func (v *vllmImport) addTo(t TestMetadata, r VLLMResult, cell bundle.Cell) {
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
			test.Notes = append(test.Notes, note(bundle.NoteSeveralCommands))
		}
	}
	v.checkContract(t.Slug, r, cell)
	test.Cells = append(test.Cells, cell)
}

// checkContract compares a cell with the contract's test of the same name.
func (v *vllmImport) checkContract(slug string, r VLLMResult, cell bundle.Cell) {
	if v.opt.Contract == nil || cell.Error != "" {
		return
	}
	i := slices.IndexFunc(v.opt.Contract.Tests, func(t contract.Test) bool { return t.Slug == slug })
	if i < 0 {
		v.f.add(0, "test", "", "contract %s has no test %q", v.opt.Contract.Version, slug)
		return
	}
	if d := openLoopDiffers(v.opt.Contract.Tests[i], cell); d != "" {
		v.f.list = append(v.f.list, tomlfile.Fault{File: r.File, Line: r.Line, Message: fmt.Sprintf("does not follow contract %s: %s", v.opt.Contract.Version, d)})
	}
	for _, d := range changedParameters(v.opt.Contract, v.opt.Contract.Tests[i], r.Argv) {
		v.f.list = append(v.f.list, tomlfile.Fault{File: r.File, Line: r.Line, Message: fmt.Sprintf("does not follow contract %s: %s", v.opt.Contract.Version, d)})
	}
}

// start settles when the first test began: as stated, else as the end and the
// duration of the results say.
func (v *vllmImport) start() {
	if v.b.StartedAt == "" && !v.first.IsZero() {
		v.b.StartedAt = utcText(v.first)
		v.b.Notes = append(v.b.Notes, note(bundle.NoteStartComputed))
	}
}

// dateInName finds a date in a file's name.
var dateInName = regexp.MustCompile(`(?:^|[^0-9])(20[0-9]{2})[-_]?(0[1-9]|1[0-2])[-_]?(0[1-9]|[12][0-9]|3[01])(?:[^0-9]|$)`)

// dateNote says that the name of a file carries another day than its content.
// The content counts.
func dateNote(r VLLMResult) (bundle.Note, bool) {
	m := dateInName.FindStringSubmatch(path.Base(r.File))
	if m == nil || len(r.Date) < 8 {
		return bundle.Note{}, false
	}
	named := m[1] + m[2] + m[3]
	if named == r.Date[:8] {
		return bundle.Note{}, false
	}
	return note(bundle.NoteDateOfFile, "file_name", named, "content", r.Date[:8]), true
}

// openLoopDiffers says in which parameter a cell differs from every rung of an
// open-loop test, or nothing when it fits one. What the cell does not say
// contradicts nothing.
func openLoopDiffers(t contract.Test, c bundle.Cell) string {
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

// openLoopText describes the parameters of a cell in a message.
func openLoopText(c bundle.Cell) string {
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

// measuredBy are the flags that fix what a test measures. A change to any other
// flag, and a flag beyond the contract's, is a deviation that pages show.
var measuredBy = []string{
	"--pp", "--tg", "--depth", "--concurrency", "--runs",
	"--dataset-name", "--random-input-len", "--random-output-len", "--random-range-ratio",
	"--num-prompts", "--request-rate", "--burstiness", "--max-concurrency", "--seed",
}

// changedParameters lists the parameters of a recorded command that make it
// another measurement than the contract's.
func changedParameters(c *contract.Contract, t contract.Test, argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	var out []string
	for _, d := range c.Deviations(t, argv) {
		switch {
		case d.Parameter == "tool":
			out = append(out, fmt.Sprintf("the command runs no %s", d.Contract))
		case d.Kind == contract.Extra && d.Parameter == "--max-concurrency":
			out = append(out, fmt.Sprintf("--max-concurrency %s is not in the contract", d.Recorded))
		case d.Kind == contract.Extra || !slices.Contains(measuredBy, d.Parameter):
		case d.Kind == contract.Missing:
			out = append(out, fmt.Sprintf("the command lacks %s %s", d.Parameter, d.Contract))
		default:
			out = append(out, fmt.Sprintf("the command says %s %s, the contract %s", d.Parameter, d.Recorded, d.Contract))
		}
	}
	return out
}
