package ingesttest

import (
	"os"
	"strings"
	"testing"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
)

// StatedMetadata returns metadata that leave nothing open but the test.
func StatedMetadata() ingest.Metadata {
	return ingest.Metadata{
		File: "meta.toml", Platform: "box", Profile: "fp8", Licence: "CC0-1.0", Credit: "nobody",
		Model:  bundle.Model{ID: "acme/tiny", ServedName: "tiny"},
		Server: bundle.Server{Name: "vllm"},
		Source: bundle.Source{URL: "https://example.org/results"},
		Zone:   time.FixedZone("", 2*3600),
	}
}

// TestOptions are the options of a program that has no contract.
func TestOptions() ingest.Options {
	return ingest.Options{Engine: bundle.EnginePin{Version: "test", Go: "go1.26"}}
}

// ClosedContract has one test, which the log fixture follows.
func ClosedContract() *contract.Contract {
	kind := contract.Batches{
		Grid: contract.Grid{PromptTokens: []int{256, 512}, OutputTokens: []int{64}, DepthTokens: []int{0}, Concurrency: []int{1, 4}},
		Runs: 2, LatencyMode: "generation", Format: "md",
	}
	return &contract.Contract{
		Version: "v9", Digest: strings.Repeat("0", 64), File: "v9.toml",
		Tests: []contract.Test{{Slug: "context", Number: 1, Kind: kind}},
	}
}

// ContractV2 returns the second contract of this repository.
func ContractV2(t *testing.T) *contract.Contract {
	t.Helper()
	data, err := os.ReadFile("../../../content/contracts/v2.toml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Parse("v2.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Lookup returns a statistic of a figure as text, "-" when it is missing.
func Lookup(c bundle.Cell, key metric.Key, stat string) string {
	fig := c.Figure(key)
	if fig == nil {
		return "-"
	}
	at := map[string]*float64{"value": fig.Value, "mean": fig.Mean, "std": fig.Std, "median": fig.Median, "min": fig.Min, "max": fig.Max}[stat]
	if strings.HasPrefix(stat, "p") {
		for _, p := range fig.Percentiles {
			if "p"+scan.FormatNumber(p.P) == stat {
				at = &p.Value
			}
		}
	}
	if at == nil {
		return "-"
	}
	return scan.FormatNumber(*at)
}

// Codes lists the codes of notes.
func Codes(notes []bundle.Note) string {
	var out []string
	for _, n := range notes {
		out = append(out, n.Code)
	}
	return strings.Join(out, " ")
}
