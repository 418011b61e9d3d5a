package bundle

import (
	"testing"

	"example.org/arena/results/metric"
)

func TestFigureLookup(t *testing.T) {
	t.Parallel()
	b := &Bundle{Tests: []Test{{Slug: "chat", Cells: []Cell{{Reported: []Figure{
		{Metric: metric.TTFT, Name: "first", Mean: new(1.0)},
		{Metric: metric.TTFT, Name: "second", Mean: new(2.0)},
	}}}}}}
	if b.Test("rag-8k") != nil {
		t.Error("found a test that the bundle does not have")
	}
	cell := &b.Test("chat").Cells[0]
	if cell.Figure(metric.ITL) != nil {
		t.Error("found a figure that the cell does not have")
	}
	if got := cell.Figure(metric.TTFT); got == nil || got.Name != "first" {
		t.Errorf("Figure = %v, want the first", got)
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	f := &Figure{Median: new(5.0), Percentiles: []Percentile{{P: 90, Value: 9}}}
	cases := []struct {
		p    float64
		want float64
		ok   bool
	}{
		{50, 5, true}, // the median
		{90, 9, true},
		{99, 0, false},
	}
	for _, c := range cases {
		if got, ok := f.Percentile(c.p); got != c.want || ok != c.ok {
			t.Errorf("Percentile(%v) = %v, %v, want %v, %v", c.p, got, ok, c.want, c.ok)
		}
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	cases := []struct {
		from, to metric.Unit
		want     float64
		ok       bool
	}{
		{metric.Millisecond, metric.Millisecond, 1, true},
		{metric.Second, metric.Millisecond, 1000, true},
		{metric.Millisecond, metric.Second, 0.001, true},
		{metric.Tokens, metric.Second, 0, false},
	}
	for _, c := range cases {
		f := &Figure{Unit: c.from}
		if got, ok := f.Scale(c.to); got != c.want || ok != c.ok {
			t.Errorf("Scale %s to %s = %v, %v, want %v, %v", c.from, c.to, got, ok, c.want, c.ok)
		}
	}
}
