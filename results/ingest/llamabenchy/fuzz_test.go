package llamabenchy

import (
	"os"
	"testing"

	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
)

// FuzzLlamaBenchy checks that no input makes the reader panic, that every figure
// it returns is a finite number, that every fault says something, and that a
// report agrees with itself.
func FuzzLlamaBenchy(f *testing.F) {
	for _, file := range ingesttest.GlobFiles(f, "testdata/*.[mtcj]*") {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(decimalCommas(benchyHead + benchyRows)))
	f.Add([]byte("\x1b[31m" + tabbed(benchyHead+benchyRows)))
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := Parse(ingest.Input{Name: "in", Data: data})
		if err != nil {
			ingesttest.CheckFaults(t, err)
			return
		}
		if len(parsed.Reports) == 0 {
			t.Fatal("neither a report nor a fault")
		}
		for _, r := range parsed.Reports {
			ingesttest.CheckCells(t, r.Cells)
			if r.LatencyMS != nil && !ingesttest.Finite(*r.LatencyMS) {
				t.Errorf("latency is %v", *r.LatencyMS)
			}
			if _, err := Merge(r, r); err != nil {
				t.Errorf("contradicts itself: %v", err)
			}
		}
	})
}
