package audit

import (
	"math"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

func TestLatencySubtraction(t *testing.T) {
	t.Parallel()
	prefill := fig(metric.Prefill, 5000, 1)
	cases := []struct {
		name    string
		latency *float64
		cell    bundle.Cell
		want    bool
	}{
		{"small", new(20.0), closed(1, prefill, fig(metric.TTFR, 100, 1)), false},
		{"a quarter", new(25.0), closed(1, prefill, fig(metric.TTFR, 100, 1)), false},
		{"more", new(26.0), closed(1, prefill, fig(metric.TTFR, 100, 1)), true},
		{"not stated, but both times are", nil, closed(1, prefill, fig(metric.TTFR, 100, 1), fig(metric.EstimatedPrefill, 60, 1)), true},
		{"neither", nil, closed(1, prefill, fig(metric.TTFR, 100, 1)), false},
		{"several requests", new(90.0), closed(5, prefill, fig(metric.TTFR, 100, 1)), false},
		{"no prefill", new(90.0), closed(1, fig(metric.TTFR, 100, 1)), false},
	}
	for _, c := range cases {
		b := of("chat", c.cell)
		b.Tests[0].LatencyMS = c.latency
		var want []brief
		if c.want {
			want = []brief{{LatencySubtraction, Error, "chat", 0}}
		}
		got := latencySubtraction(Input{Bundle: b})
		t.Run(c.name, func(t *testing.T) { wantFindings(t, got, want...) })
	}
}

func TestLatencySubtractionExcludesPrefillOnly(t *testing.T) {
	t.Parallel()
	b := of("chat", closed(1, fig(metric.Prefill, 5000, 1), fig(metric.TTFR, 100, 1), fig(metric.Decode, 40, 1)))
	b.Tests[0].LatencyMS = new(50.0)
	got := Audit(Input{Bundle: b})
	if n := len(excluding(got, "chat", 0, metric.Prefill)); n != 1 {
		t.Errorf("%d findings exclude prefill, want 1", n)
	}
	for _, key := range []metric.Key{metric.Decode, metric.TTFR} {
		if x := excluding(got, "chat", 0, key); len(x) != 0 {
			t.Errorf("%s is excluded by %v", key, briefs(x))
		}
	}
}

func TestMissingPrefill(t *testing.T) {
	t.Parallel()
	b := of("chat", closed(1, fig(metric.Decode, 40, 1)), closed(10, fig(metric.Decode, 40, 1), fig(metric.Prefill, 1, 1)), closed(5))
	wantFindings(t, missingPrefill(Input{Bundle: b}), brief{MissingPrefill, Warning, "chat", 0})
	b.Tests[0].Tool.Name = "another"
	wantFindings(t, missingPrefill(Input{Bundle: b}))
}

func TestPeakBelowMean(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		cell bundle.Cell
		want []metric.Key
	}{
		{"above", arriving(1, 1, 0, 1, single(metric.Peak, 60), single(metric.Output, 50)), nil},
		{"level", arriving(1, 1, 0, 1, single(metric.Peak, 50), single(metric.Output, 50)), nil},
		{"below", arriving(1, 1, 0, 1, single(metric.Peak, 40), single(metric.Output, 50)), []metric.Key{metric.Peak}},
		{"of one request", closed(5, fig(metric.PeakRequest, 25, 1), fig(metric.DecodeRequest, 26, 1)), []metric.Key{metric.PeakRequest}},
		{"no mean", closed(5, fig(metric.PeakRequest, 25, 1)), nil},
		{"all failed", arriving(1, 0, 5, 0, single(metric.Peak, 0), single(metric.Output, 1)), nil},
	}
	for _, c := range cases {
		got := peakBelowMean(Input{Bundle: of("chat", c.cell)})
		var keys []metric.Key
		for _, f := range got {
			keys = append(keys, f.Metrics...)
		}
		if len(keys) != len(c.want) || len(keys) == 1 && keys[0] != c.want[0] {
			t.Errorf("%s: found peaks %v, want %v", c.name, keys, c.want)
		}
	}
}

