package llamabenchy

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
	"example.org/arena/results/privacy"
)

// jsonFigures maps the keys of a JSON report to metrics.
var jsonFigures = map[string]metric.Key{
	"pp_throughput":       metric.Prefill,
	"pp_req_throughput":   metric.PrefillRequest,
	"tg_throughput":       metric.Decode,
	"tg_req_throughput":   metric.DecodeRequest,
	"peak_throughput":     metric.Peak,
	"peak_req_throughput": metric.PeakRequest,
	"ttfr":                metric.TTFR,
	"est_ppt":             metric.EstimatedPrefill,
	"e2e_ttft":            metric.TTFT,
}

// seriesKeys hold a value per token; bundles have no place for them.
var seriesKeys = []string{"throughput_over_time", "requests_throughput_over_time"}

// readJSON reads the JSON value that starts in line i, when it is one of the
// tool's, and returns the index of the line after it. Any other value is noise.
func (r *reader) readJSON(i int) int {
	if !r.worthDecoding(i) {
		r.run().log.take(r.lines[i], r.f)
		return i + 1
	}
	value, lines, err := r.decode(i)
	line := r.lines[i].No
	if err != nil {
		const most = 50
		r.broken++
		rest := r.text[r.offsets[i]:]
		if r.broken > most || bytes.Contains(rest, []byte(`"benchmarks"`)) || bytes.Contains(rest, []byte(progressSchema)) {
			r.f.Add(line, "", "give the whole file", "%s", scan.Message(err))
			return len(r.lines)
		}
		return i + 1
	}
	object, err := scan.ReadObject(jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true)), value, scan.LineIndex(value))
	switch {
	case err != nil:
		r.f.Add(line, "", "", "%s", scan.Message(err))
	case object.Find("benchmarks") != nil:
		d := document{f: r.f, line: line}
		rep := d.read(object)
		rep.File, rep.Line = r.file, line
		r.run().reports = append(r.run().reports, rep)
	case scan.Unquote(object.Find("schema")) == progressSchema:
		r.progress.take(line, object, r.f)
	}
	return i + lines
}

// worthDecoding tells a document of the tool from a line of log that begins
// with a brace, so that a long log is not decoded again from every line.
func (r *reader) worthDecoding(i int) bool {
	text := strings.TrimSpace(r.lines[i].Text)
	return text == "{" || strings.Contains(text, `"version"`) || strings.Contains(text, `"benchmarks"`) || strings.Contains(text, progressSchema)
}

// decode reads the JSON value that starts in line i and says over how many
// lines it goes. A value is most often a line of its own.
func (r *reader) decode(i int) (jsontext.Value, int, error) {
	own := []byte(r.lines[i].Text)
	if value, used, err := readValue(own); err == nil && len(bytes.TrimSpace(own[used:])) == 0 {
		return value, 1, nil
	}
	r.join()
	rest := r.text[r.offsets[i]:]
	value, used, err := readValue(rest)
	if err != nil {
		return nil, 0, err
	}
	return value, 1 + bytes.Count(rest[:used], []byte("\n")), nil
}

// join puts the lines together for the JSON decoder, once.
func (r *reader) join() {
	if r.offsets != nil {
		return
	}
	var b bytes.Buffer
	for _, l := range r.lines {
		r.offsets = append(r.offsets, b.Len())
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	r.text = b.Bytes()
}

// readValue reads the first JSON value of data and says how many bytes it took.
// Python writes NaN and Infinity bare: they become texts.
func readValue(data []byte) (jsontext.Value, int, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowInvalidUTF8(true))
	value, err := dec.ReadValue()
	if err == nil {
		return value.Clone(), int(dec.InputOffset()), nil
	}
	quoted := scan.QuoteBareNumbers(data)
	if len(quoted) == len(data) {
		return nil, 0, err
	}
	dec = jsontext.NewDecoder(bytes.NewBuffer(quoted), jsontext.AllowInvalidUTF8(true))
	if value, err = dec.ReadValue(); err != nil {
		return nil, 0, err
	}
	lines := bytes.Count(quoted[:dec.InputOffset()], []byte("\n"))
	used := 0
	for ; lines > 0; lines-- {
		used += bytes.IndexByte(data[used:], '\n') + 1
	}
	return value.Clone(), used, nil
}

// A document reads one JSON report.
type document struct {
	f    *scan.Faults
	line int
	rep  Report
}

// read reads a document. Every key may be missing.
func (d *document) read(o scan.Object) Report {
	d.rep = Report{Tool: bundle.Tool{Name: Tool}, digits: scan.FullPrecision, latencyDigits: scan.FullPrecision}
	for _, m := range o.Members {
		switch m.Key {
		case "version":
			d.rep.Tool.Version = d.text(m.Key, m.Value)
		case "timestamp":
			d.rep.EndDate = d.text(m.Key, m.Value)
		case "latency_mode":
			d.rep.LatencyMode = d.text(m.Key, m.Value)
		case "model":
			d.rep.Model = d.text(m.Key, m.Value)
		case "latency_ms":
			d.rep.LatencyMS = d.number(m.Key, m.Value)
		case "prefix_caching_enabled":
			d.rep.PrefixCaching = m.Value.Kind() == 't'
		case "max_concurrency":
		case "benchmarks":
			if m.Value.Kind() != '[' {
				d.fault(m.Key, "want a list, found %s", scan.KindName(m.Value.Kind()))
			}
			for i, value := range scan.Elements(m.Value) {
				d.cell(fmt.Sprintf("benchmarks[%d]", i), value)
			}
		default:
			d.rep.Notes = append(d.rep.Notes, bundle.NewNote(bundle.NoteColumnIgnored, "column", privacy.Clean(scan.Printable(m.Key))))
		}
	}
	if len(d.rep.cells) == 0 && len(d.f.List) == 0 {
		d.f.Add(d.line, "benchmarks", "the program may have stopped before it measured anything", "the list is empty")
	}
	return d.rep
}

