package ingest

import (
	"math"
	"os"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// FuzzLlamaBenchy checks that no input makes the reader panic, that every figure
// it returns is a finite number, that every fault says something, and that a
// report agrees with itself.
func FuzzLlamaBenchy(f *testing.F) {
	for _, file := range globFiles(f, "testdata/llama-benchy/*.[mtcj]*") {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(decimalCommas(benchyHead + benchyRows)))
	f.Add([]byte("\x1b[31m" + tabbed(benchyHead+benchyRows)))
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := ParseLlamaBenchy(Input{"in", data})
		if err != nil {
			checkFaults(t, err)
			return
		}
		if len(parsed.Reports) == 0 {
			t.Fatal("neither a report nor a fault")
		}
		for _, r := range parsed.Reports {
			checkCells(t, r.Cells)
			if r.LatencyMS != nil && !finite(*r.LatencyMS) {
				t.Errorf("latency is %v", *r.LatencyMS)
			}
			if _, err := MergeReports(r, r); err != nil {
				t.Errorf("contradicts itself: %v", err)
			}
		}
	})
}

// FuzzConcurrencyCSV checks the same of concurrency tables.
func FuzzConcurrencyCSV(f *testing.F) {
	f.Add([]byte(usualCSV))
	f.Add([]byte("concurrency;ttft_mean_ms;requests\n1;1,5;3\n2;~2.345,5 ms;\n"))
	f.Add([]byte("rps\tlatency_p99_ms\tconcurrency\n0.5\tnan\t4\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cells, err := ParseConcurrencyCSV(Input{"in", data})
		if err != nil {
			checkFaults(t, err)
			return
		}
		if len(cells) == 0 {
			t.Fatal("neither a cell nor a fault")
		}
		checkCells(t, cells)
	})
}

func checkFaults(t *testing.T, err error) {
	t.Helper()
	faults, ok := err.(tomlfile.Faults)
	if !ok || len(faults) == 0 {
		t.Fatalf("error is %T with %d faults", err, len(faults))
	}
	for _, e := range faults {
		if e.Message == "" || e.Line < 0 {
			t.Errorf("fault is %+v", e)
		}
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func checkCells(t *testing.T, cells []bundle.Cell) {
	t.Helper()
	for _, c := range cells {
		if c.Concurrency <= 0 || c.PromptTokens < 0 || c.OutputTokens < 0 || c.DepthTokens < 0 || c.Runs < 0 {
			t.Errorf("cell is %+v", c)
		}
		for _, fig := range c.Reported {
			numbers := append([]float64{}, fig.Values...)
			for _, p := range []*float64{fig.Value, fig.Mean, fig.Std, fig.Median, fig.Min, fig.Max} {
				if p != nil {
					numbers = append(numbers, *p)
				}
			}
			for _, p := range fig.Percentiles {
				numbers = append(numbers, p.P, p.Value)
			}
			if len(numbers) == 0 || fig.Name == "" || fig.Unit == "" || fig.Metric == "" || fig.N < 0 {
				t.Errorf("figure is %+v", fig)
			}
			for _, v := range numbers {
				if !finite(v) {
					t.Errorf("%s is %v", fig.Name, v)
				}
			}
		}
	}
}
