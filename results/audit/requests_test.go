package audit

import (
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// all200 is the number of output tokens of 200 random requests with seed 42, mean
// length 500 and ratio 0.9.
const all200 = 97092

func TestSuccessBelowThreshold(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name              string
		completed, failed int
		below             bool
	}{
		{"all", 200, 0, false},
		{"one of 200", 199, 1, false},
		{"one of 250", 249, 1, false},
		{"exactly the threshold", 198, 2, false},
		{"just below", 197, 3, true},
		{"102 of 300", 198, 102, true},
		{"none at all", 0, 0, false}, // nothing is known about no request
	}
	for _, c := range cases {
		in := Input{Bundle: of("office-baseline", arriving(0.3, c.completed, c.failed, all200)), Contract: testContract(t)}
		var want []brief
		if c.below {
			want = []brief{{SuccessBelowThreshold, Error, "office-baseline", 0}}
		}
		got := successBelowThreshold(in)
		t.Run(c.name, func(t *testing.T) { wantFindings(t, got, want...) })
		if c.below && arg(t, got[0], "requests").Number != float64(c.completed+c.failed) {
			t.Errorf("%s: args %v", c.name, got[0].Args)
		}
	}
}

func TestSuccessNeedsAnOpenLoopOfTheContract(t *testing.T) {
	t.Parallel()
	cell := closed(10)
	cell.Requests = &bundle.Requests{Completed: new(5), Failed: new(5)}
	wantFindings(t, successBelowThreshold(Input{Bundle: of("chat", cell), Contract: testContract(t)}))
	wantFindings(t, successBelowThreshold(Input{Bundle: of("office-baseline", arriving(0.3, 1, 1, 1))}))
}

func TestSuccessCountsAgainstTheContract(t *testing.T) {
	t.Parallel()
	cell := arriving(0.3, 150, 0, 1) // the source counts only what completed
	cell.Requests.Failed = nil
	wantFindings(t, successBelowThreshold(Input{Bundle: of("office-baseline", cell), Contract: testContract(t)}),
		brief{SuccessBelowThreshold, Error, "office-baseline", 0})
}

func TestAllRequestsFailed(t *testing.T) {
	t.Parallel()
	in := Input{Bundle: of("rate-sweep",
		arriving(0.1, 100, 0, 49146), arriving(0.2, 0, 100, 0, fig(metric.TTFT, 0, 0)), arriving(0.3, 0, 0, 0))}
	wantFindings(t, allRequestsFailed(in), brief{AllRequestsFailed, Error, "rate-sweep", 1})
}

func TestZeroTTFT(t *testing.T) {
	t.Parallel()
	in := Input{Bundle: of("rate-sweep",
		arriving(0.1, 100, 0, 1, fig(metric.TTFT, 12, 0)),
		arriving(0.2, 100, 0, 1, fig(metric.TTFT, 0, 0)),
		arriving(0.3, 0, 100, 0, fig(metric.TTFT, 0, 0)), // another rule's
	)}
	got := zeroTTFT(in)
	wantFindings(t, got, brief{ZeroTTFT, Error, "rate-sweep", 1})
	if !got[0].Concerns("rate-sweep", 1, metric.TTFT) || got[0].Concerns("rate-sweep", 1, metric.ITL) {
		t.Errorf("concerns %v, want TTFT alone", got[0].Metrics)
	}
}

func TestOutputTokensMismatch(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name              string
		completed, failed int
		tokens            int64
		want              Severity // empty for none
	}{
		{"as the seed says", 200, 0, all200, ""},
		{"one failed", 199, 1, all200 - 86, Info},
		{"a stream broke off", 200, 0, all200 - 86, Warning},
		{"too many tokens", 200, 0, all200 + 5, Warning},
		{"one percent", 200, 0, all200 - 970, Warning},
		{"more than one percent", 200, 0, all200 - 972, Error},
		{"stops early", 200, 0, 79794, Error},
		{"102 of 300 failed", 198, 102, 60000, Error},
		{"all failed", 0, 200, 0, ""}, // another rule's
	}
	for _, c := range cases {
		in := Input{Bundle: of("office-baseline", arriving(0.3, c.completed, c.failed, c.tokens)), Contract: testContract(t)}
		var want []brief
		if c.want != "" {
			want = []brief{{OutputTokensMismatch, c.want, "office-baseline", 0}}
		}
		got := outputTokensMismatch(in)
		t.Run(c.name, func(t *testing.T) { wantFindings(t, got, want...) })
		if len(got) == 1 && arg(t, got[0], "expected").Number != all200 {
			t.Errorf("%s: expected %v tokens, want %d", c.name, arg(t, got[0], "expected").Number, all200)
		}
	}
}

func TestOutputTokensNeedARung(t *testing.T) {
	t.Parallel()
	in := Input{Bundle: of("rate-sweep", arriving(0.1, 100, 0, 49146), arriving(0.4, 100, 0, 1)), Contract: testContract(t)}
	wantFindings(t, outputTokensMismatch(in)) // 0.4 is no rung of the contract
}
