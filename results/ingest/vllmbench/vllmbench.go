// Package vllmbench reads the results of vllm bench serve 0.7 to 0.29, of its Rust
// client and of SGLang's bench_serving: JSON, JSON lines and the printed block.
//
// A file becomes results, each a run at one rate and a cell of its test. Latencies
// are in ms, durations in s, rates per second.
package vllmbench

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
)

// The names under which the tools that write this format are recorded.
const (
	Tool       = "vllm-bench-serve"
	rustTool   = "vllm-bench-rust" // draws other arrivals and prompts for the same seed
	sglangTool = "sglang-bench-serving"
)

// stdKind is what numpy's std computes, and with it every tool here.
const stdKind = "population"

// File is what one file of vllm bench serve, or of SGLang's
// bench_serving, holds: a result per JSON document or printed block, in the
// order of the file.
type File struct {
	Results []Result
}

// A Result is one run of the tool. What the file does not say is zero.
type Result struct {
	File string // name of the input
	Line int    // where the result starts, from 1

	Tool      bundle.Tool // zero when the file does not tell
	Printed   bool        // read from the printed block, which rounds to two decimals
	Date      string      // "YYYYMMDD-HHMMSS" as written: the end, in the client's own time zone
	Backend   string      // as written
	Model     string      // as written: an id, or the path of a local copy
	Tokenizer string      // as written
	Argv      []string    // the command, where the file shows it
	Duration  float64     // s, from the start of the schedule to the last response
	Cell      bundle.Cell
}

// DateLayout is how the tools write the end of a run.
const DateLayout = "20060102-150405"

// Ended returns when the run ended, given the time zone of the client, and
// whether the result says so.
func (r Result) Ended(zone *time.Location) (time.Time, bool) {
	if r.Date == "" || zone == nil {
		return time.Time{}, false
	}
	t, err := time.ParseInLocation(DateLayout, r.Date, zone)
	return t, err == nil
}

