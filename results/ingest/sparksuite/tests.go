package sparksuite

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/llamabenchy"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/ingest/vllmbench"
	"example.org/arena/results/privacy"
)

// closedLoop reads a table of llama-benchy: from the log, from the page, or from
// both, which must agree.
func (s *suite) closedLoop(t *test, out *bundle.Test) {
	var reports []llamabenchy.Report
	for _, in := range []*ingest.Input{t.log, pageInput(t.page)} {
		if in == nil {
			continue
		}
		r, ok := s.report(*in)
		if ok {
			reports = append(reports, r)
		}
	}
	if t.result != nil {
		if r, ok := s.report(*t.result); ok {
			reports = append(reports, r)
		}
	}
	if len(reports) == 0 {
		return
	}
	report, err := llamabenchy.Merge(reports...)
	if err != nil {
		s.f.List = scan.AppendFaults(s.f.List, reports[0].File, err)
		return
	}
	tool := report.Tool
	tool.Version = s.agreeVersion(t, tool.Version)
	out.Tool = &tool
	out.LatencyMS = report.LatencyMS
	out.Cells = report.Cells
	out.Notes = append(out.Notes, report.Notes...)
	if s.info.served != "" && report.Model != "" && report.Model != s.info.served {
		out.Notes = append(out.Notes, bundle.NewNote(bundle.NoteTextDiffers, "what", "served_name", "first", privacy.Clean(s.info.served), "second", privacy.Clean(report.Model)))
	}
	s.closedTimes(t, report, out)
}

// closedTimes settles when a test of llama-benchy began: the tool prints it in
// local time.
func (s *suite) closedTimes(t *test, report llamabenchy.Report, out *bundle.Test) {
	if report.Date == "" || s.zone == nil {
		return
	}
	layout := pageTimeLayout
	if strings.Contains(report.Date, "T") {
		layout = "2006-01-02T15:04:05"
	}
	at, err := time.ParseInLocation(layout, report.Date, s.zone)
	if err != nil {
		s.fault(path.Base(report.File), report.Line, "date", "want a time like 2026-08-14 11:45:39, found %q", report.Date)
		return
	}
	out.StartedAt = ingest.UTC(at)
	t.begun = append(t.begun, at.Add(pageBefore))
	if written, ok := s.writtenAt(t.page); ok && written.Before(at) {
		s.fault(path.Base(t.page.in.Name), 0, "Generated", "is %s, before the test began at %s", t.page.generated, report.Date)
	}
}

func pageInput(p *page) *ingest.Input {
	if p == nil {
		return nil
	}
	return &p.in
}

// report parses one file of llama-benchy. A log that ends before its table holds
// no figures: that is no fault.
func (s *suite) report(in ingest.Input) (llamabenchy.Report, bool) {
	parsed, err := llamabenchy.Parse(in)
	if err != nil {
		if !strings.Contains(string(in.Data), "|") {
			return llamabenchy.Report{}, false
		}
		s.f.List = scan.AppendFaults(s.f.List, in.Name, err)
		return llamabenchy.Report{}, false
	}
	if n := len(parsed.Reports); n != 1 {
		s.fault(path.Base(in.Name), 0, "", "holds %d tables of results, want one", n)
		return llamabenchy.Report{}, false
	}
	return parsed.Reports[0], true
}

// agreeVersion compares what the tool, meta.json and the command say about the
// tool's version.
func (s *suite) agreeVersion(t *test, version string) string {
	version = ingest.Agree(&s.f, "llama_benchy_version", version, fmt.Sprintf("test %02d", t.number), s.info.benchy, "meta.json")
	if t.page == nil {
		return version
	}
	for _, word := range t.page.argv {
		if name, pinned, ok := strings.Cut(path.Base(word), "=="); ok && name == "llama-benchy" {
			return ingest.Agree(&s.f, "version", version, fmt.Sprintf("test %02d", t.number), pinned, path.Base(t.page.in.Name))
		}
	}
	return version
}

// openLoop reads one result of vllm bench serve: from the JSON, from the block
// on the page, or from both, which must agree.
func (s *suite) openLoop(t *test, out *bundle.Test) {
	var results []vllmbench.Result
	if t.result != nil {
		results = s.results(*t.result)
	}
	printed := s.printed(t)
	switch {
	case len(results) == 0 && printed == nil:
		return
	case len(results) == 0:
		results = []vllmbench.Result{*printed}
	case len(results) > 1:
		s.fault(path.Base(t.result.Name), results[1].Line, "", "holds %d results, want one", len(results))
		return
	case printed != nil:
		vllmbench.Compare(results[0], *printed, &s.f)
	}
	r := results[0]
	out.Tool = &bundle.Tool{Name: r.Tool.Name, Version: s.clientVersion()}
	cell := s.openCell(t, r, out)
	out.Cells = []bundle.Cell{cell}
	s.openTimes(t, out)
}

// clientVersion is the version of vllm bench serve, which only the metadata can
// state: the tool writes none.
func (s *suite) clientVersion() string {
	if s.meta.Tool.Name == vllmbench.Tool {
		return s.meta.Tool.Version
	}
	return ""
}

