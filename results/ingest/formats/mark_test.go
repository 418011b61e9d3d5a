package formats

import (
	"strings"
	"testing"

	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/concurrencycsv"
	"example.org/arena/results/ingest/llamabenchy"
	"example.org/arena/results/ingest/scan"
)

// TestDecimalMarkEverywhere gives the same numbers to every format that reads
// tables: what can be read in two ways is refused unless another number of the
// table shows the mark.
func TestDecimalMarkEverywhere(t *testing.T) {
	t.Parallel()
	formats := map[string]func(a, b string) error{
		"concurrency-csv, commas": func(a, b string) error {
			_, err := concurrencycsv.Parse(ingest.Input{Name: "t.csv", Data: []byte("concurrency,latency_mean_s,tps_mean\n1,\"" + a + "\",\"" + b + "\"\n")})
			return err
		},
		"concurrency-csv, semicolons": func(a, b string) error {
			_, err := concurrencycsv.Parse(ingest.Input{Name: "t.csv", Data: []byte("concurrency;latency_mean_s;tps_mean\n1;" + a + ";" + b + "\n")})
			return err
		},
		"llama-benchy, pipes": func(a, b string) error {
			_, err := llamabenchy.Parse(ingest.Input{Name: "t.md", Data: []byte("| model | test | t/s | ttfr (ms) |\n|--|--|--|--|\n| a/b | pp2048 | " + a + " ± 804 | " + b + " |\n")})
			return err
		},
		"llama-benchy, tabs": func(a, b string) error {
			_, err := llamabenchy.Parse(ingest.Input{Name: "t.md", Data: []byte("model\ttest\tt/s\tttfr (ms)\na/b\tpp2048\t" + a + " ± 804\t" + b + "\n")})
			return err
		},
	}
	for name, read := range formats {
		for _, c := range []struct {
			a, b    string
			refused bool
		}{
			{"1,234", "100", true},
			{"1,500", "100", true},
			{"123,456", "1,500", true},
			{"1,500", "1,5", false},  // decimals
			{"1,500", "12.5", false}, // thousands
			{"1,500", "1,234,567", false},
			{"1500", "100", false},
		} {
			err := read(c.a, c.b)
			if c.refused != (err != nil) {
				t.Errorf("%s: %s beside %s: %v", name, c.a, c.b, err)
			}
			if c.refused && err != nil && (!strings.Contains(err.Error(), "thousands separator") || !strings.Contains(err.Error(), "hint: "+scan.MarkHint)) {
				t.Errorf("%s: %s beside %s: the fault lacks its reason or its hint: %v", name, c.a, c.b, err)
			}
		}
		if err := read("1.234", "100"); (err != nil) != (name != "concurrency-csv, commas") {
			t.Errorf("%s: 1.234 alone: %v", name, err)
		}
	}
}
