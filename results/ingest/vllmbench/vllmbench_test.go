package vllmbench

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
	"example.org/arena/results/metric"
	"example.org/arena/results/tomlfile"
)

func parseOne(t *testing.T, name, text string) Result {
	t.Helper()
	parsed, err := Parse(ingest.Input{Name: name, Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	if len(parsed.Results) != 1 {
		t.Fatalf("got %d results, want 1", len(parsed.Results))
	}
	return parsed.Results[0]
}

const vllm026 = `{"date": "20260814-105832", "endpoint_type": "openai-chat", "backend": "openai-chat", "label": null,
 "model_id": "org/model", "tokenizer_id": "org/model", "num_prompts": 200, "request_rate": 0.3, "burstiness": 0.7,
 "max_concurrency": null, "duration": 687.5, "completed": 198, "failed": 2, "total_input_tokens": 823790,
 "total_output_tokens": 79794, "request_throughput": 0.288, "request_goodput": null, "output_throughput": 116.125,
 "total_token_throughput": 1315.25, "max_output_tokens_per_s": 192.0, "max_concurrent_requests": 14, "rtfx": 0.0,
 "spec_decode_acceptance_rate": 25.0, "spec_decode_acceptance_length": 1.75, "spec_decode_num_drafts": 1000,
 "spec_decode_draft_tokens": 3000, "spec_decode_accepted_tokens": 750, "spec_decode_per_position_acceptance_rates": [0.5, 0.2, 0.05],
 "mean_ttft_ms": 826.5, "median_ttft_ms": 764.5, "std_ttft_ms": 479.25, "p50_ttft_ms": 764.5, "p95_ttft_ms": 1648.5, "p99.9_ttft_ms": 2292.5,
 "mean_tpot_ms": 48.5, "median_itl_ms": 36.5, "mean_e2el_ms": 18124.5}`

func TestVLLMJSON(t *testing.T) {
	t.Parallel()
	r := parseOne(t, "a.json", vllm026)
	for _, test := range []struct {
		key  metric.Key
		stat string
		want string
	}{
		{metric.TTFT, "mean", "826.5"},
		{metric.TTFT, "median", "764.5"},
		{metric.TTFT, "std", "479.25"},
		{metric.TTFT, "p50", "764.5"},
		{metric.TTFT, "p95", "1648.5"},
		{metric.TTFT, "p99.9", "2292.5"},
		{metric.TTFT, "p99", "-"},
		{metric.TPOT, "mean", "48.5"},
		{metric.TPOT, "std", "-"},
		{metric.ITL, "median", "36.5"},
		{metric.E2E, "mean", "18124.5"},
		{metric.RequestRate, "value", "0.288"},
		{metric.Output, "value", "116.125"},
		{metric.Total, "value", "1315.25"},
		{metric.Peak, "value", "192"},
		{metric.PeakConcurrency, "value", "14"},
		{metric.Duration, "value", "687.5"},
		{metric.Goodput, "value", "-"},
	} {
		if got := ingesttest.Lookup(r.Cell, test.key, test.stat); got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.key, test.stat, got, test.want)
		}
	}
	c := r.Cell
	if *c.Requests.Planned != 200 || *c.Requests.Completed != 198 || *c.Requests.Failed != 2 || *c.Tokens.Input != 823790 || *c.Tokens.Output != 79794 {
		t.Errorf("counts: got %+v %+v", c.Requests, c.Tokens)
	}
	if *c.RequestRate != 0.3 || *c.Burstiness != 0.7 || c.MaxConcurrency != 0 {
		t.Errorf("load: got %v %v %d", *c.RequestRate, *c.Burstiness, c.MaxConcurrency)
	}
	if d := c.Draft; *d.AcceptanceRatio != 0.25 || *d.AcceptanceLength != 1.75 || d.Drafts != 1000 || len(d.PerPosition) != 3 {
		t.Errorf("speculation: got %+v", d)
	}
	if r.Model != "org/model" || r.Tool.Name != "vllm-bench-serve" || r.Duration != 687.5 || ingesttest.Codes(c.Notes) != "" {
		t.Errorf("got %q %q %v %q", r.Model, r.Tool.Name, r.Duration, ingesttest.Codes(c.Notes))
	}
	ended, ok := r.Ended(time.FixedZone("", 7200))
	if want := time.Date(2026, 8, 14, 8, 58, 32, 0, time.UTC); !ok || !ended.Equal(want) {
		t.Errorf("ended: got %v, want %v", ended, want)
	}
	if fig := c.Figure(metric.TTFT); fig.StdKind != "population" || fig.Name != "ttft" || fig.Unit != metric.Millisecond {
		t.Errorf("got %+v", fig)
	}
}

