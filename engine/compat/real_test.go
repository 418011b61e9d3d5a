package compat

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"example.org/arena/results/ingest/llamabenchy"
	"example.org/arena/results/ingest/vllmbench"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/metric"
)

// TestBenchyFiguresOfRealRuns: the figures of the tool's own result files, as an
// import has them, come out of the values in them: names, order, units, and means and
// deviations of rates to the last digit. Latencies are rounded on their way back to
// seconds.
func TestBenchyFiguresOfRealRuns(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(corpusFile(t, "llama-benchy", "generated", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 5 {
		t.Fatalf("found %d result files", len(names))
	}
	figures := 0
	for _, name := range append(names, corpusFile(t, "llama-benchy", "public", "repo-sample-c1c2-timeseries.json")) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		read, err := llamabenchy.Parse(ingest.Input{Name: filepath.Base(name), Data: data})
		if err != nil {
			t.Fatal(err)
		}
		for _, report := range read.Reports {
			for i, cell := range report.Cells {
				figures += len(cell.Reported)
				compareReal(t, filepath.Base(name), i, gatheredFrom(cell.Reported).figures(), cell.Reported)
			}
		}
	}
	t.Logf("%d figures", figures)
}

// gatheredFrom returns the values that figures were computed from.
func gatheredFrom(figures []bundle.Figure) gathered {
	var g gathered
	for key, at := range map[metric.Key]*[]float64{
		metric.Prefill: &g.prefill, metric.PrefillRequest: &g.prefillRequest, metric.Decode: &g.decode, metric.DecodeRequest: &g.decodeRequest,
		metric.Peak: &g.peak, metric.PeakRequest: &g.peakRequest,
		metric.TTFR: &g.firstResponse, metric.EstimatedPrefill: &g.promptTime, metric.TTFT: &g.firstToken,
	} {
		for _, f := range figures {
			if f.Metric != key {
				continue
			}
			for _, v := range f.Values {
				if f.Unit == metric.Millisecond {
					v /= 1000
				}
				*at = append(*at, v)
			}
		}
	}
	return g
}

// compareReal compares figures that were computed with those of the tool.
func compareReal(t *testing.T, name string, cell int, got, want []bundle.Figure) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s, cell %d: got %d figures, want %d", name, cell, len(got), len(want))
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }
	for i, g := range got {
		if w := want[i]; w.Unit == metric.Millisecond && near(*g.Mean, *w.Mean) && math.Abs(*g.Std-*w.Std) <= 1e-12**w.Mean {
			for j, v := range w.Values {
				if !near(g.Values[j], v) {
					t.Errorf("%s, cell %d, %s: got %v, want %v", name, cell, w.Name, g.Values[j], v)
				}
			}
			g.Mean, g.Std, g.Values = w.Mean, w.Std, w.Values
		}
		if !reflect.DeepEqual(g, want[i]) {
			t.Errorf("%s, cell %d:\ngot  %s\nwant %s", name, cell, show(g), show(want[i]))
		}
	}
}

func show(f bundle.Figure) []any {
	number := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	return []any{f.Name, f.Metric, f.Unit, f.N, f.StdKind, number(f.Value), number(f.Mean), number(f.Std), number(f.Median), f.Percentiles, f.Values}
}

// TestVLLMFiguresOfRealRuns: a run with the counts of a real result file has the
// figures that an import of the file has: the same names, units and percentiles in
// the same order, and its rates to the last digit.
func TestVLLMFiguresOfRealRuns(t *testing.T) {
	t.Parallel()
	root := corpusFile(t, "dgx-spark-benchmarks", "results")
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(data, []byte(`"mean_ttft_ms"`)) {
			return err
		}
		read, err := vllmbench.Parse(ingest.Input{Name: filepath.Base(name), Data: data})
		if err != nil {
			return err
		}
		for _, r := range read.Results {
			files++
			want := r.Cell.Reported
			got, err := runLike(r.Cell, r.Duration).Figures()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			compareShape(t, name, got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 200 {
		t.Fatalf("found %d results", files)
	}
	t.Logf("%d results", files)
}

// runLike returns a run with the counts of a cell. Its latencies are made up.
func runLike(c bundle.Cell, duration float64) VLLMRun {
	run := VLLMRun{Release: 26, Duration: duration}
	for _, f := range c.Reported {
		if f.Mean != nil {
			run.Metrics = append(run.Metrics, f.Name)
			run.Percentiles = nil
			for _, p := range f.Percentiles {
				run.Percentiles = append(run.Percentiles, p.P)
			}
		}
	}
	for range *c.Requests.Completed {
		run.Outputs = append(run.Outputs, VLLMOutput{Success: true, TTFT: 1, Latency: 2, ITL: []float64{1}})
	}
	if len(run.Outputs) > 0 {
		run.Outputs[0].PromptTokens, run.Outputs[0].OutputTokens = int(*c.Tokens.Input), int(*c.Tokens.Output)
	}
	return run
}

// compareShape compares all but the numbers that a cell's counts do not give.
func compareShape(t *testing.T, name string, got, want []bundle.Figure) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d figures, want %d", name, len(got), len(want))
		return
	}
	for i, g := range got {
		w := want[i]
		switch {
		case w.Mean != nil:
			for j, p := range w.Percentiles {
				g.Percentiles[j].Value = p.Value
			}
			g.Mean, g.Median, g.Std = w.Mean, w.Median, w.Std
		case w.Metric == metric.Peak || w.Metric == metric.PeakConcurrency:
			g.Value = w.Value
		}
		if !reflect.DeepEqual(g, w) {
			t.Errorf("%s:\ngot  %v\nwant %v", name, show(g), show(w))
		}
	}
}
