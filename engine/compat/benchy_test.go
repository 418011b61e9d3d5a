package compat

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
	cell := BenchyCell{
		Concurrency: c.Concurrency, ContextTokens: c.Depth, PromptTokens: c.PromptSize, ResponseTokens: c.Response,
		ContextPhase: c.Context, ExpectedTokens: c.Expected, Latency: c.Latency,
	}
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
		f := c.cell().Figures()
		for key, got := range map[string]*BenchyStat{
			"pp_throughput": f.Prefill, "pp_req_throughput": f.PrefillRequest,
			"tg_throughput": f.Decode, "tg_req_throughput": f.DecodeRequest,
			"peak_throughput": f.Peak, "peak_req_throughput": f.PeakRequest,
			"ttfr": f.FirstResponse, "est_ppt": f.PromptTime, "e2e_ttft": f.FirstToken,
		} {
			var want *BenchyStat
			if err := json.Unmarshal(c.Figures[key], &want); err != nil {
				t.Fatal(err)
			}
			if (got == nil) != (want == nil) {
				t.Errorf("%s: %s: got %+v, want %+v", c.Name, key, got, want)
				continue
			}
			if got != nil && (got.Mean != want.Mean || got.Std != want.Std || !slices.Equal(got.Values, want.Values)) {
				t.Errorf("%s: %s:\ngot  %+v\nwant %+v", c.Name, key, *got, *want)
			}
		}
		compareRates(t, c.Name+": throughput_over_time", f.RateOverTime, c.Figures["throughput_over_time"])
		compareRates(t, c.Name+": requests_throughput_over_time", f.RequestsOverRun, c.Figures["requests_throughput_over_time"])
	}
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
