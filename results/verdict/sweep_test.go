package verdict

import (
	"slices"
	"testing"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// swept returns the status of a sweep with the given cells.
func swept(t *testing.T, cells []bundle.Cell) *Test {
	t.Helper()
	b := &bundle.Bundle{Tests: []bundle.Test{{Slug: "rate-sweep", Cells: cells}}}
	r := Of(b, testContract(t), nil, nil)
	return r.Test("rate-sweep")
}

func TestCapacities(t *testing.T) {
	t.Parallel()
	failing := sweep(500, 600, 700)
	failing[1].Requests = &bundle.Requests{Completed: new(80), Failed: new(20)}
	silent := sweep(500, 600, 700)
	silent[1].Reported = silent[1].Reported[1:]
	type result struct {
		Rate    float64 // 0 when there is none
		Bound   Kind
		Missing Missing
		Ended   End
	}
	cases := []struct {
		name  string
		cells []bundle.Cell
		want  [3]result // under 2, 5 and 10 s
	}{
		{"rises", sweep(1500, 1900, 2500, 5500, 9000, 12000), [3]result{
			{0.2, Exact, "", EndLimit}, {0.3, Exact, "", EndLimit}, {0.7, Exact, "", EndLimit},
		}},
		{"recovers after failing: the prefix ends", sweep(1500, 2500, 1500, 1500, 1500, 1500), [3]result{
			{0.1, Exact, "", EndLimit}, {1, AtLeast, "", EndTop}, {1, AtLeast, "", EndTop},
		}},
		{"no rung is a result", sweep(15000, 20000, 30000, 40000, 50000, 60000), [3]result{
			{0, "", NoRung, EndLimit}, {0, "", NoRung, EndLimit}, {0, "", NoRung, EndLimit},
		}},
		{"under means under", sweep(2000, 5000, 10000, 10000, 10000, 10000), [3]result{
			{0, "", NoRung, EndLimit}, {0.1, Exact, "", EndLimit}, {0.2, Exact, "", EndLimit},
		}},
		{"stopped after one rung", sweep(2675), [3]result{
			{0, "", NoRung, EndLimit}, {0.1, AtLeast, "", EndGap}, {0.1, AtLeast, "", EndGap},
		}},
		{"no data", nil, [3]result{
			{0, "", NoData, EndGap}, {0, "", NoData, EndGap}, {0, "", NoData, EndGap},
		}},
		{"lowest rung missing", sweep(500, 600)[1:], [3]result{
			{0, "", NotMeasured, EndGap}, {0, "", NotMeasured, EndGap}, {0, "", NotMeasured, EndGap},
		}},
		{"a rung in between missing", slices.Delete(sweep(500, 600, 700), 1, 2), [3]result{
			{0.1, AtLeast, "", EndGap}, {0.1, AtLeast, "", EndGap}, {0.1, AtLeast, "", EndGap},
		}},
		{"a rung that failed", failing, [3]result{
			{0.1, Exact, "", EndFailed}, {0.1, Exact, "", EndFailed}, {0.1, Exact, "", EndFailed},
		}},
		{"a rung without p95", silent, [3]result{
			{0.1, AtLeast, "", EndUnknown}, {0.1, AtLeast, "", EndUnknown}, {0.1, AtLeast, "", EndUnknown},
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			slices.Reverse(c.cells) // the order of the cells does not matter
			var got [3]result
			for i, k := range swept(t, c.cells).Capacities([]int{2000, 5000, 10000}) {
				got[i] = result{k.Rate.Number, k.Rate.Bound, k.Rate.Missing, k.Ended}
				if k.Rate.Known != (k.Rung != nil) || k.Rate.Known && k.Rung.Rate != k.Rate.Number {
					t.Errorf("capacity %v names rung %v", k.Rate, k.Rung)
				}
			}
			equal(t, "capacities", got, c.want)
		})
	}
}

func TestCapacityTellsAboutItsRung(t *testing.T) {
	t.Parallel()
	k := swept(t, sweep(1500, 1900, 2500, 5500, 9000, 12000)).Capacities([]int{5000})[0]
	equal(t, "achieved", k.Rung.Achieved.Number, 0.3*0.9)
	equal(t, "output", k.Rung.Output.Number, 300)
	equal(t, "peak", k.Rung.Peak.Number, 30)
	equal(t, "p95", k.Rung.TTFTP95.Number, 2500)
	equal(t, "limit", k.Rate.At.LimitMS, 5000)
	equal(t, "rate", k.Rate.At.RequestRate, 0.3)
}

// TestCapacityRestsOnItsPrefix checks that a rung that cannot rank takes the
// capacities above it along, and no others.
func TestCapacityRestsOnItsPrefix(t *testing.T) {
	t.Parallel()
	cells := sweep(1500, 1900, 2500, 5500, 9000, 12000)
	s := swept(t, cells)
	cases := []struct {
		cell int
		want []string
	}{
		{0, []string{"output_tokens_mismatch"}},
		{2, []string{"output_tokens_mismatch"}},
		{3, nil}, // the rung that is too slow
		{5, nil},
	}
	for _, c := range cases {
		s.findings = []audit.Finding{{Code: audit.OutputTokensMismatch, Severity: audit.Error, Test: "rate-sweep", Cell: c.cell}}
		k := s.Capacities([]int{5000})[0]
		equal(t, "value", k.Rate.Number, 0.3)
		equal(t, "excluded", codes(k.Rate.Excluded), c.want)
	}
}

func TestSweepWithoutAContract(t *testing.T) {
	t.Parallel()
	r := Of(&bundle.Bundle{Tests: []bundle.Test{{Slug: "sweep", Cells: sweep(100, 200, 9000)}}}, nil, nil, nil)
	k := r.Tests[0].Capacities([]int{5000})[0]
	equal(t, "rate", k.Rate.Number, 0.2)
	equal(t, "ranks", k.Rate.Ranks(), false)
}

func TestRungsOfATestThatWasNotMeasured(t *testing.T) {
	t.Parallel()
	r := Of(&bundle.Bundle{}, testContract(t), nil, nil)
	rungs := r.Test("rate-sweep").Rungs()
	equal(t, "rungs", len(rungs), 6)
	for _, g := range rungs {
		equal(t, "cell", g.Cell, -1)
		equal(t, "missing", g.TTFTP95.Missing, NotMeasured)
		equal(t, "metric", g.TTFTP95.Metric, metric.TTFT)
	}
}
