package bundle

import (
	"math"
	"os"
	"strings"
	"testing"

	"example.org/arena/results/metric"
)

// sample returns a made-up bundle that uses every part of the format:
// testdata/example.json holds its bytes.
func sample() *Bundle {
	return &Bundle{
		Format:    1,
		Kind:      Import,
		StartedAt: "2026-08-14T10:15:00Z",
		Platform:  "dgx-spark",
		Profile:   "nvfp4",
		Licence:   "CC-BY-4.0",
		Credit:    "Ada Example, https://example.org/",
		Contract:  &ContractPin{Version: "v2", SHA256: strings.Repeat("2c", 32), Revision: strings.Repeat("5e", 20)},
		Engine: EnginePin{
			Version: "v0.1.0", Revision: strings.Repeat("a1", 20), Runner: "import/suite", Go: "go1.26.8",
		},
		Source: &Source{
			URL:         "https://example.org/benchmarks",
			Revision:    "0123456789ab",
			Path:        "results/nvfp4",
			Title:       "Made-up benchmarks",
			RetrievedAt: "2026-11-01",
			Conversion:  "tables and JSON read into one bundle; no figure changed",
			Tools:       []Tool{{Name: "llama-benchy", Version: "0.4.0"}, {Name: "vllm bench serve", Version: "0.26.0"}},
			Files:       []File{{Name: "01-chat.md", SHA256: ID([]byte("chat\n")), Bytes: 5}},
		},
		Model: Model{
			ID: "Example/Model-8B-NVFP4", Quantisation: "nvfp4", Licence: "Apache-2.0", ServedName: "model-8b",
		},
		Draft: &Draft{Method: "eagle3", Model: "Example/Model-8B-EAGLE3", TokensPerStep: 3},
		Server: Server{
			Name:          "vllm",
			Version:       "0.26.0",
			Image:         "vllm/vllm-openai:v0.26.0",
			ImageDigest:   "sha256:" + strings.Repeat("7b", 32),
			Argv:          []string{"--max-model-len", "131072", "--kv-cache-dtype", "fp8"},
			Env:           []Setting{{"VLLM_LOGGING_LEVEL", "INFO"}},
			Settings:      []Setting{{"gpu_memory_utilization", "0.90"}, {"max_model_len", "131072"}},
			PrefixCaching: new(false),
		},
		Host: Host{
			Description: "DGX Spark <GB10> & 128 GB", GPU: "NVIDIA GB10", GPUs: 1, Driver: "580.173.02",
			VBIOS: "9A.0B.2D.00.00",
		},
		Sanity: &Sanity{Answer: "Amsterdam « café »", Raw: `{"choices":[{"text":"Amst`},
		Tests:  []Test{sampleChat(), sampleSweep()},
		Notes:  []Note{{Code: "served_name_differs", Args: []Setting{{"meta", "model-8b"}, {"log", "x"}}}},
	}
}

// sampleChat is a closed-loop test of two cells, one of which failed.
func sampleChat() Test {
	return Test{
		Slug:      "chat",
		StartedAt: "2026-08-14T10:15:00Z",
		Tool:      &Tool{Name: "llama-benchy", Version: "0.4.0"},
		Command:   nil,
		LatencyMS: new(11.5),
		Cells: []Cell{
			{
				PromptTokens: 1024, OutputTokens: 1024, Concurrency: 1, Runs: 3,
				Reported: []Figure{
					{
						Metric: metric.Decode, Name: "tg1024 t/s", Unit: metric.TokensPerS, N: 3,
						Mean: new(38.25), Std: new(0.5), StdKind: "population", Values: []float64{37.75, 38.25, 38.75},
					},
					{
						Metric: metric.TTFT, Name: "e2e_ttft (ms)", Unit: metric.Millisecond, N: 3,
						Mean: new(412.0), Std: new(1e-7), StdKind: "population", Approximate: true,
					},
				},
			},
			{
				PromptTokens: 1024, OutputTokens: 1024, DepthTokens: 4096, Phase: "context", Concurrency: 5, Runs: 3,
				Error: "connection refused",
			},
		},
		Telemetry: &Telemetry{
			OffsetS:        []float64{0, 1, 2.5},
			PowerW:         []*float64{new(41.5), nil, new(43.0)},
			TemperatureC:   []*float64{new(61.0), new(61.0), new(62.0)},
			UtilisationPct: []*float64{new(0.0), new(96.0), new(100.0)},
		},
		Files: []File{{Name: "01-chat.log", SHA256: ID([]byte("log\n")), Bytes: 4, Kept: true}},
	}
}

// sampleSweep is an open-loop test with a rung that has no limit on its rate.
func sampleSweep() Test {
	return Test{
		Slug:      "rate-sweep",
		StartedAt: "2026-08-14T11:40:12.25Z",
		Tool:      &Tool{Name: "vllm bench serve", Version: "0.26.0"},
		Command:   &Command{Argv: []string{"vllm", "bench", "serve", "--request-rate", "0.1", "--num-prompts", "30"}},
		Stopped:   &Stop{Reason: StopSaturated, Detail: "p95 TTFT above 10 s"},
		Cells: []Cell{
			{
				PromptTokens: 4000, OutputTokens: 500, RequestRate: new(Rate(0.1)), Burstiness: new(Rate(0.7)),
				StartedAt: "2026-08-14T11:40:12Z", EndedAt: "2026-08-14T11:45:31Z",
				Requests: &Requests{Planned: new(30), Completed: new(29), Failed: new(1)},
				Tokens:   &Tokens{Input: new(int64(116000)), Output: new(int64(14500))},
				Reported: []Figure{
					{
						Metric: metric.TTFT, Name: "ttft_ms", Unit: metric.Millisecond, N: 29,
						Mean: new(812.25), Median: new(790.5), Min: new(610.0), Max: new(1912.0),
						Percentiles: []Percentile{{50, 790.5}, {95, 1500.125}, {99.9, 1910}},
					},
					{Metric: metric.Output, Name: "output_throughput", Unit: metric.TokensPerS, Value: new(45.5)},
				},
				Draft: &DraftStat{
					Drafts: 7000, DraftTokens: 21000, AcceptedTokens: 7500, AcceptanceRatio: new(0.357),
					AcceptanceLength: new(2.07), PerPosition: []float64{0.6, 0.3, 0.17},
				},
			},
			{
				PromptTokens: 4000, OutputTokens: 500, RequestRate: new(Rate(math.Inf(1))), MaxConcurrency: 25,
				Requests: &Requests{Planned: new(60)},
				Notes:    []Note{{Code: "no_figures"}},
			},
		},
		Sweep: &Sweep{
			AbortedAtPerS: new(0.2),
			Capacities:    []SweepCapacity{{LimitMS: 2000, RatePerS: new(0.1)}, {LimitMS: 5000, RatePerS: nil}},
			KneePerS:      new(0.1),
		},
	}
}

// read returns a file of testdata.
func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// golden compares got with a file of testdata, or rewrites it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile("testdata/"+name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := read(t, name); string(got) != string(want) {
		t.Errorf("testdata/%s differs; UPDATE_GOLDEN=1 rewrites it\ngot:\n%s", name, got)
	}
}
