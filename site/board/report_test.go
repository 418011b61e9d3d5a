package board

import (
	"math"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// use is a load of 100 tokens with a user who thinks for ten seconds.
var slo = SLO{OutputTokens: 100, ThinkS: 10, TTFTMS: 1000, Speed: 15}

// point is a measured concurrency: mean and p90 of each quantity.
type point struct {
	c                    int
	ttft, ttft90         float64 // ms
	speed, speed90       float64 // tokens per second
	latency, latency90   float64 // s
	itl, rate            float64
	speedless, latencies bool // leaves out speed; leaves out latency
}

func deployment(points ...point) LoadCurve {
	both := func(key metric.Key, unit metric.Unit, mean, p90 float64) bundle.Figure {
		return bundle.Figure{Metric: key, Unit: unit, Mean: &mean, Percentiles: []bundle.Percentile{{P: 90, Value: p90}}}
	}
	t := bundle.Test{Slug: "load"}
	for _, p := range points {
		c := bundle.Cell{Concurrency: p.c, Reported: []bundle.Figure{
			both(metric.TTFT, metric.Millisecond, p.ttft, p.ttft90),
			both(metric.ITL, metric.Millisecond, p.itl, p.itl),
			{Metric: metric.RequestRate, Unit: metric.RequestsPerS, Value: &p.rate},
		}}
		if !p.speedless {
			c.Reported = append(c.Reported, both(metric.OutputRequest, metric.TokensPerS, p.speed, p.speed90))
		}
		if !p.latencies {
			c.Reported = append(c.Reported, both(metric.E2E, metric.Second, p.latency, p.latency90))
		}
		t.Cells = append(t.Cells, c)
	}
	return LoadCurveOf(Item{Bundle: &bundle.Bundle{Tests: []bundle.Test{{Slug: "one", Cells: []bundle.Cell{
		{Concurrency: 1, Reported: []bundle.Figure{single(metric.Output, 1)}},
	}}, t}}}, "")
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: not known, want %v", what, want)
		return
	}
	if math.Abs(*got-want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, *got, want)
	}
}

func TestDeploymentOf(t *testing.T) {
	t.Parallel()
	d := deployment(point{c: 4, ttft: 2, latency: 1.5}, point{c: 1, ttft: 1, latency: 1})
	equal(t, "ascending", [2]int{d.Points[0].Concurrency, d.Points[1].Concurrency}, [2]int{1, 4})
	equal(t, "cell", d.Points[1].Cell, 0)
	near(t, "latency in s", d.Points[1].Latency.Mean, 1.5)
	equal(t, "a test by name", len(LoadCurveOf(d.Item, "one").Points), 1)
	equal(t, "no such test", len(LoadCurveOf(d.Item, "none").Points), 0)
	equal(t, "no bundle", len(LoadCurveOf(Item{}, "").Points), 0)
}

func TestAggregates(t *testing.T) {
	t.Parallel()
	d := deployment(
		point{c: 1, speed: 50, latency: 2},
		point{c: 8, speed: 20, latency: 8}, // requests differ in speed: 160, but 100
		point{c: 16, speed: 11, latency: 16},
		point{c: 32, speedless: true, latencies: true},
	)
	a := d.Aggregates(slo)
	near(t, "alone", a[0].SpeedTimesC, 50)
	near(t, "alone, actual", a[0].Actual, 50)
	near(t, "speed × c", a[1].SpeedTimesC, 160)
	near(t, "actual", a[1].Actual, 100)
	if a[3].SpeedTimesC != nil || a[3].Actual != nil {
		t.Error("an aggregate of nothing is known")
	}
	printed, actual := Peaks(a)
	equal(t, "peaks", [2]int{printed, actual}, [2]int{16, 8})
	printed, actual = Peaks(nil)
	equal(t, "no peaks", [2]int{printed, actual}, [2]int{0, 0})
}

func TestRatesAndConsistency(t *testing.T) {
	t.Parallel()
	d := deployment(point{c: 4, ttft: 500, itl: 10, latency: 2, rate: 0.5}, point{c: 8, latencies: true, rate: 1})
	r := d.Rates()
	near(t, "per slot", r[0].PerSlot, 0.5)
	near(t, "system", r[0].System, 2)
	near(t, "slots", r[0].Slots, 1)
	if r[1].System != nil || r[1].Slots != nil {
		t.Error("a rate without a latency is known")
	}
	c := d.Consistencies(slo)
	near(t, "sum", c[0].SumMS, 500+99*10)
	near(t, "latency", c[0].LatencyMS, 2000)
	near(t, "ratio", c[0].Ratio, 1490.0/2000)
	if c[1].Ratio != nil {
		t.Error("a ratio without a latency is known")
	}
}

