package sparksuite

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/ingest/vllmbench"
	"example.org/arena/results/metric"
	"example.org/arena/results/privacy"
)

// isSummary reports whether a JSON file is the summary of a sweep.
func isSummary(in ingest.Input) bool {
	var f scan.Faults
	for _, o := range scan.Objects(in.Data, &f) {
		if o.Find("steps") != nil {
			return true
		}
	}
	return false
}

// sweep reads the results at every rate, and the source's own summary of them.
func (s *suite) sweep(t *test, out *bundle.Test) {
	for _, in := range t.rungs {
		results := s.results(in)
		if len(results) != 1 {
			if len(results) > 1 {
				s.fault(path.Base(in.Name), results[1].Line, "", "holds %d results, want one", len(results))
			}
			continue
		}
		r := results[0]
		out.Tool = &bundle.Tool{Name: r.Tool.Name, Version: s.clientVersion()}
		cell := s.openCell(t, r, out)
		s.rungName(in, cell)
		out.Cells = append(out.Cells, cell)
	}
	s.openTimes(t, out)
	var steps []sweepStep
	if t.result != nil {
		out.Sweep, steps = s.summary(*t.result)
	}
	s.compareSteps(t, out, steps)
	out.Stopped = s.sweepStop(t, out)
}

// rungName compares the rate in a file's name with the rate in the file.
func (s *suite) rungName(in ingest.Input, cell bundle.Cell) {
	base := path.Base(in.Name)
	m := testFile.FindStringSubmatch(base)
	if v, err := strconv.ParseFloat(m[3], 64); err == nil && cell.RequestRate != nil && v != float64(*cell.RequestRate) {
		s.fault(base, 0, "request_rate", "is %s, but the file's name says %s", scan.FormatNumber(float64(*cell.RequestRate)), m[3])
	}
}

// sweepStop says why a sweep ended before its last rate: in the words of the
// page, else of the runner's log. A source that does not say why leaves the
// reason unknown.
func (s *suite) sweepStop(t *test, out *bundle.Test) *bundle.Stop {
	if t.page != nil && t.page.stopped != "" {
		reason := bundle.StopUnknown
		if strings.Contains(t.page.stopped, "de server viel weg") {
			reason = bundle.StopErrors
		}
		return &bundle.Stop{Reason: reason, Detail: t.page.stopped}
	}
	if out.Sweep != nil && out.Sweep.AbortedAtPerS != nil {
		return &bundle.Stop{Reason: bundle.StopUnknown, Detail: "aborted_at_rps " + scan.FormatNumber(*out.Sweep.AbortedAtPerS)}
	}
	var files []string
	prefix := strconv.Itoa(t.number) + "-"
	if t.number < 10 {
		prefix = "0" + prefix
	}
	for file := range s.log.failed {
		if strings.HasPrefix(file, prefix) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil
	}
	return &bundle.Stop{Reason: bundle.StopUnknown, Detail: s.log.failed[slices.Min(files)]}
}

// A sweepStep is one rate in a source's summary. Missing numbers are nil.
type sweepStep struct {
	line                    int
	rate                    float64
	achieved, p50, p95, p99 *float64
	output, peak            *float64
	completed, planned      *float64
}

// summary reads the source's own summary of a sweep.
func (s *suite) summary(in ingest.Input) (*bundle.Sweep, []sweepStep) {
	f := scan.Faults{File: in.Name}
	defer func() { s.f.List = append(s.f.List, f.List...) }()
	objects := scan.Objects(in.Data, &f)
	if len(f.List) > 0 {
		return nil, nil
	}
	if len(objects) != 1 {
		f.Add(0, "", "", "want one JSON object, found %d", len(objects))
		return nil, nil
	}
	r := summaryReader{f: &f, b: vllmbench.NewBuilder(&f, objects[0].Line)}
	for _, m := range objects[0].Members {
		r.member(s, m)
	}
	return &r.sweep, r.steps
}

// A summaryReader collects a summary.
type summaryReader struct {
	f     *scan.Faults
	b     *vllmbench.Builder // reads the numbers
	sweep bundle.Sweep
	steps []sweepStep
}

func (r *summaryReader) member(s *suite, m scan.Member) {
	switch m.Key {
	case "model":
		r.same(m, s.info.model)
	case "profile":
		r.same(m, s.info.profile)
	case "served_name":
		var name string
		if r.b.Text(m, &name); name != s.info.served && s.info.served != "" {
			s.note(bundle.NoteTextDiffers, "what", "served_name", "first", privacy.Clean(s.info.served), "second", privacy.Clean(name))
		}
	case "aborted_at_rps":
		r.sweep.AbortedAtPerS = r.number(m)
	case "queue_knee_rps":
		r.sweep.KneePerS = r.number(m)
	case "capacity_by_slo_ms":
		r.capacities(m)
	case "steps":
		for _, v := range scan.Elements(m.Value) {
			r.step(m.Line, v)
		}
	}
}

