package runner

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

func rowsText(rows []Row) string {
	number := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.4g", *v)
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s %s %s %s: %s %s %s %s\n", r.Metric, r.Name, r.Statistic, r.Unit, number(r.Tool), number(r.Native), number(r.Difference), number(r.Ratio))
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	t.Parallel()
	tool := []bundle.Figure{
		{
			Metric: metric.TTFT, Name: "ttft", Unit: metric.Millisecond, Mean: new(200.0), Std: new(0.0), StdKind: "population", Median: new(190.0),
			Percentiles: []bundle.Percentile{{P: 99, Value: 400}, {P: 99.9, Value: 500}},
		},
		{Metric: metric.E2E, Name: "e2el", Unit: metric.Second, Mean: new(2.0)},
		{Metric: metric.RequestRate, Name: "request_throughput", Unit: metric.RequestsPerS, Value: new(0.25)},
		{Metric: metric.Output, Name: "output_throughput", Unit: metric.TokensPerS, Value: new(math.NaN())},
	}
	native := []bundle.Figure{
		{
			Metric: metric.TTFT, Name: "ttft", Unit: metric.Millisecond, Mean: new(180.0), Std: new(3.0), StdKind: "population",
			Percentiles: []bundle.Percentile{{P: 99, Value: math.Inf(1)}},
		},
		{Metric: metric.TTFT, Name: "ttfr", Unit: metric.Millisecond, Mean: new(170.0)},
		{Metric: metric.E2E, Name: "e2el", Unit: metric.Millisecond, Mean: new(2500.0)},
		{Metric: metric.RequestRate, Name: "request_throughput", Unit: metric.RequestsPerS, Value: new(0.5)},
	}
	const want = `ttft_ms ttft mean ms: 200 180 -20 0.9
ttft_ms ttft std ms: 0 3 3 -
ttft_ms ttft median ms: 190 - - -
ttft_ms ttft p99 ms: 400 - - -
ttft_ms ttft p99.9 ms: 500 - - -
e2e_ms e2el mean ms: 2000 2500 500 1.25
req_per_s request_throughput value req/s: 0.25 0.5 0.25 2
ttft_ms ttfr mean ms: - 170 - -
`
	if got := rowsText(Compare(tool, native)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	table := []bundle.Figure{{Metric: metric.TTFR, Name: "pp ttfr (ms)", Unit: metric.Millisecond, Mean: new(90.0)}}
	file := []bundle.Figure{{Metric: metric.TTFR, Name: "ttfr", Unit: metric.Millisecond, Mean: new(99.0)}}
	if got, want := rowsText(Compare(table, file)), "ttfr_ms pp ttfr (ms) mean ms: 90 99 9 1.1\n"; got != want || file[0].Name != "ttfr" {
		t.Errorf("names that differ: got %swant %s", got, want)
	}
	if rows := Compare(nil, nil); len(rows) != 0 {
		t.Errorf("nothing compares to %v", rows)
	}
	big := Compare([]bundle.Figure{{Metric: metric.TTFT, Name: "x", Value: new(-math.MaxFloat64)}}, []bundle.Figure{{Metric: metric.TTFT, Name: "x", Value: new(math.MaxFloat64)}})
	if len(big) != 1 || big[0].Difference != nil || big[0].Ratio == nil {
		t.Errorf("a difference beyond all numbers is %v", rowsText(big))
	}
}
