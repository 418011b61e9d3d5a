package board

import (
	"math"
	"testing"

	"example.org/arena/results/audit"
	"example.org/arena/results/metric"
)

// reportSLO is what the Kimi K3 report assumes.
var reportSLO = SLO{OutputTokens: 128, ThinkS: 45, TTFTMS: 1000, Speed: 15}

// kimi returns the four deployments by profile.
func (w *world) kimi(t *testing.T) map[string]LoadCurve {
	t.Helper()
	out := map[string]LoadCurve{}
	for _, it := range w.items {
		if it.Bundle.Platform == "dgx-b300" {
			out[it.Bundle.Profile] = LoadCurveOf(it, "")
		}
	}
	if len(out) != 4 {
		t.Fatalf("found %d deployments, want 4", len(out))
	}
	for name, d := range out {
		equal(t, name, len(d.Points), 7)
	}
	return out
}

// roundAll rounds to the digits of a printed table.
func roundAll(values []float64, digits int) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = rounded(v, digits)
	}
	return out
}

func TestReportSpeedUps(t *testing.T) {
	t.Parallel()
	k := launchData(t).kimi(t)
	ratios := func(list []SpeedUp) []float64 {
		var out []float64
		for _, s := range list {
			out = append(out, s.Ratio)
		}
		return roundAll(out, 2)
	}
	vllm := SpeedUps(k["vllm-direct"], k["vllm-dspark"])
	sglang := SpeedUps(k["sglang-direct"], k["sglang-dspark"])
	// The report prints 1.55 where 129.75 / 83.98 is 1.545: it rounded up.
	equal(t, "vLLM", ratios(vllm), []float64{1.86, 1.55, 1.36, 1.13, 0.99, 0.66, 0.41})
	equal(t, "SGLang", ratios(sglang), []float64{1.56, 1.36, 0.96, 0.71, 0.51, 0.46, 0.50})
	for _, c := range []struct {
		list         []SpeedUp
		want         float64
		below, above int
	}{{vllm, 15.37, 8, 16}, {sglang, 3.73, 2, 4}} {
		b := BreakEvenOf(c.list)
		equal(t, "break-even", []any{b.Known, rounded(b.Concurrency, 2), b.Below, b.Above}, []any{true, c.want, c.below, c.above})
	}
}

func TestReportAggregates(t *testing.T) {
	t.Parallel()
	k := launchData(t).kimi(t)
	at := map[int]int{1: 0, 4: 2, 16: 4, 32: 5, 64: 6}
	printed := map[int][4]float64{
		1: {101, 188, 83, 130}, 4: {293, 398, 237, 228}, 16: {703, 698, 697, 355}, 32: {1126, 740, 1074, 493}, 64: {1759, 717, 1863, 931},
	}
	profiles := []string{"vllm-direct", "vllm-dspark", "sglang-direct", "sglang-dspark"}
	for c, want := range printed {
		for i, p := range profiles {
			equal(t, p, math.Round(*k[p].Aggregates(reportSLO)[at[c]].SpeedTimesC), want[i])
		}
	}
	actual := func(p string, c int) float64 { return math.Round(*k[p].Aggregates(reportSLO)[at[c]].Actual) }
	equal(t, "SGLang with speculation at 16", actual("sglang-dspark", 16), 240)
	equal(t, "vLLM with speculation at 64", actual("vllm-dspark", 64), 623)
	peaks := map[string][2]int{}
	for _, p := range profiles {
		a, b := Peaks(k[p].Aggregates(reportSLO))
		peaks[p] = [2]int{a, b}
	}
	equal(t, "peaks", peaks, map[string][2]int{
		"vllm-direct": {64, 64}, "vllm-dspark": {32, 32}, "sglang-direct": {64, 64}, "sglang-dspark": {64, 64},
	})
}