func TestVLLMJSONVariants(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		tool       string
		key        metric.Key
		stat, want string
		notes      string
	}{
		{"misspelt goodput", `{"completed": 1, "request_goodput:": 0.5}`, Tool, metric.Goodput, "value", "0.5", ""},
		{"trimmed to latencies", `{"backend": "vllm", "num_prompts": 200, "mean_ttft_ms": 1.5}`, Tool, metric.TTFT, "mean", "1.5", ""},
		{
			"sglang", `{"backend": "sglang", "completed": 3, "mean_e2e_latency_ms": 7.5, "total_output_tokens_retokenized": 4}`,
			sglangTool, metric.E2E, "mean", "7.5", "other_values",
		},
		{
			"sglang total", `{"completed": 3, "total_throughput": 8.5, "server_info": {"model_path": "org/m"}}`,
			sglangTool, metric.Total, "value", "8.5", "keys_left_out",
		},
		{
			"rust client", `{"completed": 3, "output_throughput": 8.5, "steady_state": null, "failed_requests": []}`,
			rustTool, metric.Output, "value", "8.5", "lists_left_out",
		},
		{"bare NaN", "{\"completed\": 1, \"mean_ttft_ms\": NaN,\n\"p99_ttft_ms\": Infinity, \"median_ttft_ms\": 3}", Tool, metric.TTFT, "mean", "-", "not_finite"},
		{"NaN inside a text", `{"completed": 1, "model_id": "a/NaN-Infinity", "median_ttft_ms": 3}`, Tool, metric.TTFT, "median", "3", ""},
		{"extremes", `{"completed": 1, "p0_ttft_ms": 1, "p100_ttft_ms": 9}`, Tool, metric.TTFT, "max", "9", ""},
		{"all failed", `{"completed": 0, "failed": 8, "num_prompts": 8, "mean_ttft_ms": 0.0}`, Tool, metric.TTFT, "mean", "0", "all_requests_failed"},
		{"failures not reported", `{"completed": 41, "num_prompts": 50, "mean_ttft_ms": 2}`, Tool, metric.TTFT, "mean", "2", "failures_not_reported"},
		{"unknown number", `{"completed": 1, "mean_ttft_ms": 2, "mean_client_queue_time_ms": 4.5}`, Tool, metric.TTFT, "mean", "2", "other_values"},
		{"unknown text", `{"completed": 1, "mean_ttft_ms": 2, "gateway": "host-17"}`, Tool, metric.TTFT, "mean", "2", "keys_left_out"},
		{"byte order mark", "\ufeff{\"completed\": 1, \"mean_ttft_ms\": 2}", Tool, metric.TTFT, "mean", "2", ""},
		{"in a list", `[{"completed": 1, "mean_ttft_ms": 2}]`, Tool, metric.TTFT, "mean", "2", ""},
		{"long floats stay exact", `{"completed": 1, "mean_ttft_ms": 826.6547418522532}`, Tool, metric.TTFT, "mean", "826.6547418522532", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := parseOne(t, "a.json", test.text)
			if got := ingesttest.Lookup(r.Cell, test.key, test.stat); got != test.want {
				t.Errorf("%s %s: got %s, want %s", test.key, test.stat, got, test.want)
			}
			if r.Tool.Name != test.tool || ingesttest.Codes(r.Cell.Notes) != test.notes {
				t.Errorf("got tool %q and notes %q, want %q and %q", r.Tool.Name, ingesttest.Codes(r.Cell.Notes), test.tool, test.notes)
			}
		})
	}
}

