package ingest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
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
func (r *benchReader) readJSON(i int) int {
	if !r.worthDecoding(i) {
		r.run().log.take(r.lines[i], r.f)
		return i + 1
	}
	value, lines, err := r.decode(i)
	line := r.lines[i].no
	if err != nil {
		const most = 50
		r.broken++
		rest := r.text[r.offsets[i]:]
		if r.broken > most || bytes.Contains(rest, []byte(`"benchmarks"`)) || bytes.Contains(rest, []byte(progressSchema)) {
			r.f.add(line, "", "give the whole file", "%s", jsonMessage(err))
			return len(r.lines)
		}
		return i + 1
	}
	object, err := readObject(jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true)), value, lineIndex(value))
	switch {
	case err != nil:
		r.f.add(line, "", "", "%s", jsonMessage(err))
	case object.find("benchmarks") != nil:
		d := benchDocument{f: r.f, line: line}
		rep := d.read(object)
		rep.File, rep.Line = r.file, line
		r.run().reports = append(r.run().reports, rep)
	case unquote(object.find("schema")) == progressSchema:
		r.progress.take(line, object, r.f)
	}
	return i + lines
}

// worthDecoding tells a document of the tool from a line of log that begins
// with a brace, so that a long log is not decoded again from every line.
func (r *benchReader) worthDecoding(i int) bool {
	text := strings.TrimSpace(r.lines[i].text)
	return text == "{" || strings.Contains(text, `"version"`) || strings.Contains(text, `"benchmarks"`) || strings.Contains(text, progressSchema)
}

