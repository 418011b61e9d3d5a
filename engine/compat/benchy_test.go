package compat

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/results/bundle"
)

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// corpusFile returns the path of a file of reference values.
func corpusFile(t *testing.T, elem ...string) string {
	t.Helper()
	dir := os.Getenv("ARENA_CORPUS")
	if dir == "" {
		t.Skip("SKIPPED: ARENA_CORPUS is not set, so the tools' own figures are not compared")
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}

// A benchyCase is a case of the reference values of llama-benchy.
type benchyCase struct {
	Name        string
	Concurrency int
	PromptSize  int `json:"prompt_size"`
	Response    int `json:"response_size"`
	Depth       int
	Expected    int     `json:"expected_pp_tokens"`
	Latency     float64 `json:"latency_s"`
	Context     bool    `json:"is_context_phase"`
	Batches     [][]struct {
		Start         float64  `json:"start_ts"`
		FirstResponse *float64 `json:"first_response_ts"`
		FirstToken    *float64 `json:"first_token_ts"`
		End           float64  `json:"end_ts"`
		Prompt        int      `json:"prompt_tokens"`
		Total         int      `json:"total_tokens"`
		Error         *string
		Tokens        []float64 `json:"token_timestamps"`
	}
	Figures map[string]json.RawMessage `json:"expected"`
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

func (c benchyCase) cell() BenchyCell {
	cell := BenchyCell{Concurrency: c.Concurrency, ExpectedTokens: c.Expected, Latency: c.Latency}
	for _, b := range c.Batches {
		var batch []BenchyRequest
		for _, r := range b {
			batch = append(batch, BenchyRequest{
				Start: r.Start, FirstResponse: orNaN(r.FirstResponse), FirstToken: orNaN(r.FirstToken),
				Tokens: r.Tokens, TotalTokens: r.Total, PromptTokens: r.Prompt, Failed: r.Error != nil,
			})
		}
		cell.Batches = append(cell.Batches, batch)
	}
	return cell
}

func TestBenchyFiguresEqualTheTool(t *testing.T) {
	t.Parallel()
	var cases []benchyCase
	readJSON(t, corpusFile(t, "vectors", "llama-benchy-metrics.json"), &cases)
	if len(cases) != 14 {
		t.Fatalf("got %d cases, want 14", len(cases))
	}
	for _, c := range cases {
		cell := c.cell()
		figures := cell.Figures()
		for _, key := range []string{
			"pp_throughput", "pp_req_throughput", "tg_throughput", "tg_req_throughput", "peak_throughput", "peak_req_throughput",
			"ttfr", "est_ppt", "e2e_ttft",
		} {
			var want *struct {
				Mean, Std float64
				Values    []float64
			}
			if err := json.Unmarshal(c.Figures[key], &want); err != nil {
				t.Fatal(err)
			}
			got := named(figures, key)
			if (got == nil) != (want == nil) {
				t.Errorf("%s: %s: got %+v, want %+v", c.Name, key, got, want)
				continue
			}
			if got != nil && (*got.Mean != want.Mean || *got.Std != want.Std || !slices.Equal(got.Values, want.Values)) {
				t.Errorf("%s: %s:\ngot  %+v\nwant %+v", c.Name, key, *got, *want)
			}
		}
		runs, requests := cell.ratesOverTime()
		compareRates(t, c.Name+": throughput_over_time", runs, c.Figures["throughput_over_time"])
		compareRates(t, c.Name+": requests_throughput_over_time", requests, c.Figures["requests_throughput_over_time"])
	}
}

// named returns the figure of a name, nil without one.
func named(figures []bundle.Figure, name string) *bundle.Figure {
	i := slices.IndexFunc(figures, func(f bundle.Figure) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &figures[i]
}

// ratesOverTime returns the rate of each batch over time, and that of each of its
// requests, which peaks are taken from.
func (c BenchyCell) ratesOverTime() (runs [][]rateAt, requests [][][]rateAt) {
	for _, batch := range c.Batches {
		var all []float64
		var each [][]rateAt
		for _, r := range batch {
			if !r.Failed {
				all = append(all, r.Tokens...)
				each = append(each, rateOverTime(r.Tokens))
			}
		}
		if len(each) > 0 {
			slices.Sort(all)
			runs, requests = append(runs, rateOverTime(all)), append(requests, each)
		}
	}
	return runs, requests
}

// compareRates compares nested lists of points as the tool writes them.
func compareRates(t *testing.T, name string, got any, want json.RawMessage) {
	t.Helper()
	var g, w any
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`{"Second":`, "[", `,"Rate":`, ",", "}", "]").Replace(string(data))
	if text == "null" {
		text = "[]"
	}
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(g)
	b, _ := json.Marshal(w)
	if string(a) != string(b) {
		t.Errorf("%s:\ngot  %.300s\nwant %.300s", name, a, b)
	}
}

func TestBenchyTokenTimesEqualTheTool(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name   string
		Chunks []struct {
			Text      string
			Timestamp float64
			IDs       []int `json:"token_ids"`
		}
		Usage     *int `json:"usage_completion_tokens"`
		Tokenizer *string
		Total     int       `json:"total_tokens"`
		Times     []float64 `json:"token_timestamps"`
	}
	readJSON(t, corpusFile(t, "vectors", "llama-benchy-token-timestamps.json"), &cases)
	if len(cases) != 10 {
		t.Fatalf("got %d cases, want 10", len(cases))
	}
	for _, c := range cases {
		var chunks []BenchyChunk
		for _, k := range c.Chunks {
			ids := -1
			if k.IDs != nil {
				ids = len(k.IDs)
			}
			chunks = append(chunks, BenchyChunk{At: k.Timestamp, Text: k.Text, IDs: ids})
		}
		usage := -1
		if c.Usage != nil {
			usage = *c.Usage
		}
		var tokenize func(string) int
		if c.Tokenizer != nil {
			tokenize = func(s string) int { return len(strings.Fields(s)) }
		}
		total, times := BenchyTokenTimes(chunks, usage, tokenize)
		if total != c.Total || !slices.Equal(times, c.Times) {
			t.Errorf("%s: got %d %v, want %d %v", c.Name, total, times, c.Total, c.Times)
		}
	}
}

// TestBenchyRecordsGiveTheSameFigures: the reference cases as records, whose
// moments are nanoseconds, give the same figures to the last digit where the
// moments are whole nanoseconds, and else but for that rounding.
func TestBenchyRecordsGiveTheSameFigures(t *testing.T) {
	t.Parallel()
	var cases []benchyCase
	readJSON(t, corpusFile(t, "vectors", "llama-benchy-metrics.json"), &cases)
	exact := 0
	for _, c := range cases {
		cell := c.cell()
		want := cell.Figures()
		s := arrival.Synchronised(c.Concurrency, 1, len(c.Batches))
		records, whole := recordsOf(s, cell)
		cell.Batches = BenchyBatches(s, records)
		got := cell.Figures()
		if whole {
			exact++
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\ngot  %+v\nwant %+v", c.Name, got, want)
			}
			continue
		}
		for _, w := range want {
			if g := named(got, w.Name); g == nil || math.Abs(*g.Mean / *w.Mean - 1) > 1e-7 {
				t.Errorf("%s: got %+v, want %+v", c.Name, g, w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: got %d figures, want %d", c.Name, len(got), len(want))
		}
	}
	if exact < 13 {
		t.Errorf("only %d of %d cases have whole nanoseconds", exact, len(cases))
	}
}

// recordsOf returns records of which the tool would have noted a cell's batches,
// a warm-up before them, and whether all moments are whole nanoseconds.
func recordsOf(s arrival.Schedule, cell BenchyCell) (records []loadgen.Record, whole bool) {
	whole = true
	at := func(second float64) loadgen.Offset {
		o := loadgen.Offset(math.Round(second * 1e9))
		whole = whole && seconds(o) == second
		return o
	}
	for i := range s.Batches[0].Size {
		r := loadgen.Record{Request: loadgen.Request{Seq: i}, Result: loadgen.NoResult(), Warmup: true}
		r.Sent, r.Outcome, r.Arrivals = 0, loadgen.OK, []loadgen.Arrival{{At: 1, Tokens: 1}}
		records = append(records, r)
	}
	for i, b := range cell.Batches {
		for j, q := range b {
			r := loadgen.Record{Request: loadgen.Request{Seq: s.Batches[i+1].First + j}, Result: loadgen.NoResult()}
			r.Sent, r.Outcome = at(q.Start), loadgen.HTTPStatus
			if !q.Failed {
				r.Outcome, r.CountedBy = loadgen.OK, loadgen.ByTokenIDs
				r.Result.PromptTokens, r.CompletionTokens = q.PromptTokens, q.TotalTokens
				for _, token := range q.Tokens {
					r.Arrivals = append(r.Arrivals, loadgen.Arrival{At: at(token), Tokens: 1})
				}
				if q.FirstResponse < q.FirstToken {
					r.Bare = []loadgen.Offset{at(q.FirstResponse)}
				}
			}
			records = append(records, r)
		}
	}
	return records, whole
}

// benchySample is a small cell: two runs of two requests, worked out by hand in
// TestBenchyByHand.
func benchySample() BenchyCell {
	request := func(start, response, token float64, tokens ...float64) BenchyRequest {
		return BenchyRequest{Start: start, FirstResponse: response, FirstToken: token, Tokens: tokens, TotalTokens: len(tokens), PromptTokens: 96}
	}
	return BenchyCell{
		Concurrency: 2, ExpectedTokens: 100, Latency: 0.125,
		Batches: [][]BenchyRequest{
			{request(0, 0.25, 0.375, 0.5, 1, 1.5), request(0, 0.625, 0.75, 0.75, 1.25, 2.5)},
			{request(10, 10.125, 10.5, 10.5, 11, 11.5), {Start: 10, FirstResponse: math.NaN(), FirstToken: math.NaN(), Failed: true}},
		},
	}
}

func TestBenchyByHand(t *testing.T) {
	t.Parallel()
	f := benchySample().Figures()
	for _, c := range []struct {
		name string
		want []float64
	}{
		{"ttfr", []float64{250, 625, 125}},
		{"e2e_ttft", []float64{375, 750, 500}},
		{"est_ppt", []float64{125, 500, 0}},
		{"pp_req_throughput", []float64{768, 192}}, // 96/0.125, 96/0.5; not where the latency ate the response time
		{"pp_throughput", []float64{256, 192}},     // 192/0.75, 96/0.5: from the first send to the last first token, nothing subtracted
		{"tg_req_throughput", []float64{2, 2 / 1.75, 2}},
		{"tg_throughput", []float64{4 / 2.125, 2}}, // from the first first token on
		{"peak_throughput", []float64{4, 2}},       // in (0.5,1.5] there are 0.75, 1, 1.25 and 1.5
		{"peak_req_throughput", []float64{2, 2, 2}},
	} {
		if got := named(f, c.name); got == nil || !slices.Equal(got.Values, c.want) {
			t.Errorf("%s: got %+v, want %v", c.name, got, c.want)
		}
	}
	if got := named(f, "pp_throughput"); *got.Mean != 224 || *got.Std != 32 || got.N != 2 {
		t.Errorf("pp: got %v ± %v of %d, want 224 ± 32 of 2", *got.Mean, *got.Std, got.N)
	}
	one := benchySample()
	one.Concurrency = 1
	f = one.Figures()
	if !slices.Equal(named(f, "pp_throughput").Values, named(f, "pp_req_throughput").Values) ||
		!slices.Equal(named(f, "tg_throughput").Values, named(f, "tg_req_throughput").Values) {
		t.Errorf("at concurrency 1 a batch is a request: got %+v", f)
	}
}

// TestBenchyFromRecords: what of a record becomes which note.
func TestBenchyFromRecords(t *testing.T) {
	t.Parallel()
	s := arrival.Synchronised(3, 0, 1)
	records := twoRequests()
	batches := BenchyBatches(s, records)
	if len(batches) != 1 || len(batches[0]) != 3 {
		t.Fatalf("got %+v", batches)
	}
	first, second, third := batches[0][0], batches[0][1], batches[0][2]
	if first.Start != 0.5 || first.FirstResponse != 0.75 || first.FirstToken != 1 || first.PromptTokens != 110 || first.TotalTokens != 5 ||
		!slices.Equal(first.Tokens, []float64{1, 1, 1.125, 1.25, 1.5}) { // two tokens at once spread over the time since the one before
		t.Errorf("first: got %+v", first)
	}
	if second.FirstResponse != 1.5 || second.TotalTokens != 1 || second.Failed {
		t.Errorf("second: got %+v", second)
	}
	if !third.Failed || !math.IsNaN(third.FirstToken) {
		t.Errorf("third: got %+v", third)
	}
	records[0].CountedBy = loadgen.ByUsage // nobody knows which chunk carried how many
	first = BenchyBatches(s, records)[0][0]
	if first.TotalTokens != 5 || !slices.Equal(first.Tokens, []float64{1, 1.125, 1.25, 1.375, 1.5}) {
		t.Errorf("by usage: got %+v", first)
	}
	records[0].CompletionTokens = loadgen.Unknown
	records[0].CountedBy = loadgen.ByChunks
	first = BenchyBatches(s, records)[0][0]
	if first.TotalTokens != 3 || !slices.Equal(first.Tokens, []float64{1, 1.25, 1.5}) {
		t.Errorf("by chunks: got %+v", first)
	}
}

func TestBenchyTokenTimesByHand(t *testing.T) {
	t.Parallel()
	chunks := []BenchyChunk{{0.5, "a b", 2}, {1, "c", 0}, {2.5, " d", 2}}
	unlisted := []BenchyChunk{{0.5, "a b", 2}, {1, "c", -1}, {2.5, " d", 2}}
	words := func(s string) int { return len(strings.Fields(s)) }
	for _, c := range []struct {
		name     string
		chunks   []BenchyChunk
		usage    int
		tokenize func(string) int
		want     []float64
	}{
		{"ids", chunks, 9, words, []float64{0.5, 0.5, 1.5, 2.5}},
		{"usage", unlisted, 5, words, []float64{0.5, 1, 1.5, 2, 2.5}},
		{"usage of one", unlisted, 1, words, []float64{0.5}},
		{"usage of none", unlisted, 0, words, []float64{}},
		{"tokenizer", unlisted, -1, words, []float64{0.5, 1.5, 2.5}}, // "a bc d"
		{"chunks", unlisted, -1, nil, []float64{0.5, 1, 2.5}},
	} {
		if total, got := BenchyTokenTimes(c.chunks, c.usage, c.tokenize); total != len(c.want) || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %d %v, want %v", c.name, total, got, c.want)
		}
	}
	for usage, want := range map[int]int{7: 7, -1: 0} {
		if total, got := BenchyTokenTimes(nil, usage, words); total != want || got != nil {
			t.Errorf("no chunk, usage %d: got %d %v, want %d", usage, total, got, want)
		}
	}
}

// FuzzBenchyFigures: whatever the moments, nothing panics, and a figure has a
// value for each request that can have one.
func FuzzBenchyFigures(f *testing.F) {
	f.Add(0.0, 0.25, 0.5, 0.75, 1.5, 3, true)
	f.Add(1.0, 0.5, math.Inf(1), 2.0, 2.0, 0, false)
	f.Add(math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), -1, true)
	f.Fuzz(func(t *testing.T, start, response, token, next, last float64, usage int, listed bool) {
		ids := -1
		if listed {
			ids = 2
		}
		total, times := BenchyTokenTimes([]BenchyChunk{{token, "", ids}, {next, "", ids}, {last, "", ids}}, min(usage, 1000), nil)
		r := BenchyRequest{Start: start, FirstResponse: response, FirstToken: token, Tokens: times, TotalTokens: total}
		cell := BenchyCell{Concurrency: 2, ExpectedTokens: 10, Batches: [][]BenchyRequest{{r, r}, {r}}}
		got := cell.Figures()
		first, peak := named(got, "e2e_ttft"), named(got, "peak_req_throughput")
		if first != nil && len(first.Values) != 3 || (peak != nil) != (len(times) > 0) {
			t.Errorf("%+v: got %+v", r, got)
		}
	})
}