func TestVLLMRates(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ written, want string }{
		{`"inf"`, "+Inf"}, {"Infinity", "+Inf"}, {`"Infinity"`, "+Inf"}, {"0.3", "0.3"}, {"10", "10"}, {"null", "-"}, {`"trace"`, "-"},
	} {
		r := parseOne(t, "a.json", `{"completed": 1, "mean_ttft_ms": 1, "request_rate": `+test.written+`, "burstiness": Infinity}`)
		got := "-"
		if r.Cell.RequestRate != nil {
			got = fmt.Sprint(float64(*r.Cell.RequestRate))
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.written, got, test.want)
		}
		if b := r.Cell.Burstiness; b == nil || !math.IsInf(float64(*b), 1) {
			t.Errorf("burstiness: got %v, want +Inf", b)
		}
	}
}

// SGLang's range ratio makes lengths up to the stated one, unless it is 1.
func TestSGLangLengths(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ratio string
		want  int
	}{{"1.0", 1024}, {"0.0", 0}} {
		r := parseOne(t, "a.jsonl", `{"completed": 1, "mean_e2e_latency_ms": 1, "random_input_len": 1024, "random_output_len": 512, "random_range_ratio": `+test.ratio+`}`)
		if r.Cell.PromptTokens != test.want {
			t.Errorf("ratio %s: got %d prompt tokens, want %d", test.ratio, r.Cell.PromptTokens, test.want)
		}
	}
}

func TestVLLMDetailedLists(t *testing.T) {
	t.Parallel()
	const text = `{"completed": 2, "failed": 1, "total_output_tokens": 30, "mean_ttft_ms": 150.0,
"input_lens": [5, 5, 5], "output_lens": [10, 20, 0], "ttfts": [0.1, 0.2, 0.0], "itls": [[0.01], [0.02], []],
"generated_texts": ["secret", "text", ""], "errors": ["", "", "Internal Server Error at /home/alice"]}`
	r := parseOne(t, "a.json", text)
	fig := r.Cell.Figure(metric.TTFT)
	if fig.N != 2 || len(fig.Values) != 2 || fig.Values[0] != 100 || fig.Values[1] != 200 {
		t.Errorf("got n %d and values %v, want the two successful requests in ms", fig.N, fig.Values)
	}
	if got := ingesttest.Codes(r.Cell.Notes); got != "lists_left_out" {
		t.Errorf("got notes %q", got)
	}
	if all := fmt.Sprintf("%+v", r); strings.Contains(all, "secret") || strings.Contains(all, "alice") {
		t.Errorf("texts of requests were kept: %s", all)
	}
}

func TestVLLMJSONRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"empty", " \n", "a.json: the file is empty"},
		{"cut off", "{\"completed\": 1,\n\"mean_ttft_ms\": ", "a.json:2: the JSON ends in the middle"},
		{"no JSON", "{\"completed\": 1,\n\"mean_ttft_ms\": abc}", "a.json:2: is no valid JSON"},
		{"key twice", "{\"completed\": 1,\n\"completed\": 2}", "a.json:2: is no valid JSON: duplicate object member name"},
		{"text for a number", "{\"completed\": 1,\n\n\"mean_ttft_ms\": \"fast\"}", `a.json:3: mean_ttft_ms: want a number, found "fast"`},
		{"half a request", `{"completed": 1.5, "mean_ttft_ms": 1}`, "completed: want a count, found 1.5"},
		{"negative count", `{"completed": -1, "mean_ttft_ms": 1}`, "completed: want a count, found -1"},
		{"zero rate", `{"completed": 1, "mean_ttft_ms": 1, "request_rate": 0}`, "request_rate: want a rate above zero, found 0"},
		{"more ended than planned", `{"completed": 9, "failed": 2, "num_prompts": 10, "mean_ttft_ms": 1}`, "10 requests were planned, but 11 completed or failed"},
		{"median twice", `{"completed": 1, "median_ttft_ms": 1.5, "p50_ttft_ms": 1.6}`, "p50_ttft_ms: is 1.6, but median_ttft_ms is 1.5"},
		{
			"acceptance twice", `{"completed": 1, "mean_ttft_ms": 1, "spec_decode_acceptance_rate": 30.0, "spec_decode_draft_tokens": 100, "spec_decode_accepted_tokens": 25}`,
			"spec_decode_acceptance_rate: is 30.0 %, but 25 of 100 draft tokens were accepted",
		},
		{"acceptance over 100 %", `{"completed": 1, "mean_ttft_ms": 1, "spec_decode_acceptance_rate": 130.0}`, "want a percentage, found 130.0"},
		{"backend twice", `{"completed": 1, "mean_ttft_ms": 1, "backend": "vllm", "endpoint_type": "openai"}`, `endpoint_type: is given twice: "vllm" and "openai"`},
		{"date", `{"completed": 1, "mean_ttft_ms": 1, "date": "yesterday"}`, `date: want YYYYMMDD-HHMMSS, found "yesterday"`},
		{"lengths", `{"completed": 1, "mean_ttft_ms": 1, "total_output_tokens": 5, "output_lens": [4]}`, "output_lens: adds up to 4 tokens, but total_output_tokens is 5"},
		{"errors", `{"completed": 1, "failed": 0, "mean_ttft_ms": 1, "errors": ["boom"]}`, "errors: names 1 failed requests, but failed is 0"},
		{"llama-benchy", `{"version": "0.4.0", "benchmarks": []}`, "arena import llama-benchy reads it"},
		{"series", `{"series": [{"status": "projected"}]}`, `leave out points whose status is not "measured"`},
		{"sweep of another tool", `{"sweep": []}`, "is a sweep of another tool"},
		{"something else", `{"prefill": {"rows": []}}`, "is no result of vllm bench serve or SGLang bench_serving"},
		{"empty object", `{}`, "(keys: none)"},
		{"empty list", `[]`, "holds no result"},
		{"no object", `[1]`, "want a JSON object, found a number"},
		{"several faults", "{\"completed\": \"a\",\n\"mean_ttft_ms\": \"b\"}", "a.json:1: completed: want a number, found \"a\"\na.json:2: mean_ttft_ms: want a number, found \"b\""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(ingest.Input{Name: "a.json", Data: []byte(test.text)})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if faults := (tomlfile.Faults{}); err != nil && !errors.As(err, &faults) {
				t.Errorf("got %T, want Faults", err)
			}
		})
	}
}

func TestFailedAttempts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{`{"label": "x", "error": "deploy/health failed"}`, "deploy/health failed"},
		{`{"status": "not_runnable", "reason": "does not fit", "results": []}`, "does not fit"},
		{`{"error": "no file /home/alice/model"}`, "no file (removed)"},
	} {
		r := parseOne(t, "a.json", test.text)
		if r.Cell.Error != test.want || len(r.Cell.Reported) != 0 {
			t.Errorf("got %q with %d figures, want %q", r.Cell.Error, len(r.Cell.Reported), test.want)
		}
	}
}

const block = `$ vllm bench serve --model org/model --num-prompts 200 \
    --request-rate 0.125
Starting initial single prompt test run...
Traffic request rate: 0.125 RPS.
Burstiness factor: 0.7 (Gamma distribution)
100%|██████████| 200/200 [11:27<00:00,  3.44s/it]
============ Serving Benchmark Result ============
Successful requests:                     198
Failed requests:                         2
Maximum request concurrency:             25
Request rate configured (RPS):           0.13
Benchmark duration (s):                  687.03
Total input tokens:                      823790
Total generated tokens:                  79794
Request throughput (req/s):              0.29 🔥
Output token throughput (tok/s):         116.14   <- nice
Peak output token throughput (tok/s):    192.00
Peak concurrent requests:                14.00
Total token throughput (tok/s):          1315.20
---------------Time to First Token----------------
Mean TTFT (ms):                          826.65
Median TTFT (ms):                        764.70
P50 TTFT (ms):                           764.70
P99.9 TTFT (ms):                         2292.97
----------------End-to-end Latency----------------
Mean E2EL (ms):                          nan
---------------Speculative Decoding---------------
Acceptance rate (%):                     31.16
Acceptance length:                       1.29
Drafts:                                  75006
Draft tokens:                            1125090
Per-position acceptance (%):
  Position 0:                            16.26
  Position 1:                            6.82
Some new number:                         17.5
==================================================
done
`