// results parses a file of vllm bench serve.
func (s *suite) results(in ingest.Input) []vllmbench.Result {
	parsed, err := vllmbench.Parse(in)
	if err != nil {
		s.f.List = scan.AppendFaults(s.f.List, in.Name, err)
		return nil
	}
	return parsed.Results
}

// printed returns the block that the page or the log shows, or nil.
func (s *suite) printed(t *test) *vllmbench.Result {
	for _, in := range []*ingest.Input{pageInput(t.page), t.log} {
		if in == nil || !vllmbench.BlockStart.Match(in.Data) {
			continue
		}
		if results := s.results(*in); len(results) == 1 {
			return &results[0]
		} else if len(results) > 1 {
			s.fault(path.Base(in.Name), results[1].Line, "", "holds %d printed results, want one", len(results))
		}
	}
	return nil
}

// openCell completes a result with what its command says, after comparing the
// two.
func (s *suite) openCell(t *test, r vllmbench.Result, out *bundle.Test) bundle.Cell {
	cell := r.Cell
	if s.info.model != "" && r.Model != "" && r.Model != s.info.model {
		s.fault(path.Base(r.File), r.Line, "model_id", "is %q, but meta.json says %q", r.Model, s.info.model)
	}
	if ended, ok := r.Ended(s.client); ok {
		cell.EndedAt = ingest.UTC(ended)
		t.begun = append(t.begun, ended.Add(-time.Duration(r.Duration*float64(time.Second))))
	}
	if out.Command != nil {
		s.compareCommand(t, cell, path.Base(r.File))
		argv := t.page.argv
		cell.PromptTokens = cmp.Or(cell.PromptTokens, wholeNumber(ingest.Argument(argv, "--random-input-len")))
		cell.OutputTokens = cmp.Or(cell.OutputTokens, wholeNumber(ingest.Argument(argv, "--random-output-len")))
	}
	return cell
}

func wholeNumber(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// compareCommand compares the parameters of a result with those of the command
// that the page records.
func (s *suite) compareCommand(t *test, cell bundle.Cell, file string) {
	argv := t.page.argv
	page := path.Base(t.page.in.Name)
	differs := func(flag, said string, value float64) {
		if v, err := strconv.ParseFloat(said, 64); said != "" && (err != nil || v != value) {
			s.fault(page, 0, flag, "is %s in the command, but %s says %v", said, file, value)
		}
	}
	if cell.Requests != nil && cell.Requests.Planned != nil {
		differs("--num-prompts", ingest.Argument(argv, "--num-prompts"), float64(*cell.Requests.Planned))
	}
	if cell.RequestRate != nil {
		differs("--request-rate", ingest.Argument(argv, "--request-rate"), float64(*cell.RequestRate))
	}
	if cell.Burstiness != nil {
		differs("--burstiness", ingest.Argument(argv, "--burstiness"), float64(*cell.Burstiness))
	}
	differs("--max-concurrency", ingest.Argument(argv, "--max-concurrency"), float64(cell.MaxConcurrency))
	if model := ingest.Argument(argv, "--model"); model != "" && s.info.model != "" && model != s.info.model {
		s.fault(page, 0, "--model", "is %q in the command, but meta.json says %q", model, s.info.model)
	}
}

// openTimes settles when a test of vllm bench serve began: the runner's log says
// so. Without it the start stays unknown; the cells say when they ended.
func (s *suite) openTimes(t *test, out *bundle.Test) {
	var first time.Time
	if len(t.begun) > 0 {
		first = slices.MinFunc(t.begun, time.Time.Compare).Add(time.Second)
	}
	if start, ok := s.startOf(t.number, first); ok {
		out.StartedAt = ingest.UTC(start.at)
	}
}

// checkContract compares the cells and the command of a test with the contract.
// A test that measured something else does not follow it; one that measured
// less stopped early.
func (s *suite) checkContract(t *test, out *bundle.Test) {
	if t.contract == nil {
		return
	}
	version := s.opt.Contract.Version
	if t.page != nil {
		for _, d := range ingest.ChangedParameters(s.opt.Contract, *t.contract, t.page.argv) {
			s.fault(path.Base(t.page.in.Name), 0, "", "does not follow contract %s: %s", version, d)
		}
	}
	var measured []contract.Cell
	for _, c := range out.Cells {
		if t.contract.Open() {
			if d := vllmbench.Differs(*t.contract, c); d != "" {
				s.fault(fmt.Sprintf("%02d-%s", t.number, t.slug), 0, "", "does not follow contract %s: %s", version, d)
				return
			}
		}
		if len(c.Reported) > 0 {
			measured = append(measured, ingest.ContractCell(c))
		}
	}
	cover := t.contract.Match(measured)
	for _, c := range cover.Extra {
		s.fault(fmt.Sprintf("%02d-%s", t.number, t.slug), 0, "", "does not follow contract %s: it has no cell with %s, or it was measured twice", version, ingest.CellText(c))
	}
	if out.Stopped == nil && len(cover.Missing) > 0 && len(cover.Extra) == 0 {
		out.Stopped = &bundle.Stop{Reason: bundle.StopUnknown}
	}
}
