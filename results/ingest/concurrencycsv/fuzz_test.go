package concurrencycsv

import (
	"testing"

	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
)

// FuzzConcurrencyCSV checks the same of concurrency tables.
func FuzzConcurrencyCSV(f *testing.F) {
	f.Add([]byte(usualCSV))
	f.Add([]byte("concurrency;ttft_mean_ms;requests\n1;1,5;3\n2;~2.345,5 ms;\n"))
	f.Add([]byte("rps\tlatency_p99_ms\tconcurrency\n0.5\tnan\t4\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cells, err := Parse(ingest.Input{Name: "in", Data: data})
		if err != nil {
			ingesttest.CheckFaults(t, err)
			return
		}
		if len(cells) == 0 {
			t.Fatal("neither a cell nor a fault")
		}
		ingesttest.CheckCells(t, cells)
	})
}
