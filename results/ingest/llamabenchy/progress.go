package llamabenchy

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
	"example.org/arena/results/privacy"
)

// progressSchema marks the events of a progress stream.
const progressSchema = "llama-benchy-progress.v1"

// A progressStream collects the events of one run. It is the only output of the
// tool that counts the tokens of each request.
type progressStream struct {
	rep      Report
	requests []*progressRequest // in the order of their start
	byID     map[string]*progressRequest
}

// A progressRequest is one request of the stream.
type progressRequest struct {
	key    cellKey
	run    string // index of its batch; 0.4.0 counts from 1 after a warm-up, other versions from 0
	ended  bool
	failed bool
	err    string
	ttfr   string // plain number, seconds
	ttft   string
	prompt *int64
	output *int64
}

// take reads one event. Unknown types and fields are passed over, as the
// schema asks.
func (s *progressStream) take(line int, o scan.Object, f *scan.Faults) {
	if s.byID == nil {
		s.byID = map[string]*progressRequest{}
		s.rep = Report{Line: line, Tool: bundle.Tool{Name: Tool}, digits: scan.FullPrecision, latencyDigits: scan.FullPrecision}
	}
	d := document{f: f, line: line}
	id := string(o.Find("request_id"))
	req := s.byID[id]
	kind := scan.Unquote(o.Find("type"))
	switch kind {
	case "header":
		if s.rep.Tool.Version != "" || len(s.requests) > 0 {
			f.Add(line, "", "give one stream per file", "a second run begins here")
			return
		}
		s.rep.Tool.Version = d.optionalText("llama_benchy_version", o)
		s.rep.StartUnix, _ = strconv.ParseFloat(string(o.Find("ts")), 64)
	case "latency_measured":
		s.rep.LatencyMode = d.optionalText("mode", o)
		if v := d.seconds("latency_s", o); v != "" {
			s.rep.LatencyMS = scan.PlainFloat(scan.Shift(v, 3))
		}
	case "request_start":
		s.start(&d, id, o)
		return
	case "bench_complete":
		s.rep.Status = d.optionalText("status", o)
	case "request_first_response", "request_first_token", "request_end":
		if req == nil {
			f.Add(line, "request_id", "give the stream from its beginning", "request %s ends without having started", scan.Shown(jsontext.Value(id)))
			return
		}
	}
	switch kind {
	case "request_first_response":
		req.ttfr = d.seconds("ttfr_s", o)
	case "request_first_token":
		req.ttft = d.seconds("ttft_s", o)
	case "request_end":
		req.ended = true
		req.err = d.optionalText("error", o)
		req.failed = req.err != ""
		req.prompt = d.optionalCount("prompt_tokens", o)
		req.output = d.optionalCount("total_tokens", o)
	}
}

// start opens a request.
func (s *progressStream) start(d *document, id string, o scan.Object) {
	if s.byID[id] != nil {
		d.fault("request_id", "request %s starts twice", scan.Shown(jsontext.Value(id)))
		return
	}
	req := &progressRequest{run: string(o.Find("run_index"))}
	for name, at := range map[string]*int{
		"prompt_size": &req.key.prompt, "response_size": &req.key.output,
		"context_size": &req.key.depth, "concurrency": &req.key.concurrency,
	} {
		if n := d.optionalCount(name, o); n != nil {
			*at = int(*n)
		}
	}
	req.key.concurrency = max(1, req.key.concurrency)
	if model := d.optionalText("model", o); s.rep.Model == "" {
		s.rep.Model = model
	} else if model != "" && model != s.rep.Model {
		d.fault("model", "%q here, but %q before", model, s.rep.Model)
	}
	s.byID[id] = req
	s.requests = append(s.requests, req)
}

// report makes a report of the stream, when there was one.
func (s *progressStream) report(file string, f *scan.Faults) (Report, bool) {
	if s.byID == nil {
		return Report{}, false
	}
	s.rep.File = file
	if len(s.requests) == 0 {
		f.Add(s.rep.Line, "", "the program may have stopped before it measured anything", "the stream has no requests")
		return Report{}, false
	}
	s.splitContextLoads()
	order, groups := groupRequests(s.requests)
	for _, key := range order {
		s.rep.cells = append(s.rep.cells, progressCell(key, groups[key]))
		s.rep.PrefixCaching = s.rep.PrefixCaching || key.context
	}
	if s.rep.Status != "ok" {
		s.rep.Notes = append(s.rep.Notes, bundle.NewNote(bundle.NoteRunInterrupted, "status", s.rep.Status))
	}
	return s.rep, true
}

