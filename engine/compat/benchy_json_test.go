package compat

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.org/arena/results/ingest"
)

// TestBenchyJSONOfRealRuns reads result files of the tool and writes them again,
// byte for byte. Means and deviations of rates are computed from their values.
func TestBenchyJSONOfRealRuns(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(corpusFile(t, "llama-benchy", "generated", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 5 {
		t.Fatalf("found %d result files", len(names))
	}
	for _, name := range append(names, corpusFile(t, "llama-benchy", "public", "repo-sample-c1c2-timeseries.json")) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readReport(t, data).JSON()
		if err != nil {
			t.Fatal(err)
		}
		want := regexp.MustCompile(`"version": "[^"]*"`).ReplaceAll(bytes.TrimSpace(data), []byte(`"version": "`+BenchyVersion+`"`))
		if !bytes.Equal(got, want) {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Errorf("%s: differs at byte %d: got %.200q, want %.200q", filepath.Base(name), at, got[at:], want[at:])
		}
	}
}

// readReport takes a result file apart.
func readReport(t *testing.T, data []byte) BenchyReport {
	t.Helper()
	var v struct {
		Timestamp   string
		LatencyMode string  `json:"latency_mode"`
		Latency     float64 `json:"latency_ms"`
		Model       string
		Prefix      bool `json:"prefix_caching_enabled"`
		Max         int  `json:"max_concurrency"`
		Benchmarks  []struct {
			Concurrency   int
			Context       int              `json:"context_size"`
			Prompt        int              `json:"prompt_size"`
			Response      int              `json:"response_size"`
			Phase         bool             `json:"is_context_prefill_phase"`
			PP            *BenchyStat      `json:"pp_throughput"`
			PPReq         *BenchyStat      `json:"pp_req_throughput"`
			TG            *BenchyStat      `json:"tg_throughput"`
			TGReq         *BenchyStat      `json:"tg_req_throughput"`
			Peak          *BenchyStat      `json:"peak_throughput"`
			PeakReq       *BenchyStat      `json:"peak_req_throughput"`
			TTFR          *BenchyStat      `json:"ttfr"`
			PPT           *BenchyStat      `json:"est_ppt"`
			TTFT          *BenchyStat      `json:"e2e_ttft"`
			Runs          [][][2]float64   `json:"throughput_over_time"`
			RequestSeries [][][][2]float64 `json:"requests_throughput_over_time"`
		}
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	end, err := time.Parse("2006-01-02 15:04:05Z", v.Timestamp)
	if err != nil {
		t.Fatal(err)
	}
	r := BenchyReport{End: end, LatencyMode: v.LatencyMode, Latency: v.Latency, Model: v.Model, PrefixCaching: v.Prefix, MaxConcurrency: v.Max}
	again := func(s *BenchyStat) *BenchyStat {
		if s == nil {
			return nil
		}
		return stat(s.Values, 1)
	}
	for _, b := range v.Benchmarks {
		r.RateOverTime, r.RequestsOverRun = b.Runs != nil, b.RequestSeries != nil
		f := BenchyFigures{
			Prefill: again(b.PP), PrefillRequest: again(b.PPReq), Decode: again(b.TG), DecodeRequest: again(b.TGReq),
			Peak: again(b.Peak), PeakRequest: again(b.PeakReq), FirstResponse: b.TTFR, PromptTime: b.PPT, FirstToken: b.TTFT,
		}
		for _, run := range b.Runs {
			f.RateOverTime = append(f.RateOverTime, rates(run))
		}
		for _, run := range b.RequestSeries {
			var all [][]BenchyRate
			for _, request := range run {
				all = append(all, rates(request))
			}
			f.RequestsOverRun = append(f.RequestsOverRun, all)
		}
		r.Rows = append(r.Rows, BenchyRow{
			Cell:    BenchyCell{Concurrency: b.Concurrency, ContextTokens: b.Context, PromptTokens: b.Prompt, ResponseTokens: b.Response, ContextPhase: b.Phase},
			Figures: f,
		})
	}
	return r
}

func rates(points [][2]float64) []BenchyRate {
	var all []BenchyRate
	for _, p := range points {
		all = append(all, BenchyRate{p[0], p[1]})
	}
	return all
}

func TestBenchyJSONIsImported(t *testing.T) {
	t.Parallel()
	cell := benchySample()
	report := BenchyReport{
		End: time.Date(2026, 8, 9, 6, 26, 41, 0, time.UTC), LatencyMode: "api", Latency: 125, Model: "m", MaxConcurrency: 2,
		Rows: []BenchyRow{{cell, cell.Figures()}}, RateOverTime: true, RequestsOverRun: true,
	}
	data, err := report.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), `"requests_throughput_over_time": null`) {
		t.Error("the rates of the requests are missing")
	}
	read, err := ingest.ParseLlamaBenchy(ingest.Input{Name: "run.json", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Reports) != 1 || len(read.Reports[0].Cells) != 1 || read.Reports[0].Runs != 2 || *read.Reports[0].LatencyMS != 125 {
		t.Errorf("got %+v", read.Reports)
	}
}
