package compat

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"example.org/arena/loadgen/arrival"
	"example.org/arena/results/ingest"
)

func sampleRun(t *testing.T) (VLLMRun, VLLMFigures, VLLMSetup) {
	t.Helper()
	run := VLLMRun{
		Release: 29, Duration: 4, Outputs: VLLMOutputs(29, twoRequests()), RequestRate: 0.5, MaxConcurrency: 2,
		Metrics: []string{"ttft", "client_queue_time"}, Percentiles: []float64{50, 99.9},
	}
	f, err := run.Figures()
	if err != nil {
		t.Fatal(err)
	}
	return run, f, VLLMSetup{
		End: time.Date(2026, 8, 9, 6, 26, 41, 0, time.UTC), Backend: "openai-chat", Model: "m/é", Prompts: 3, Burstiness: 1,
		Metadata: []Metadatum{{"gpu", "x"}, {"label", "mine"}, {"duration", "long"}},
		Drafts:   &VLLMDrafts{Drafts: 4, Tokens: 12, Accepted: 6, At: []int{3, 2, 1}},
		Detailed: true,
	}
}

func TestVLLMJSON(t *testing.T) {
	t.Parallel()
	run, f, setup := sampleRun(t)
	got, err := run.JSON(f, setup)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"date": "20260809-062641", "endpoint_type": "openai-chat", "backend": "openai-chat", "label": "mine", ` +
		`"model_id": "m/\u00e9", "tokenizer_id": null, "num_prompts": 3, "gpu": "x", "duration": 4.0, ` +
		`"request_rate": 0.5, "burstiness": 1.0, "max_concurrency": 2, ` +
		`"completed": 2, "failed": 1, "total_input_tokens": 160, "total_output_tokens": 6, ` +
		`"request_throughput": 0.5, "request_goodput": null, "output_throughput": 1.5, "total_token_throughput": 41.5, ` +
		`"input_lens": [110, 50, 40], "output_lens": [5, 1, 0], "ttfts": [0.25, 0.25, 0.0], "itls": [[0.25, 0.25, 0.25], [], []], ` +
		`"latencies": [1.0, 0.25, 0.0], "start_times": [0.5, 1.25, 1.25], "queue_times": [0.25, 0.0, 0.0], ` +
		`"generated_texts": ["", "", ""], "errors": ["", "", "overloaded"], ` +
		`"max_output_tokens_per_s": 3.0, "max_concurrent_requests": 2, "rtfx": 0.0, ` +
		`"spec_decode_acceptance_rate": 50.0, "spec_decode_acceptance_length": 2.5, "spec_decode_num_drafts": 4, ` +
		`"spec_decode_draft_tokens": 12, "spec_decode_accepted_tokens": 6, "spec_decode_per_position_acceptance_rates": [0.75, 0.5, 0.25], ` +
		`"mean_ttft_ms": 250.0, "median_ttft_ms": 250.0, "std_ttft_ms": 0.0, "p50_ttft_ms": 250.0, "p99.9_ttft_ms": 250.0, ` +
		`"mean_client_queue_time_ms": 125.0, "median_client_queue_time_ms": 125.0, "std_client_queue_time_ms": 125.0, ` +
		`"p50_client_queue_time_ms": 125.0, "p99.9_client_queue_time_ms": 249.75000000000003}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestVLLMJSONOfRamps(t *testing.T) {
	t.Parallel()
	run, f, setup := sampleRun(t)
	start := time.Date(2026, 8, 9, 6, 0, 0, 0, time.UTC)
	a := arrival.Arrivals{Burstiness: 1, Requests: 4, Ramp: &arrival.Ramp{Shape: arrival.Linear, Start: 1, End: 4}}
	sent := []time.Time{start.Add(time.Second), start.Add(2 * time.Second), start.Add(2500 * time.Millisecond), start.Add(3 * time.Second)}
	setup = VLLMSetup{End: setup.End, Ramp: a.Ramp, Changes: VLLMRateChanges(a, start, sent), Drafts: &VLLMDrafts{}}
	run.RequestRate, run.MaxConcurrency = math.Inf(1), 0
	data, err := run.JSON(f, setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"request_rate": "inf", "burstiness": 0.0, "max_concurrency": null, "ramp_up_strategy": "linear", "ramp_up_start_rps": 1, "ramp_up_end_rps": 4, "duration"`,
		`"rps_change_events": [{"rps": 1, "timestamp": "2026-08-09T06:00:00"}, {"rps": 2, "timestamp": "2026-08-09T06:00:02"}, ` +
			`{"rps": 3, "timestamp": "2026-08-09T06:00:02.500000"}, {"rps": 4, "timestamp": "2026-08-09T06:00:03"}], "mean_ttft_ms"`,
	} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("missing %s in\n%s", want, data)
		}
	}
	if VLLMRateChanges(arrival.Poisson(1, 1, 4), start, sent) != nil {
		t.Error("rate changes without a ramp")
	}
}

// TestVLLMJSONIsImported: the importer reads the file as the tool's own.
func TestVLLMJSONIsImported(t *testing.T) {
	t.Parallel()
	run, f, setup := sampleRun(t)
	setup.Metadata, setup.Detailed = nil, false
	data, err := run.JSON(f, setup)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ingest.ParseVLLMBench(ingest.Input{Name: "run.json", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	r := read.Results[0]
	if len(read.Results) != 1 || r.Duration != 4 || r.Backend != "openai-chat" || r.Model != "m/é" || r.Date != "20260809-062641" {
		t.Errorf("got %+v", r)
	}
	if q := r.Cell.Requests; q == nil || *q.Completed != 2 || *q.Failed != 1 || *q.Planned != 3 {
		t.Errorf("requests: got %+v", q)
	}
}

var statistic = regexp.MustCompile(`^(mean|median|std|p[0-9.]+)_(ttft|tpot|itl|e2el)_ms$`)

// TestVLLMJSONOfRealRuns reads real result files into figures and writes them
// again: names, order and every digit come out as the tool wrote them. The rates
// are computed from the counts.
func TestVLLMJSONOfRealRuns(t *testing.T) {
	t.Parallel()
	root := corpusFile(t, "dgx-spark-benchmarks", "results")
	files, speculative := 0, 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(data, []byte(`"mean_ttft_ms"`)) {
			return err
		}
		files++
		run, f, setup := readResult(t, data)
		if setup.Drafts != nil {
			speculative++
		}
		got, err := run.JSON(f, setup)
		if err != nil {
			return err
		}
		if want := bytes.TrimSpace(data); !bytes.Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 200 || speculative == 0 {
		t.Fatalf("found %d result files, %d with speculative decoding", files, speculative)
	}
	t.Logf("%d result files, %d of them with speculative decoding, come out byte for byte", files, speculative)
}

// readResult takes a result file apart. Its throughputs are computed anew.
func readResult(t *testing.T, data []byte) (VLLMRun, VLLMFigures, VLLMSetup) {
	t.Helper()
	var v struct {
		Date, Backend, Label string
		Model                string   `json:"model_id"`
		Tokenizer            string   `json:"tokenizer_id"`
		Prompts              int      `json:"num_prompts"`
		Rate                 any      `json:"request_rate"`
		Burstiness           float64  `json:"burstiness"`
		Places               int      `json:"max_concurrency"`
		Duration             float64  `json:"duration"`
		Completed            int      `json:"completed"`
		Failed               int      `json:"failed"`
		Input                int      `json:"total_input_tokens"`
		Output               int      `json:"total_output_tokens"`
		Goodput              *float64 `json:"request_goodput"`
		Peak                 float64  `json:"max_output_tokens_per_s"`
		Concurrent           int      `json:"max_concurrent_requests"`
		Drafts               int      `json:"spec_decode_num_drafts"`
		Draft                int      `json:"spec_decode_draft_tokens"`
		Accepted             int      `json:"spec_decode_accepted_tokens"`
		At                   []float64
		Positions            []float64 `json:"spec_decode_per_position_acceptance_rates"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	end, err := time.Parse("20060102-150405", v.Date)
	if err != nil {
		t.Fatal(err)
	}
	run := VLLMRun{Release: 26, Duration: v.Duration, MaxConcurrency: v.Places, RequestRate: math.Inf(1)}
	if rate, ok := v.Rate.(float64); ok {
		run.RequestRate = rate
	}
	f := VLLMFigures{
		Duration: v.Duration, Completed: v.Completed, Failed: v.Failed, TotalInputTokens: v.Input, TotalOutputTokens: v.Output,
		RequestThroughput: float64(v.Completed) / v.Duration, RequestGoodput: v.Goodput,
		OutputThroughput: float64(v.Output) / v.Duration, TotalTokenThroughput: float64(v.Input+v.Output) / v.Duration,
		MaxOutputTokensPerS: v.Peak, MaxConcurrentRequests: v.Concurrent, Latencies: readLatencies(t, data),
	}
	setup := VLLMSetup{
		End: end, Backend: v.Backend, Label: v.Label, Model: v.Model, Tokenizer: v.Tokenizer, Prompts: v.Prompts, Burstiness: v.Burstiness,
	}
	if v.Draft > 0 {
		setup.Drafts = &VLLMDrafts{Drafts: v.Drafts, Tokens: v.Draft, Accepted: v.Accepted}
		for _, share := range v.Positions {
			setup.Drafts.At = append(setup.Drafts.At, int(math.Round(share*float64(v.Drafts))))
		}
	}
	return run, f, setup
}

// readLatencies reads the statistics in the order in which they stand.
func readLatencies(t *testing.T, data []byte) []VLLMLatency {
	t.Helper()
	var all []VLLMLatency
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if err != nil {
			return all
		}
		name, _ := token.(string)
		groups := statistic.FindStringSubmatch(name)
		if groups == nil {
			continue
		}
		var x float64
		if err := d.Decode(&x); err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 || all[len(all)-1].Metric != groups[2] {
			all = append(all, VLLMLatency{Metric: groups[2]})
		}
		l := &all[len(all)-1]
		switch groups[1] {
		case "mean":
			l.Mean = x
		case "median":
			l.Median = x
		case "std":
			l.Std = x
		default:
			p, err := strconv.ParseFloat(groups[1][1:], 64)
			if err != nil {
				t.Fatal(err)
			}
			l.Percentiles = append(l.Percentiles, VLLMPercentile{p, x})
		}
	}
}