func TestVLLMBlock(t *testing.T) {
	t.Parallel()
	r := parseOne(t, "paste.txt", block)
	for _, test := range []struct {
		key        metric.Key
		stat, want string
	}{
		{metric.TTFT, "mean", "826.65"},
		{metric.TTFT, "p99.9", "2292.97"},
		{metric.E2E, "mean", "-"},
		{metric.RequestRate, "value", "0.29"},
		{metric.Output, "value", "116.14"},
		{metric.Peak, "value", "192"},
		{metric.PeakConcurrency, "value", "14"},
		{metric.Total, "value", "1315.2"},
		{metric.Duration, "value", "687.03"},
	} {
		if got := ingesttest.Lookup(r.Cell, test.key, test.stat); got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.key, test.stat, got, test.want)
		}
	}
	c := r.Cell
	if *c.RequestRate != 0.125 || *c.Burstiness != 0.7 || c.MaxConcurrency != 25 {
		t.Errorf("load: got %v %v %d: the line before the block is not rounded", *c.RequestRate, *c.Burstiness, c.MaxConcurrency)
	}
	if d := c.Draft; *d.AcceptanceRatio != 0.3116 || d.DraftTokens != 1125090 || d.PerPosition[1] != 0.0682 {
		t.Errorf("speculation: got %v %d %v", *d.AcceptanceRatio, d.DraftTokens, d.PerPosition)
	}
	if got := strings.Join(r.Argv, " "); got != "vllm bench serve --model org/model --num-prompts 200 --request-rate 0.125" {
		t.Errorf("command: got %q", got)
	}
	if got := ingesttest.Codes(c.Notes); got != "printed_block not_finite other_values" {
		t.Errorf("notes: got %q", got)
	}
}

func TestVLLMBlockForms(t *testing.T) {
	t.Parallel()
	const head = "============ Serving Benchmark Result ============\n"
	for _, test := range []struct{ name, text, want string }{
		{"quoted", "> " + head + "> Successful requests: 5\n> Output token throughput (tok/s): 2.5\n", "2.5"},
		{"windows line ends", strings.ReplaceAll(head+"Successful requests: 5\nOutput token throughput (tok/s): 2.5\n", "\n", "\r\n"), "2.5"},
		{"colours", head + "Successful requests: 5\n\x1b[32mOutput token throughput (tok/s):   2.5\x1b[0m\n", "2.5"},
		{"log of a container", "bench-1  | " + head + "bench-1  | Successful requests: 5\nbench-1  | Output token throughput (tok/s): 2.5\n", "2.5"},
		{"emoji without a blank", head + "Successful requests: 5\nOutput token throughput (tok/s): 2.5🔥\n", "2.5"},
		{"tabs", head + "Successful requests:\t5\nOutput token throughput (tok/s):\t2.5\n", "2.5"},
		{"sglang", head + "Backend: sglang-oai\nTraffic request rate: inf\nSuccessful requests: 5\nOutput token throughput (tok/s): 2.5\n", "2.5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := parseOne(t, "a.txt", test.text)
			if got := ingesttest.Lookup(r.Cell, metric.Output, "value"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if r.Cell.Requests == nil || r.Cell.Requests.Completed == nil || *r.Cell.Requests.Completed != 5 {
				t.Errorf("got requests %+v, want 5 completed", r.Cell.Requests)
			}
		})
	}
}