// Parse reads any output of vllm bench serve 0.7 to 0.29, of its Rust
// client and of SGLang's bench_serving: one JSON document, several of them on
// lines of their own or in an array, or the printed block with whatever stands
// around it. The error is of type Faults.
func Parse(in ingest.Input) (*File, error) {
	f := scan.Faults{File: in.Name}
	var out File
	text, ok := scan.Decode(in.Data, &f)
	switch head := strings.TrimLeft(text, " \t\r\n"); {
	case !ok:
	case head == "":
		f.Add(0, "", "", "the file is empty")
	case head[0] == '{' || head[0] == '[':
		out.Results = parseDocuments([]byte(text), &f)
	default:
		out.Results = parseBlocks([]byte(text), &f)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return &out, nil
}

// A Builder collects one result from named values, whatever form they are
// written in.
type Builder struct {
	f         *scan.Faults
	line      int
	res       Result
	figures   map[metric.Key]*bundle.Figure
	percent   map[string]string // text of percentages, by name
	other     []bundle.Setting  // numbers that have no place of their own
	unread    []string          // keys whose values were left out
	infinite  []string          // keys whose value is no finite number
	detailed  []string          // per-request lists that were left out, with their length
	known     int               // keys that are the tools' own
	statistic int               // how many of them report a speed or a latency
}

// NewBuilder returns a builder of the result that starts at a line.
func NewBuilder(f *scan.Faults, line int) *Builder {
	b := &Builder{f: f, line: line, figures: map[metric.Key]*bundle.Figure{}, percent: map[string]string{}}
	b.res = Result{File: f.File, Line: line, Tool: bundle.Tool{Name: Tool}}
	return b
}

// latencies maps the tools' names of a latency to its metric.
var latencies = map[string]metric.Key{
	"ttft": metric.TTFT, "tpot": metric.TPOT, "itl": metric.ITL,
	"e2el": metric.E2E, "e2e_latency": metric.E2E,
}

// values maps the tools' keys of a single value to its metric.
var values = map[string]metric.Key{
	"duration":                metric.Duration,
	"request_throughput":      metric.RequestRate,
	"request_goodput":         metric.Goodput,
	"request_goodput:":        metric.Goodput, // misspelt by vLLM before 0.10
	"output_throughput":       metric.Output,
	"total_token_throughput":  metric.Total,
	"total_throughput":        metric.Total, // SGLang
	"max_output_tokens_per_s": metric.Peak,
	"max_concurrent_requests": metric.PeakConcurrency,
}

// figure returns the figure of a metric, new or begun before.
func (b *Builder) figure(key metric.Key, name string) *bundle.Figure {
	if fig, ok := b.figures[key]; ok {
		return fig
	}
	m, _ := metric.Lookup(key)
	fig := &bundle.Figure{Metric: key, Name: name, Unit: m.Unit}
	b.figures[key] = fig
	return fig
}

// statKey splits "p99.9_ttft_ms" into the statistic and the series.
var statKey = regexp.MustCompile(`^(mean|median|std|min|max|p[0-9]+(?:\.[0-9]+)?)_(ttft|tpot|itl|e2el|e2e_latency)_ms$`)

// stat records one statistic of a series of latencies, in ms.
func (b *Builder) stat(line int, key, name, series string, v float64) {
	b.known, b.statistic = b.known+1, b.statistic+1
	fig := b.figure(latencies[series], series)
	switch name {
	case "mean":
		b.set(line, key, &fig.Mean, v)
	case "median":
		b.set(line, key, &fig.Median, v)
	case "std":
		b.set(line, key, &fig.Std, v)
		fig.StdKind = stdKind
	case "min":
		b.set(line, key, &fig.Min, v)
	case "max":
		b.set(line, key, &fig.Max, v)
	default:
		b.quantile(line, key, fig, name[1:], v)
	}
}

// quantile records a percentile. The 0th and the 100th are the extremes.
func (b *Builder) quantile(line int, key string, fig *bundle.Figure, text string, v float64) {
	p, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || p < 0 || p > 100:
		b.f.Add(line, key, "", "a percentile lies between 0 and 100")
	case p == 0:
		b.set(line, key, &fig.Min, v)
	case p == 100:
		b.set(line, key, &fig.Max, v)
	default:
		i, found := slices.BinarySearchFunc(fig.Percentiles, p, func(have bundle.Percentile, p float64) int {
			switch {
			case have.P < p:
				return -1
			case have.P > p:
				return 1
			}
			return 0
		})
		if found {
			have := fig.Percentiles[i].Value
			b.set(line, key, new(&have), v)
			return
		}
		fig.Percentiles = slices.Insert(fig.Percentiles, i, bundle.Percentile{P: p, Value: v})
	}
}

// set stores v, or faults when another value stands there already.
func (b *Builder) set(line int, key string, at **float64, v float64) {
	if *at != nil && **at != v {
		b.f.Add(line, key, "", "is given twice: %v and %v", **at, v)
		return
	}
	*at = &v
}

// count stores a number of requests, tokens or drafts.
func setCount[T int | int64](b *Builder, line int, key string, at **T, v int64) {
	if *at != nil && int64(**at) != v {
		b.f.Add(line, key, "", "is given twice: %d and %d", **at, v)
		return
	}
	t := T(v)
	*at = &t
}

// requests returns the request counts of the cell, to be filled in.
func (b *Builder) requests() *bundle.Requests {
	if b.res.Cell.Requests == nil {
		b.res.Cell.Requests = &bundle.Requests{}
	}
	return b.res.Cell.Requests
}

// tokens returns the token counts of the cell, to be filled in.
func (b *Builder) tokens() *bundle.Tokens {
	if b.res.Cell.Tokens == nil {
		b.res.Cell.Tokens = &bundle.Tokens{}
	}
	return b.res.Cell.Tokens
}

// draft returns the speculation counts of the cell, to be filled in.
func (b *Builder) draft() *bundle.DraftStat {
	if b.res.Cell.Draft == nil {
		b.res.Cell.Draft = &bundle.DraftStat{}
	}
	return b.res.Cell.Draft
}

