package verdict

import (
	"os"
	"reflect"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// testContract is a small contract with one test of each kind.
func testContract(t testing.TB) *contract.Contract {
	t.Helper()
	const name = "testdata/contract.toml"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// fig returns a figure with a mean and, when it is not negative, a standard
// deviation.
func fig(key metric.Key, mean, std float64) bundle.Figure {
	m, _ := metric.Lookup(key)
	f := bundle.Figure{Metric: key, Name: string(key), Unit: m.Unit, Mean: &mean}
	if std >= 0 {
		f.Std, f.StdKind = &std, "population"
	}
	return f
}

// single returns a figure with one value.
func single(key metric.Key, v float64) bundle.Figure {
	m, _ := metric.Lookup(key)
	return bundle.Figure{Metric: key, Name: string(key), Unit: m.Unit, Value: &v}
}

// tails returns a figure with its median and p95.
func tails(key metric.Key, p50, p95 float64) bundle.Figure {
	m, _ := metric.Lookup(key)
	return bundle.Figure{
		Metric: key, Name: string(key), Unit: m.Unit, Median: &p50,
		Percentiles: []bundle.Percentile{{P: 95, Value: p95}},
	}
}

func closed(prompt, output, concurrency int, figures ...bundle.Figure) bundle.Cell {
	return bundle.Cell{PromptTokens: prompt, OutputTokens: output, Concurrency: concurrency, Runs: 3, Reported: figures}
}

func arriving(rate float64, completed, failed int, figures ...bundle.Figure) bundle.Cell {
	return bundle.Cell{
		RequestRate: new(bundle.Rate(rate)),
		Requests:    &bundle.Requests{Completed: &completed, Failed: &failed},
		Reported:    figures,
	}
}

// sweep returns cells of a rate sweep with the given p95 TTFT in ms per rung, from
// 0.1 requests per second up.
func sweep(p95 ...float64) []bundle.Cell {
	rates := []float64{0.1, 0.2, 0.3, 0.5, 0.7, 1.0}
	prompts := []int{100, 100, 100, 125, 175, 250}
	var out []bundle.Cell
	for i, v := range p95 {
		out = append(out, arriving(rates[i], prompts[i], 0,
			tails(metric.TTFT, v/2, v), single(metric.RequestRate, rates[i]*0.9),
			single(metric.Output, 1000*rates[i]), single(metric.PeakConcurrency, float64(10*(i+1)))))
	}
	return out
}

func codes(list []Reason) []string {
	var out []string
	for _, r := range list {
		out = append(out, r.Code)
	}
	return out
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}