func TestReportLimits(t *testing.T) {
	t.Parallel()
	k := launchData(t).kimi(t)
	mark := func(ttft, speed *bool) string {
		s := ""
		for _, b := range []*bool{ttft, speed} {
			switch {
			case b == nil:
				s += "?"
			case *b:
				s += "✓"
			default:
				s += "✗"
			}
		}
		return s
	}
	matrix := func(p string, corrected bool) []string {
		var out []string
		for _, c := range k[p].Compliances(reportSLO) {
			if corrected {
				out = append(out, mark(c.TTFTP90, c.SpeedSlow))
			} else {
				out = append(out, mark(c.TTFTP90, c.SpeedP90))
			}
		}
		return out
	}
	for p, want := range map[string][2][]string{
		"vllm-direct":   {{"✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✗✓"}, {"✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✗✓"}},
		"vllm-dspark":   {{"✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✗✓"}, {"✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✗✗"}},
		"sglang-direct": {{"✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✗✓", "✗✓"}, {"✓✓", "✓✓", "✓✓", "✓✓", "✓✓", "✗✓", "✗✓"}},
		"sglang-dspark": {{"✓✓", "✓✓", "✗✓", "✗✓", "✗✓", "✗✓", "✗✓"}, {"✓✓", "✓✓", "✗✓", "✗✓", "✗✗", "✗✗", "✗✗"}},
	} {
		equal(t, p+" as printed", matrix(p, false), want[0])
		equal(t, p+" by the slow tail", matrix(p, true), want[1])
	}
}

func TestReportUsers(t *testing.T) {
	t.Parallel()
	k := launchData(t).kimi(t)
	users := func(p string, b Basis) [2]int {
		u := k[p].UsersOf(b, reportSLO)
		return [2]int{u.Concurrency, int(math.Round(u.Users))}
	}
	for p, want := range map[string]map[Basis][2]int{
		"vllm-direct":   {BasisP90: {32, 427}, BasisMean: {64, 682}, BasisSlow: {32, 427}},
		"vllm-dspark":   {BasisP90: {32, 266}, BasisMean: {32, 266}, BasisSlow: {32, 266}},
		"sglang-direct": {BasisP90: {16, 261}, BasisMean: {64, 717}, BasisSlow: {16, 261}},
		"sglang-dspark": {BasisP90: {2, 59}, BasisMean: {32, 187}, BasisSlow: {2, 59}},
	} {
		for basis, n := range want {
			equal(t, p+" "+string(basis), users(p, basis), n)
		}
	}
}

func TestReportRatesAndConsistency(t *testing.T) {
	t.Parallel()
	k := launchData(t).kimi(t)
	for p, d := range k {
		for _, r := range d.Rates() {
			if math.Abs(*r.Slots-1) > 0.06 {
				t.Errorf("%s at %d: printed rate is that of %.3f slots", p, r.Concurrency, *r.Slots)
			}
		}
		c := d.Consistencies(reportSLO)
		if last := c[len(c)-1]; math.Abs(*last.Ratio-1) > 0.01 {
			t.Errorf("%s at %d: %.0f ms against %.0f ms", p, last.Concurrency, *last.SumMS, *last.LatencyMS)
		}
	}
	c := k["sglang-dspark"].Consistencies(reportSLO)[6]
	equal(t, "no anomaly at 64", [2]float64{rounded(*c.SumMS, 1), rounded(*c.LatencyMS, 1)}, [2]float64{9121.4, 9130})
	equal(t, "system rate", rounded(*k["vllm-direct"].Rates()[6].System, 2), 13.73)
}

// TestReportFindings checks what the audit says about the four bundles: the
// printed rate is one slot's, and the p90 of a speed is its good tail.
func TestReportFindings(t *testing.T) {
	t.Parallel()
	w := launchData(t)
	for i := range w.set.Boards {
		b := &w.set.Boards[i]
		if b.Key.Platform != "dgx-b300" {
			continue
		}
		for _, r := range b.Rows {
			count := map[audit.Code]int{}
			run := w.runs[r.ID]
			for _, f := range run.Findings {
				count[f.Code]++
			}
			equal(t, r.Config.Profile, count, map[audit.Code]int{audit.PerSlotRate: 6, audit.WrongTail: 1})
			if len(excluding(run.Findings, run.Tests[0].Slug, 6, metric.RequestRate)) != 1 {
				t.Errorf("%s: the rate at 64 is not excluded", r.Config.Profile)
			}
		}
	}
}