func TestMultiTokenChunks(t *testing.T) {
	t.Parallel()
	b := of("rate-sweep",
		arriving(0.1, 1, 0, 1, fig(metric.ITL, 125, -1), fig(metric.TPOT, 100, -1)),
		arriving(0.2, 1, 0, 1, fig(metric.ITL, 300, -1), fig(metric.TPOT, 100, -1)),
		arriving(0.3, 1, 0, 1, fig(metric.ITL, 300, -1)),
	)
	got := multiTokenChunks(Input{Bundle: b})
	wantFindings(t, got, brief{MultiTokenChunks, Warning, "rate-sweep", 1})
	if r := arg(t, got[0], "ratio").Number; r != 3 {
		t.Errorf("ratio %v, want 3", r)
	}
}

func TestPerSlotRate(t *testing.T) {
	t.Parallel()
	latency := func(seconds float64) bundle.Figure {
		return bundle.Figure{Metric: metric.E2E, Name: "latency", Unit: metric.Second, Mean: &seconds}
	}
	cases := []struct {
		name string
		cell bundle.Cell
		want bool
	}{
		{"one slot's", closed(64, single(metric.RequestRate, 0.21), latency(4.66)), true},
		{"one slot's, coarsely printed", closed(64, single(metric.RequestRate, 0.08), latency(13.15)), true},
		{"the system's", closed(64, single(metric.RequestRate, 13.7), latency(4.66)), false},
		{"one slot", closed(1, single(metric.RequestRate, 0.79), latency(1.27)), false},
		{"no latency", closed(64, single(metric.RequestRate, 0.21)), false},
		{"arrivals", arriving(0.3, 1, 0, 1, single(metric.RequestRate, 0.25), latency(4)), false},
	}
	for _, c := range cases {
		got := perSlotRate(Input{Bundle: of("load", c.cell)})
		if (len(got) == 1) != c.want {
			t.Errorf("%s: found %v", c.name, briefs(got))
			continue
		}
		if c.want {
			l, n := arg(t, got[0], "latency").Number, float64(c.cell.Concurrency)
			if s := arg(t, got[0], "system_rate").Number; math.Abs(s-1000*n/l) > 1e-9 {
				t.Errorf("%s: system rate %v", c.name, s)
			}
		}
	}
}

func TestWrongTail(t *testing.T) {
	t.Parallel()
	tail := func(key metric.Key, ps ...float64) bundle.Figure {
		f := single(key, 10)
		for _, p := range ps {
			f.Percentiles = append(f.Percentiles, bundle.Percentile{P: p, Value: p})
		}
		return f
	}
	cases := []struct {
		name string
		cell bundle.Cell
		want bool
	}{
		{"rate with p90", closed(1, tail(metric.OutputRequest, 90)), true},
		{"rate with both tails", closed(1, tail(metric.OutputRequest, 10, 90)), false},
		{"rate with a median", closed(1, tail(metric.OutputRequest, 50)), false},
		{"time with p90", closed(1, tail(metric.TTFT, 90)), false},
		{"neutral with p90", closed(1, tail(metric.PeakConcurrency, 90)), false},
	}
	for _, c := range cases {
		got := wrongTail(Input{Bundle: of("load", c.cell)})
		if (len(got) == 1) != c.want {
			t.Errorf("%s: found %v", c.name, briefs(got))
		}
	}
}

func TestSpreads(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		cell bundle.Cell
		want []brief
	}{
		{"steady", closed(1, fig(metric.Decode, 40, 10)), nil},
		{"varies", closed(1, fig(metric.Decode, 40, 10.1)), []brief{{HighVariation, Warning, "chat", 0}}},
		{"larger than the mean", closed(1, fig(metric.Decode, 40, 41)), []brief{{StddevExceedsMean, Warning, "chat", 0}}},
		{"requests differ", closed(10, fig(metric.TTFT, 40, 39)), nil},
		{"requests differ by more than the mean", closed(10, fig(metric.TTFT, 40, 41)), []brief{{StddevExceedsMean, Info, "chat", 0}}},
		{"zeros", closed(1, fig(metric.Decode, 0, 0)), nil},
		{"no spread", closed(1, fig(metric.Decode, 40, -1)), nil},
	}
	for _, c := range cases {
		in := Input{Bundle: of("chat", c.cell)}
		got := append(highVariation(in), stddevExceedsMean(in)...)
		t.Run(c.name, func(t *testing.T) { wantFindings(t, got, c.want...) })
	}
}