// A number that could be read in two ways is refused, never misread.
func TestVLLMBlockRefusals(t *testing.T) {
	t.Parallel()
	const head = "============ Serving Benchmark Result ============\n"
	for _, test := range []struct{ name, text, want string }{
		{"no block", "hello\n", "neither JSON nor a printed block"},
		{"empty block", head + "=======================\n", "a.txt:1: the block holds no figure"},
		{"thousands", head + "Total input tokens: 1,234\n", `a.txt:2: Total input tokens: cannot tell which number "1,234" is`},
		{"decimal comma", head + "Mean TTFT (ms): 826,65\n", `Mean TTFT (ms): cannot tell which number "826,65" is`},
		{"spaced thousands", head + "Total input tokens: 1 234\n", `cannot tell which number "1 234" is`},
		{"thousands of tokens", head + "Total input tokens: 12k\n", `cannot tell which number "12k" is`},
		{"words", head + "Mean TTFT (ms): fast\n", `Mean TTFT (ms): want a number, found "fast"`},
		{"half a request", head + "Successful requests: 1.5\n", "want a count, found 1.5"},
		{"twice", head + "Mean TTFT (ms): 1.0\nMean TTFT (ms): 2.0\n", "is given twice: 1 and 2"},
		{"positions out of turn", head + "Successful requests: 1\n  Position 1: 5.0\n", "for each position in turn"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(ingest.Input{Name: "a.txt", Data: []byte(test.text)})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestVLLMSeveral(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		lines      string
	}{
		{"lines", "{\"completed\": 1, \"mean_ttft_ms\": 1}\n\n{\"completed\": 2, \"mean_ttft_ms\": 2}\n", "[1 3]"},
		{"without line ends", `{"completed": 1, "mean_ttft_ms": 1}{"completed": 2, "mean_ttft_ms": 2}`, "[1 1]"},
		{"list", "[{\"completed\": 1, \"mean_ttft_ms\": 1},\n{\"completed\": 2, \"mean_ttft_ms\": 2}]", "[1 2]"},
		{"blocks", block + block, "[7 44]"},
	} {
		parsed, err := Parse(ingest.Input{Name: "a", Data: []byte(test.text)})
		if err != nil {
			t.Fatal(err)
		}
		var lines []int
		for _, r := range parsed.Results {
			lines = append(lines, r.Line)
		}
		if got := fmt.Sprint(lines); got != test.lines {
			t.Errorf("%s: got results at lines %s, want %s", test.name, got, test.lines)
		}
	}
}

func TestPercentRatio(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want float64
	}{{"31.16", 0.3116}, {"1.952732670275267", 0.01952732670275267}, {"100", 1}, {"0.0", 0}, {"5e-1", 0.005}, {"1.5E1", 0.15}} {
		if got, err := percentRatio(test.text); err != nil || got != test.want {
			t.Errorf("%s %%: got %v, %v, want %v", test.text, got, err, test.want)
		}
	}
}

func TestVLLMCorpus(t *testing.T) {
	t.Parallel()
	results := 0
	for _, pattern := range []string{"vllm-bench/*.json*", "community/palatinevision/*.jsonl"} {
		for _, file := range ingesttest.CorpusFiles(t, pattern) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := Parse(ingest.Input{Name: filepath.Base(file), Data: data})
			if err != nil {
				t.Error(err)
				continue
			}
			if want := strings.Count(string(data), `"backend"`); len(parsed.Results) != want {
				t.Errorf("%s: got %d results, want %d", file, len(parsed.Results), want)
			}
			results += len(parsed.Results)
		}
	}
	t.Logf("%d results", results)
}

