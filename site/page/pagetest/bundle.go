package pagetest

import (
	"example.org/arena/content"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// Bundle returns an import of the small site's contract v1 on the desk: Tiny 8B with
// the given profile, which decodes at a speed in tok/s for one user and at five times
// that for ten, and holds both rates of the sweep.
func Bundle(c *content.Content, profile string, speed float64) *bundle.Bundle {
	k, _ := c.Contract("v1")
	return &bundle.Bundle{
		Format: 1, Kind: bundle.Import, StartedAt: "2026-08-10T09:00:00Z", Platform: "desk", Profile: profile,
		Licence: "CC-BY-4.0", Credit: "Ada Example",
		Contract: &bundle.ContractPin{Version: k.Version, SHA256: k.Digest},
		Engine:   bundle.EnginePin{Version: "v0.1.0", Runner: "import/suite", Go: "go1.26.8"},
		Source:   &bundle.Source{URL: "https://source.test/runs", Title: "Made-up runs", Path: "runs/" + profile},
		Model:    bundle.Model{ID: "Example/Tiny-8B", Quantisation: "bf16", ServedName: "tiny"},
		Server:   bundle.Server{Name: "vllm", Version: "0.26.0", Argv: []string{"--max-num-seqs", "64"}},
		Host:     bundle.Host{Description: "A desk <with> a machine", Driver: "580.1"},
		Tests: []bundle.Test{
			{Slug: "chat", StartedAt: "2026-08-10T09:00:00Z", Cells: []bundle.Cell{
				Closed(1, speed, 400), Closed(10, 5*speed, 1800),
			}},
			{Slug: "rate-sweep", StartedAt: "2026-08-10T10:00:00Z", Cells: []bundle.Cell{
				Open(0.1, 100, 700), Open(0.5, 125, 1500),
			}},
		},
	}
}

// Closed returns a measured cell of the chat test: decode throughput in tok/s with a
// spread, and the mean TTFT in ms.
func Closed(concurrency int, decode, ttft float64) bundle.Cell {
	return bundle.Cell{
		PromptTokens: 1024, OutputTokens: 512, Concurrency: concurrency, Runs: 3,
		Reported: []bundle.Figure{
			{Metric: metric.Decode, Name: "t/s", Unit: metric.TokensPerS, N: 3, Mean: new(decode), Std: new(0.5), StdKind: "sample", Values: []float64{decode - 0.5, decode, decode + 0.5}},
			{Metric: metric.TTFT, Name: "ttft (ms)", Unit: metric.Millisecond, N: 3, Mean: new(ttft)},
		},
	}
}

// Open returns a measured rung of the sweep: its rate in requests/s, its number of
// requests, all of which succeeded, and the p95 of TTFT in ms.
func Open(rate float64, requests int, p95 float64) bundle.Cell {
	return bundle.Cell{
		RequestRate: new(bundle.Rate(rate)), Burstiness: new(bundle.Rate(0.7)), PromptTokens: 4000, OutputTokens: 500,
		Requests: &bundle.Requests{Planned: new(requests), Completed: new(requests), Failed: new(0)},
		Reported: []bundle.Figure{
			{Metric: metric.TTFT, Name: "ttft", Unit: metric.Millisecond, N: requests, Mean: new(p95 / 2), Percentiles: []bundle.Percentile{{P: 50, Value: p95 / 2}, {P: 95, Value: p95}}},
			{Metric: metric.RequestRate, Name: "throughput", Unit: metric.RequestsPerS, Value: new(rate)},
		},
	}
}