// same compares a text with what meta.json says.
func (r *summaryReader) same(m scan.Member, want string) {
	var text string
	r.b.Text(m, &text)
	if text != "" && want != "" && text != want {
		r.f.Add(m.Line, m.Key, "", "is %q, but meta.json says %q", text, want)
	}
}

// number reads a number that may be null.
func (r *summaryReader) number(m scan.Member) *float64 {
	v, ok := r.b.Number(m)
	if !ok {
		return nil
	}
	return &v
}

// capacities reads the capacity under each limit. A null means that the source
// found no rate, or had no data: it does not say which.
func (r *summaryReader) capacities(m scan.Member) {
	for _, c := range scan.MembersOf(m, r.f) {
		limit, err := strconv.ParseFloat(c.Key, 64)
		if err != nil || !(limit > 0) {
			r.f.Add(c.Line, c.Key, "", "want a limit in ms")
			continue
		}
		capacity := bundle.SweepCapacity{LimitMS: limit}
		if c.Value.Kind() != 'n' {
			for _, k := range scan.MembersOf(c, r.f) {
				if k.Key == "configured_rps" {
					capacity.RatePerS = r.number(k)
				}
			}
		}
		r.sweep.Capacities = append(r.sweep.Capacities, capacity)
	}
	slices.SortFunc(r.sweep.Capacities, func(a, b bundle.SweepCapacity) int {
		if a.LimitMS < b.LimitMS {
			return -1
		}
		return 1
	})
}

// step reads one rate of the summary.
func (r *summaryReader) step(line int, value jsontext.Value) {
	step := sweepStep{line: line}
	fields := map[string]**float64{
		"achieved_rps": &step.achieved, "completed": &step.completed, "total_requests": &step.planned,
		"ttft_p50_ms": &step.p50, "ttft_p95_ms": &step.p95, "ttft_p99_ms": &step.p99,
		"output_tps": &step.output, "peak_concurrent": &step.peak,
	}
	for _, m := range scan.MembersOf(scan.Member{Key: "steps", Value: value, Line: line}, r.f) {
		if m.Key == "configured_rps" {
			if v := r.number(m); v != nil {
				step.rate = *v
			}
		} else if at, ok := fields[m.Key]; ok {
			*at = r.number(m)
		}
	}
	r.steps = append(r.steps, step)
}

// compareSteps compares the summary with the results that it sums up: rates to
// three decimals, latencies and speeds to one.
func (s *suite) compareSteps(t *test, out *bundle.Test, steps []sweepStep) {
	if t.result == nil {
		return
	}
	var missing []string
	for _, step := range steps {
		i := slices.IndexFunc(out.Cells, func(c bundle.Cell) bool {
			return c.RequestRate != nil && float64(*c.RequestRate) == step.rate
		})
		if i < 0 {
			missing = append(missing, scan.FormatNumber(step.rate))
			continue
		}
		s.compareStep(t, step, out.Cells[i])
	}
	if len(missing) > 0 {
		out.Notes = append(out.Notes, bundle.NewNote(bundle.NoteRatesOnlyInSummary, "rates", strings.Join(missing, " ")))
	}
	if n := len(steps) - len(missing); n < len(out.Cells) && len(steps) > 0 {
		out.Notes = append(out.Notes, bundle.NewNote(bundle.NoteRatesNotInSummary, "results", strconv.Itoa(len(out.Cells)-n)))
	}
}

func (s *suite) compareStep(t *test, step sweepStep, cell bundle.Cell) {
	c := vllmbench.Comparison{F: &s.f, File: t.result.Name, Line: step.line, Other: "the result at " + scan.FormatNumber(step.rate) + " requests per second"}
	value := func(key metric.Key) *float64 {
		if fig := cell.Figure(key); fig != nil {
			return fig.Value
		}
		return nil
	}
	c.Optional("achieved_rps", step.achieved, value(metric.RequestRate), 3)
	c.Optional("output_tps", step.output, value(metric.Output), 1)
	c.Optional("peak_concurrent", step.peak, value(metric.PeakConcurrency), 0)
	if fig := cell.Figure(metric.TTFT); fig != nil {
		for _, p := range []struct {
			p    float64
			said *float64
		}{{50, step.p50}, {95, step.p95}, {99, step.p99}} {
			if v, ok := fig.Percentile(p.p); ok {
				c.Optional("ttft_p"+scan.FormatNumber(p.p)+"_ms", p.said, &v, 1)
			}
		}
	}
	if r := cell.Requests; r != nil {
		c.Optional("completed", step.completed, floatOf(r.Completed), 0)
		c.Optional("total_requests", step.planned, floatOf(r.Planned), 0)
	}
}

func floatOf(n *int) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n))
}