// splitContextLoads tells the two phases of a prefix-caching batch apart: it has
// twice as many requests as its concurrency, and those that load the context
// come first.
func (s *progressStream) splitContextLoads() {
	type batch struct {
		key cellKey
		run string
	}
	batches := map[batch][]*progressRequest{}
	for _, req := range s.requests {
		b := batch{req.key, req.run}
		batches[b] = append(batches[b], req)
	}
	for b, reqs := range batches {
		if b.key.depth == 0 || len(reqs) != 2*b.key.concurrency {
			continue
		}
		for _, req := range reqs[:b.key.concurrency] {
			req.key.context = true
		}
	}
}

// groupRequests groups requests by cell, in the order in which cells begin.
func groupRequests(reqs []*progressRequest) ([]cellKey, map[cellKey][]*progressRequest) {
	var order []cellKey
	groups := map[cellKey][]*progressRequest{}
	for _, req := range reqs {
		if groups[req.key] == nil {
			order = append(order, req.key)
		}
		groups[req.key] = append(groups[req.key], req)
	}
	return order, groups
}

// progressCell counts the requests and tokens of a cell and keeps its times. A
// request that never ended counts neither as completed nor as failed.
func progressCell(key cellKey, reqs []*progressRequest) bundle.Cell {
	c := newCell(key)
	runs := map[string]bool{}
	planned, completed, failed := len(reqs), 0, 0
	var input, output int64
	hasInput, hasOutput := true, true
	var ttfr, ttft []float64
	for _, req := range reqs {
		runs[req.run] = true
		switch {
		case req.failed:
			failed++
			if c.Error == "" {
				c.Error = privacy.Clean(req.err)
			}
			continue
		case !req.ended:
			continue
		}
		completed++
		hasInput = addCount(&input, req.prompt) && hasInput
		hasOutput = addCount(&output, req.output) && hasOutput
		ttfr = appendSeconds(ttfr, req.ttfr)
		ttft = appendSeconds(ttft, req.ttft)
	}
	c.Runs = len(runs)
	c.Requests = &bundle.Requests{Planned: &planned, Completed: &completed, Failed: &failed}
	if completed > 0 {
		c.Error = ""
		c.Tokens = &bundle.Tokens{}
		if hasInput {
			c.Tokens.Input = &input
		}
		if hasOutput {
			c.Tokens.Output = &output
		}
		if !hasInput && !hasOutput {
			c.Tokens = nil
		}
	}
	for _, fig := range []bundle.Figure{
		{Metric: metric.TTFR, Name: "ttfr_s (converted from s)", Values: ttfr},
		{Metric: metric.TTFT, Name: "ttft_s (converted from s)", Values: ttft},
	} {
		if fig.N = len(fig.Values); fig.N > 0 {
			fig.Unit = metric.Millisecond
			c.Reported = append(c.Reported, fig)
		}
	}
	return c
}

// addCount adds a count to a sum and reports whether there was one.
func addCount(sum, n *int64) bool {
	if n == nil {
		return false
	}
	*sum += *n
	return true
}

// appendSeconds appends a time in seconds as milliseconds.
func appendSeconds(list []float64, plain string) []float64 {
	if plain == "" {
		return list
	}
	if v := scan.PlainFloat(scan.Shift(plain, 3)); v != nil {
		return append(list, *v)
	}
	return list
}

// optionalText reads a text that may be missing.
func (d *document) optionalText(key string, o scan.Object) string {
	if value := o.Find(key); value != nil {
		return d.text(key, value)
	}
	return ""
}

// optionalCount reads a count that may be missing or null.
func (d *document) optionalCount(key string, o scan.Object) *int64 {
	value := o.Find(key)
	if value == nil || value.Kind() == 'n' {
		return nil
	}
	n := int64(d.count(key, value))
	return &n
}

// seconds reads a time as a plain number, or "" when there is none.
func (d *document) seconds(key string, o scan.Object) string {
	value := o.Find(key)
	if value == nil || value.Kind() == 'n' || d.number(key, value) == nil {
		return ""
	}
	return string(value)
}
