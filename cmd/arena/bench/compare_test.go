package bench

import (
	"strings"
	"testing"

	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine/runner"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

func TestWriteComparison(t *testing.T) {
	t.Parallel()
	tool := []bundle.Figure{
		{Metric: metric.TTFT, Name: "ttft", Unit: metric.Millisecond, Mean: new(812.5), Percentiles: []bundle.Percentile{{P: 99, Value: 2100.456}}},
		{Metric: metric.RequestRate, Name: "request_throughput", Unit: metric.RequestsPerS, Value: new(0.28551)},
	}
	native := []bundle.Figure{
		{Metric: metric.TTFT, Name: "ttft", Unit: metric.Millisecond, Mean: new(810.25), Median: new(640.0)},
		{Metric: metric.RequestRate, Name: "request_throughput", Unit: metric.RequestsPerS, Value: new(0.28550)},
	}
	var b strings.Builder
	if err := writeComparison(&b, "vllm-bench-serve 0.26.0", runner.Compare(tool, native)); err != nil {
		t.Fatal(err)
	}
	const want = `figure                     unit   vllm-bench-serve 0.26.0    native  difference   ratio
ttft                mean   ms                      812.50    810.25       -2.25  0.9972
ttft                p99    ms                     2100.46         –           –       –
request_throughput  value  req/s                 0.28551  0.28550    -0.00001  1.0000
ttft                median ms                           –    640.00           –       –
`
	if got := b.String(); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got\n%s", got)
	}
	widths := map[int]bool{}
	for line := range strings.Lines(b.String()) {
		widths[terminal.Width(strings.TrimRight(line, "\n"))] = true
	}
	if len(widths) != 1 {
		t.Errorf("the columns do not stand below each other:\n%s", b.String())
	}
}