// decode reads the JSON value that starts in line i and says over how many
// lines it goes. A value is most often a line of its own.
func (r *benchReader) decode(i int) (jsontext.Value, int, error) {
	own := []byte(r.lines[i].text)
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
func (r *benchReader) join() {
	if r.offsets != nil {
		return
	}
	var b bytes.Buffer
	for _, l := range r.lines {
		r.offsets = append(r.offsets, b.Len())
		b.WriteString(l.text)
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
	quoted := quoteBareNumbers(data)
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

// A benchDocument reads one JSON report.
type benchDocument struct {
	f    *faultList
	line int
	rep  Report
}

// read reads a document. Every key may be missing.
func (d *benchDocument) read(o jsonObject) Report {
	d.rep = Report{Tool: bundle.Tool{Name: llamaBenchy}, digits: fullPrecision, latencyDigits: fullPrecision}
	for _, m := range o.members {
		switch m.key {
		case "version":
			d.rep.Tool.Version = d.text(m.key, m.value)
		case "timestamp":
			d.rep.EndDate = d.text(m.key, m.value)
		case "latency_mode":
			d.rep.LatencyMode = d.text(m.key, m.value)
		case "model":
			d.rep.Model = d.text(m.key, m.value)
		case "latency_ms":
			d.rep.LatencyMS = d.number(m.key, m.value)
		case "prefix_caching_enabled":
			d.rep.PrefixCaching = m.value.Kind() == 't'
		case "max_concurrency":
		case "benchmarks":
			if m.value.Kind() != '[' {
				d.fault(m.key, "want a list, found %s", kindName(m.value.Kind()))
			}
			for i, value := range elements(m.value) {
				d.cell(fmt.Sprintf("benchmarks[%d]", i), value)
			}
		default:
			d.rep.Notes = append(d.rep.Notes, note(bundle.NoteColumnIgnored, "column", privacy.Clean(printable(m.key))))
		}
	}
	if len(d.rep.cells) == 0 && len(d.f.list) == 0 {
		d.f.add(d.line, "benchmarks", "the program may have stopped before it measured anything", "the list is empty")
	}
	return d.rep
}

// cell reads one element of the benchmarks.
func (d *benchDocument) cell(path string, value jsontext.Value) {
	if value.Kind() != '{' {
		d.fault(path, "want an object, found %s", kindName(value.Kind()))
		return
	}
	o, err := readObject(jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true)), value, lineIndex(value))
	if err != nil {
		d.fault(path, "%s", jsonMessage(err))
		return
	}
	c := bundle.Cell{Concurrency: 1}
	for _, m := range o.members {
		at := path + "." + m.key
		key, isFigure := jsonFigures[m.key]
		switch {
		case isFigure:
			d.figure(&c, at, m.key, key, m.value)
		case m.key == "concurrency":
			c.Concurrency = max(1, d.count(at, m.value))
		case m.key == "context_size":
			c.DepthTokens = d.count(at, m.value)
		case m.key == "prompt_size":
			c.PromptTokens = d.count(at, m.value)
		case m.key == "response_size":
			c.OutputTokens = d.count(at, m.value)
		case m.key == "is_context_prefill_phase":
			if m.value.Kind() == 't' {
				c.Phase = contextPhase
			}
		case slices.Contains(seriesKeys, m.key) && m.value.Kind() == 'n':
		default:
			c.Notes = append(c.Notes, note(bundle.NoteColumnIgnored, "column", privacy.Clean(printable(m.key))))
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
		}
	}
	d.rep.cells = append(d.rep.cells, c)
}

// figure reads {"mean", "std", "values"} or null, which means not measured.
func (d *benchDocument) figure(c *bundle.Cell, path, name string, key metric.Key, value jsontext.Value) {
	switch value.Kind() {
	case 'n':
		return
	case '{':
	default:
		d.fault(path, "want an object or null, found %s", kindName(value.Kind()))
		return
	}
	o, err := readObject(jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true)), value, lineIndex(value))
	if err != nil {
		d.fault(path, "%s", jsonMessage(err))
		return
	}
	def, _ := metric.Lookup(key)
	fig := bundle.Figure{Metric: key, Name: name, Unit: def.Unit}
	before := len(d.f.list)
	for _, m := range o.members {
		switch m.key {
		case "mean":
			fig.Mean = d.measured(c, path+".mean", m.value)
		case "std":
			fig.Std = d.measured(c, path+".std", m.value)
		case "values":
			for i, v := range elements(m.value) {
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
	if fig.Mean == nil && fig.N == 0 || len(d.f.list) > before {
		return
	}
	if samples := (bundle.Figure{Values: fig.Values}); fig.Mean != nil && fig.N > 0 && !closeTo(*meanOf(samples), *fig.Mean, 1e-3) {
		d.fault(path, "the mean is %s, but that of the values is %s", shortest(*fig.Mean), shortest(*meanOf(samples)))
	}
	c.Reported = append(c.Reported, fig)
}

// measured reads a number that was measured; null and NaN mean that it was not.
func (d *benchDocument) measured(c *bundle.Cell, path string, value jsontext.Value) *float64 {
	if value.Kind() == 'n' {
		return nil
	}
	if _, ok := notFinite(unquote(value)); ok && value.Kind() == '"' {
		c.Notes = append(c.Notes, note(bundle.NoteNotFinite, "keys", path))
		return nil
	}
	v := d.number(path, value)
	if v != nil && *v < 0 {
		d.fault(path, "%s is negative", shown(value))
		return nil
	}
	return v
}

func (d *benchDocument) number(path string, value jsontext.Value) *float64 {
	if value.Kind() == 'n' {
		return nil
	}
	v, err := parsePlain(string(value))
	if value.Kind() != '0' || err != nil {
		d.fault(path, "want a number, found %s", shown(value))
		return nil
	}
	return &v
}

func (d *benchDocument) count(path string, value jsontext.Value) int {
	n, err := strconv.Atoi(string(value))
	if err != nil || n < 0 || n > maxCount {
		d.fault(path, "want a count, found %s", shown(value))
		return 0
	}
	return n
}

func (d *benchDocument) text(path string, value jsontext.Value) string {
	if value.Kind() == 'n' {
		return ""
	}
	if value.Kind() != '"' {
		d.fault(path, "want a text, found %s", shown(value))
		return ""
	}
	return unquote(value)
}

func (d *benchDocument) fault(path, format string, args ...any) {
	d.f.add(d.line, path, "", format, args...)
}