func TestSpeedUps(t *testing.T) {
	t.Parallel()
	without := deployment(point{c: 1, speed: 100}, point{c: 4, speed: 50}, point{c: 16, speed: 20})
	with := deployment(point{c: 1, speed: 200}, point{c: 2, speed: 1}, point{c: 4, speed: 75}, point{c: 16, speed: 10})
	equal(t, "at common concurrencies", SpeedUps(without, with), []SpeedUp{{1, 100, 200, 2}, {4, 50, 75, 1.5}, {16, 20, 10, 0.5}})
	equal(t, "nothing in common", len(SpeedUps(LoadCurve{}, with)), 0)
}

func TestBreakEven(t *testing.T) {
	t.Parallel()
	ups := func(ratios ...float64) []SpeedUp {
		var out []SpeedUp
		for i, r := range ratios {
			out = append(out, SpeedUp{Concurrency: 1 << (2 * i), Ratio: r})
		}
		return out
	}
	cases := []struct {
		name string
		list []SpeedUp
		want BreakEven
	}{
		{"halfway from 4 to 16 in logarithms", ups(2, 1.5, 0.5), BreakEven{Known: true, Concurrency: 8, Below: 4, Above: 16}},
		{"at a measured concurrency", ups(2, 1, 0.5), BreakEven{Known: true, Concurrency: 4, Below: 4, Above: 16}},
		{"the first place counts", ups(1.5, 0.5, 2, 0.5), BreakEven{Known: true, Concurrency: 2, Below: 1, Above: 4}},
		{"always", ups(2, 1.5), BreakEven{Always: true}},
		{"never", ups(0.9, 1.5), BreakEven{Never: true}},
		{"nothing measured", nil, BreakEven{}},
	}
	for _, c := range cases {
		got := BreakEvenOf(c.list)
		got.Concurrency = math.Round(1e9*got.Concurrency) / 1e9
		equal(t, c.name, got, c.want)
	}
}

func TestCompliances(t *testing.T) {
	t.Parallel()
	d := deployment(
		point{c: 1, ttft: 100, ttft90: 1000, speed: 20, speed90: 25, latency: 5, latency90: 6},
		point{c: 2, ttft: 100, ttft90: 1001, speed: 14, speed90: 16, latency: 7, latency90: 10},
		point{c: 4, ttft: 1001, ttft90: 2000, speedless: true, latencies: true},
	)
	c := d.Compliances(slo)
	is := func(what string, got *bool, want bool) {
		t.Helper()
		if got == nil || *got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	is("the limit itself", c[0].TTFTP90, true)
	is("beyond it", c[1].TTFTP90, false)
	is("mean", c[1].TTFTMean, true)
	is("the good tail", c[1].SpeedP90, true)
	is("nine of ten", c[1].SpeedSlow, false)
	near(t, "their speed", c[1].SlowSpeed, 10)
	is("mean speed", c[1].SpeedMean, false)
	is("slow", c[2].TTFTMean, false)
	if c[2].SpeedP90 != nil || c[2].SpeedSlow != nil || c[2].SlowSpeed != nil {
		t.Error("what was not reported is known")
	}
}

func TestUsersOf(t *testing.T) {
	t.Parallel()
	d := deployment(
		point{c: 1, ttft: 100, ttft90: 200, speed: 40, speed90: 45, latency: 2.5, latency90: 3},
		point{c: 2, ttft: 200, ttft90: 400, speed: 20, speed90: 30, latency: 5, latency90: 8}, // slow tail: 12.5
		point{c: 4, ttft: 900, ttft90: 1800, speed: 16, speed90: 22, latency: 6, latency90: 9},
		point{c: 8, ttft: 5000, ttft90: 9000, speed: 99, speed90: 99, latency: 1, latency90: 1},
		point{c: 16, ttft: 1, ttft90: 1, speed: 99, speed90: 99, latency: 1, latency90: 1}, // recovers: does not count
	)
	cases := []struct {
		basis Basis
		c     int
		users float64
	}{
		{BasisP90, 2, 2 * (1 + 10.0/5)},
		{BasisMean, 4, 4 * (1 + 10.0/6)},
		{BasisSlow, 1, 1 * (1 + 10.0/2.5)},
	}
	for _, c := range cases {
		got := d.UsersOf(c.basis, slo)
		equal(t, string(c.basis), got.Concurrency, c.c)
		near(t, string(c.basis), &got.Users, c.users)
		equal(t, "highest", got.Highest, false)
	}
	none := d.UsersOf(BasisP90, SLO{OutputTokens: 100, TTFTMS: 1, Speed: 1})
	equal(t, "none", none.Known, false)
	all := d.UsersOf(BasisMean, SLO{OutputTokens: 100, TTFTMS: 1e6, Speed: 0})
	equal(t, "all", [2]any{all.Concurrency, all.Highest}, [2]any{16, true})
}
