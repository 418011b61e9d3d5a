package compat

import (
	"fmt"
	"time"
)

// BenchyVersion is the version of llama-benchy whose figures and files these are.
const BenchyVersion = "0.4.0"

// A BenchyReport is a result file of llama-benchy.
type BenchyReport struct {
	End            time.Time
	LatencyMode    string  // "api", "generation", "none"
	Latency        float64 // what was subtracted from response times, in ms
	Model          string
	PrefixCaching  bool // cells with a context come in two phases
	MaxConcurrency int  // highest of all cells
	Rows           []BenchyRow

	RateOverTime    bool // with the rate of each run over time
	RequestsOverRun bool // with that of each request
}

// A BenchyRow is a cell with its figures.
type BenchyRow struct {
	Cell    BenchyCell
	Figures BenchyFigures
}

// JSON returns the result file as the tool writes it with --format json.
func (r BenchyReport) JSON() ([]byte, error) {
	data, err := pythonJSON([]member{
		{"version", BenchyVersion},
		{"timestamp", r.End.UTC().Format("2006-01-02 15:04:05Z")},
		{"latency_mode", r.LatencyMode},
		{"latency_ms", r.Latency},
		{"model", r.Model},
		{"prefix_caching_enabled", r.PrefixCaching},
		{"max_concurrency", r.MaxConcurrency},
		{"benchmarks", list(r.Rows, r.row)},
	}, "  ")
	if err != nil {
		return nil, fmt.Errorf("write result: %w", err)
	}
	return data, nil
}

func (r BenchyReport) row(row BenchyRow) any {
	c, f := row.Cell, row.Figures
	var runs, requests any
	if r.RateOverTime {
		runs = list(f.RateOverTime, points)
	}
	if r.RequestsOverRun {
		requests = list(f.RequestsOverRun, func(run [][]BenchyRate) any { return list(run, points) })
	}
	return []member{
		{"concurrency", c.Concurrency},
		{"context_size", c.ContextTokens},
		{"prompt_size", c.PromptTokens},
		{"response_size", c.ResponseTokens},
		{"is_context_prefill_phase", c.ContextPhase},
		{"pp_throughput", f.Prefill.json()},
		{"pp_req_throughput", f.PrefillRequest.json()},
		{"tg_throughput", f.Decode.json()},
		{"tg_req_throughput", f.DecodeRequest.json()},
		{"peak_throughput", f.Peak.json()},
		{"peak_req_throughput", f.PeakRequest.json()},
		{"ttfr", f.FirstResponse.json()},
		{"est_ppt", f.PromptTime.json()},
		{"e2e_ttft", f.FirstToken.json()},
		{"throughput_over_time", runs},
		{"requests_throughput_over_time", requests},
	}
}

func points(rates []BenchyRate) any {
	return list(rates, func(p BenchyRate) any { return []any{p.Second, p.Rate} })
}

func (s *BenchyStat) json() any {
	if s == nil {
		return nil
	}
	return []member{{"mean", s.Mean}, {"std", s.Std}, {"values", list(s.Values, plain[float64])}}
}