func TestVLLMOddInputs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file   string
		want   string // of the error, when it is refused
		metric metric.Key
		stat   string
		value  string
		notes  string
	}{
		{file: "08-chunk-overcount.json", want: "arena import llama-benchy reads it"},
		{file: "15-projected-not-measured.json", want: `leave out points whose status is not "measured"`},
		{file: "16-error-instead-of-result.json", value: "-", notes: ""},
		{file: "17-not-runnable.json", value: "-", notes: "attempt"},
		{file: "18-date-and-count-mismatch.json", metric: metric.TTFT, stat: "median", value: "210000.5", notes: "failures_not_reported"},
		{file: "24-nan-infinity-tokens.json", metric: metric.TTFT, stat: "mean", value: "-", notes: "all_requests_failed not_finite keys_left_out"},
		{file: "29-cold-run-contaminates-mean.json", want: "arena import llama-benchy reads it"},
		{file: "30-cached-prefill-repeats.json", want: "is no result of vllm bench serve"},
		{file: "32-peak-below-mean-with-speculation.txt", metric: metric.Peak, stat: "value", value: "122", notes: "block_not_closed printed_block"},
		{file: "33-sweep-stopped-midway.json", want: "leave out levels whose requests failed"},
		{file: "35-emoji-and-trailing-junk.txt", metric: metric.Output, stat: "value", value: "251.82", notes: "printed_block"},
	} {
		data, err := os.ReadFile(ingesttest.CorpusFiles(t, "odd-inputs/"+test.file)[0])
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := Parse(ingest.Input{Name: test.file, Data: data})
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want %s", test.file, err, test.want)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		c := parsed.Results[0].Cell
		value := "-"
		if test.metric != "" {
			value = ingesttest.Lookup(c, test.metric, test.stat)
		}
		if codes := strings.TrimPrefix(ingesttest.Codes(c.Notes), " "); value != test.value || !strings.HasPrefix(codes, test.notes) {
			t.Errorf("%s: got %s and notes %q, want %s and %q", test.file, value, codes, test.value, test.notes)
		}
	}
}

func FuzzParseVLLMJSON(f *testing.F) {
	f.Add(`{"date": "20260814-105832", "num_prompts": 2, "completed": 2, "request_rate": "inf", "mean_ttft_ms": NaN, "p99.9_ttft_ms": 1}`)
	f.Add("{\"completed\": 1}\n[{\"errors\": [\"\"], \"ttfts\": [0.1]}]")
	f.Add(`{"spec_decode_acceptance_rate": 1e1, "spec_decode_per_position_acceptance_rates": [0.5], "error": "x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		checkFuzzed(t, "{"+text)
		checkFuzzed(t, text)
	})
}

func FuzzParseVLLMBlock(f *testing.F) {
	f.Add(block)
	f.Add("==== Serving Benchmark Result ====\nMean TTFT (ms): 1.0 x\nPosition 0: 3\nAcceptance rate (%): 3e1\n")
	f.Fuzz(func(t *testing.T, text string) {
		checkFuzzed(t, "==== Serving Benchmark Result ====\n"+text)
	})
}

// checkFuzzed wants results that a bundle can hold, or an error with words.
func checkFuzzed(t *testing.T, text string) {
	t.Helper()
	parsed, err := Parse(ingest.Input{Name: "fuzz", Data: []byte(text)})
	if err != nil {
		if err.Error() == "" {
			t.Fatal("an error without words")
		}
		return
	}
	b := &bundle.Bundle{
		Format: bundle.Format, Kind: bundle.Import, StartedAt: "2026-08-14T10:00:00Z", Platform: "p", Profile: "q",
		Licence: bundle.NoLicence, Credit: "c", Engine: bundle.EnginePin{Version: "v", Runner: "import/vllm-bench", Go: "go"},
		Source: &bundle.Source{Title: "t"}, Model: bundle.Model{ID: "a/b"}, Server: bundle.Server{Name: "vllm"},
		Tests: []bundle.Test{{Slug: "t"}},
	}
	for _, r := range parsed.Results {
		b.Tests[0].Cells = append(b.Tests[0].Cells, r.Cell)
	}
	if err := bundle.Validate(b); err != nil {
		t.Fatalf("not a valid bundle: %v\nfrom %q", err, text)
	}
	if _, err := bundle.Encode(b); err != nil {
		t.Fatalf("cannot be encoded: %v\nfrom %q", err, text)
	}
}