// finish checks what was collected against itself and returns the result.
func (b *Builder) finish() Result {
	cell := &b.res.Cell
	for _, m := range metric.All {
		fig, ok := b.figures[m.Key]
		if !ok {
			continue
		}
		b.checkMedian(fig)
		cell.Reported = append(cell.Reported, *fig)
	}
	if fig := b.figures[metric.Duration]; fig != nil && fig.Value != nil {
		b.res.Duration = *fig.Value
	}
	b.noteRequests()
	b.noteLeftOut()
	return b.res
}

// checkMedian compares the median with the 50th percentile: the same thing,
// said twice.
func (b *Builder) checkMedian(fig *bundle.Figure) {
	for _, p := range fig.Percentiles {
		if p.P == 50 && fig.Median != nil && !scan.CloseTo(p.Value, *fig.Median, 1e-9) {
			b.f.Add(b.line, "p50_"+fig.Name+"_ms", "", "is %v, but median_%s_ms is %v: the 50th percentile is the median", p.Value, fig.Name, *fig.Median)
		}
	}
}

// noteRequests says what is odd about the counts of requests.
func (b *Builder) noteRequests() {
	cell := &b.res.Cell
	r := cell.Requests
	if r == nil {
		return
	}
	if r.Completed != nil && *r.Completed == 0 && len(cell.Reported) > 0 {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteAllFailed))
	}
	if r.Planned == nil || r.Completed == nil {
		return
	}
	missing := *r.Planned - *r.Completed
	if r.Failed != nil {
		missing -= *r.Failed
	}
	switch {
	case missing == 0:
	case missing < 0:
		b.f.Add(b.line, "", "", "%d requests were planned, but %d completed or failed", *r.Planned, *r.Planned-missing)
	case r.Failed == nil:
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteFailuresUnknown,
			"planned", strconv.Itoa(*r.Planned), "completed", strconv.Itoa(*r.Completed), "missing", strconv.Itoa(missing)))
	default:
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteRequestsDoNotAddUp,
			"planned", strconv.Itoa(*r.Planned), "completed", strconv.Itoa(*r.Completed), "failed", strconv.Itoa(*r.Failed)))
	}
}

// noteLeftOut says what of the source is not in the cell. Numbers keep their
// value; of texts only the key is named, since a text may hold anything.
func (b *Builder) noteLeftOut() {
	cell := &b.res.Cell
	if b.res.Printed {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NotePrintedBlock))
	}
	if len(b.infinite) > 0 {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteNotFinite, "keys", strings.Join(b.infinite, " ")))
	}
	if len(b.other) > 0 {
		cell.Notes = append(cell.Notes, bundle.Note{Code: bundle.NoteOtherValues, Args: b.other})
	}
	if len(b.detailed) > 0 {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteListsLeftOut, "keys", strings.Join(b.detailed, " ")))
	}
	if len(b.unread) > 0 {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteKeysLeftOut, "keys", strings.Join(b.unread, " ")))
	}
}

// keepNumber records a number that has no place of its own. Names that a text
// uses several times are told apart.
func (b *Builder) keepNumber(key string, v float64) {
	name := scan.Printable(key)
	for n := 2; slices.ContainsFunc(b.other, func(s bundle.Setting) bool { return s.Name == name }); n++ {
		name = scan.Printable(key) + " #" + strconv.Itoa(n)
	}
	b.other = append(b.other, bundle.Setting{Name: name, Value: strconv.FormatFloat(v, 'g', -1, 64)})
}

// percentRatio turns the text of a percentage into a ratio without a detour
// over binary fractions: "31.16" becomes exactly what "0.3116" would be.
func percentRatio(text string) (float64, error) {
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if !found {
		return strconv.ParseFloat(text+"e-2", 64)
	}
	e, err := strconv.Atoi(exponent)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return strconv.ParseFloat(mantissa+"e"+strconv.Itoa(e-2), 64)
}