// cell reads one element of the benchmarks.
func (d *document) cell(path string, value jsontext.Value) {
	if value.Kind() != '{' {
		d.fault(path, "want an object, found %s", scan.KindName(value.Kind()))
		return
	}
	o, err := scan.ReadObject(jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true)), value, scan.LineIndex(value))
	if err != nil {
		d.fault(path, "%s", scan.Message(err))
		return
	}
	c := bundle.Cell{Concurrency: 1}
	for _, m := range o.Members {
		at := path + "." + m.Key
		key, isFigure := jsonFigures[m.Key]
		switch {
		case isFigure:
			d.figure(&c, at, m.Key, key, m.Value)
		case m.Key == "concurrency":
			c.Concurrency = max(1, d.count(at, m.Value))
		case m.Key == "context_size":
			c.DepthTokens = d.count(at, m.Value)
		case m.Key == "prompt_size":
			c.PromptTokens = d.count(at, m.Value)
		case m.Key == "response_size":
			c.OutputTokens = d.count(at, m.Value)
		case m.Key == "is_context_prefill_phase":
			if m.Value.Kind() == 't' {
				c.Phase = contextPhase
			}
		case slices.Contains(seriesKeys, m.Key) && m.Value.Kind() == 'n':
		default:
			c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteColumnIgnored, "column", privacy.Clean(scan.Printable(m.Key))))
		}
	}
	for _, fig := range c.Reported {
		switch fig.Metric {
		case metric.Prefill, metric.Decode, metric.Peak:
			c.Runs = max(c.Runs, len(fig.Values))
		case metric.TTFR:
			if n := len(fig.Values); n > 0 {
				c.Requests = &bundle.Requests{Completed: &n}
			}
		default:
		}
	}
	d.rep.cells = append(d.rep.cells, c)
}

// figure reads {"mean", "std", "values"} or null, which means not measured.
func (d *document) figure(c *bundle.Cell, path, name string, key metric.Key, value jsontext.Value) {
	switch value.Kind() {
	case 'n':
		return
	case '{':
	default:
		d.fault(path, "want an object or null, found %s", scan.KindName(value.Kind()))
		return
	}
	o, err := scan.ReadObject(jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true)), value, scan.LineIndex(value))
	if err != nil {
		d.fault(path, "%s", scan.Message(err))
		return
	}
	def, _ := metric.Lookup(key)
	fig := bundle.Figure{Metric: key, Name: name, Unit: def.Unit}
	before := len(d.f.List)
	for _, m := range o.Members {
		switch m.Key {
		case "mean":
			fig.Mean = d.measured(c, path+".mean", m.Value)
		case "std":
			fig.Std = d.measured(c, path+".std", m.Value)
		case "values":
			for i, v := range scan.Elements(m.Value) {
				if x := d.measured(c, fmt.Sprintf("%s.values[%d]", path, i), v); x != nil {
					fig.Values = append(fig.Values, *x)
				}
			}
		}
	}
	fig.N = len(fig.Values)
	if fig.Std != nil {
		fig.StdKind = "population"
	}
	if fig.Mean == nil {
		fig.Std, fig.StdKind = nil, ""
	}
	if fig.Mean == nil && fig.N == 0 || len(d.f.List) > before {
		return
	}
	if samples := (bundle.Figure{Values: fig.Values}); fig.Mean != nil && fig.N > 0 && !scan.CloseTo(*meanOf(samples), *fig.Mean, 1e-3) {
		d.fault(path, "the mean is %s, but that of the values is %s", scan.Shortest(*fig.Mean), scan.Shortest(*meanOf(samples)))
	}
	c.Reported = append(c.Reported, fig)
}

// measured reads a number that was measured; null and NaN mean that it was not.
func (d *document) measured(c *bundle.Cell, path string, value jsontext.Value) *float64 {
	if value.Kind() == 'n' {
		return nil
	}
	if _, ok := scan.NotFinite(scan.Unquote(value)); ok && value.Kind() == '"' {
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteNotFinite, "keys", path))
		return nil
	}
	v := d.number(path, value)
	if v != nil && *v < 0 {
		d.fault(path, "%s is negative", scan.Shown(value))
		return nil
	}
	return v
}

func (d *document) number(path string, value jsontext.Value) *float64 {
	if value.Kind() == 'n' {
		return nil
	}
	v, err := scan.ParsePlain(string(value))
	if value.Kind() != '0' || err != nil {
		d.fault(path, "want a number, found %s", scan.Shown(value))
		return nil
	}
	return &v
}

func (d *document) count(path string, value jsontext.Value) int {
	n, err := strconv.Atoi(string(value))
	if err != nil || n < 0 || n > scan.MaxCount {
		d.fault(path, "want a count, found %s", scan.Shown(value))
		return 0
	}
	return n
}

func (d *document) text(path string, value jsontext.Value) string {
	if value.Kind() == 'n' {
		return ""
	}
	if value.Kind() != '"' {
		d.fault(path, "want a text, found %s", scan.Shown(value))
		return ""
	}
	return scan.Unquote(value)
}

func (d *document) fault(path, format string, args ...any) {
	d.f.Add(d.line, path, "", format, args...)
}
