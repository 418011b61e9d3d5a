package verdict

import (
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

func TestStatuses(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	chat := []bundle.Cell{
		closed(1024, 1024, 1, fig(metric.Decode, 40, 1)),
		closed(1024, 1024, 10, fig(metric.Decode, 40, 1)),
	}
	stop := &bundle.Stop{Reason: bundle.StopErrors}
	cases := []struct {
		name     string
		test     *bundle.Test
		slug     string
		want     contract.Completeness
		measured int
		missing  int
		counts   bool
		why      []string
		share    float64 // -1 when unknown
	}{
		{"both cells", &bundle.Test{Cells: chat}, "chat", contract.Complete, 2, 0, true, nil, -1},
		{"one cell", &bundle.Test{Cells: chat[:1]}, "chat", contract.StoppedEarly, 1, 1, true, nil, -1},
		{
			"a cell of another contract", &bundle.Test{Cells: []bundle.Cell{closed(512, 1024, 1, fig(metric.Decode, 1, 0))}}, "chat",
			contract.NoData, 0, 2, false,
			[]string{ReasonNoData},
			-1,
		},
		{
			"a cell without figures", &bundle.Test{Cells: []bundle.Cell{closed(1024, 1024, 1)}}, "chat",
			contract.NoData, 0, 2, false,
			[]string{ReasonNoData},
			-1,
		},
		{"not in the bundle", nil, "chat", contract.NoData, 0, 2, false, []string{ReasonNoData}, -1},
		{
			"one failure in 200", &bundle.Test{Cells: []bundle.Cell{arriving(0.3, 199, 1, single(metric.Output, 1))}}, "office-baseline",
			contract.Complete, 1, 0, true, nil, 0.995,
		},
		{
			"one failure in 250", &bundle.Test{Cells: []bundle.Cell{arriving(0.3, 249, 1, single(metric.Output, 1))}}, "sharegpt",
			contract.Complete, 1, 0, true, nil, 0.996,
		},
		{
			"exactly the threshold", &bundle.Test{Cells: []bundle.Cell{arriving(1.5, 297, 3, single(metric.Output, 1))}}, "monday-peak",
			contract.Complete, 1, 0, true, nil, 0.99,
		},
		{
			"one request below it", &bundle.Test{Cells: []bundle.Cell{arriving(1.5, 296, 4, single(metric.Output, 1))}}, "monday-peak",
			contract.Complete, 1, 0, false,
			[]string{ReasonBelowThreshold},
			296.0 / 300,
		},
		{
			"102 of 300 failed", &bundle.Test{Cells: []bundle.Cell{arriving(1.5, 198, 102, single(metric.Output, 1))}}, "monday-peak",
			contract.Complete, 1, 0, false,
			[]string{ReasonBelowThreshold},
			0.66,
		},
		{
			"outcome unknown", &bundle.Test{Cells: []bundle.Cell{{RequestRate: new(bundle.Rate(1.5)), Reported: []bundle.Figure{single(metric.Output, 1)}}}},
			"monday-peak", contract.Complete, 1, 0, false,
			[]string{ReasonSuccessUnknown},
			-1,
		},
		{
			"rate not named", &bundle.Test{Cells: []bundle.Cell{{Requests: &bundle.Requests{Completed: new(300), Failed: new(0)}}}},
			"monday-peak", contract.Complete, 1, 0, true, nil, 1,
		},
		{"a sweep of one rung", &bundle.Test{Cells: sweep(1000), Stopped: stop}, "rate-sweep", contract.StoppedEarly, 1, 5, true, nil, 1},
		{"a sweep of three", &bundle.Test{Cells: sweep(1, 2, 3), Stopped: stop}, "rate-sweep", contract.StoppedEarly, 3, 3, true, nil, 1},
		{"a sweep of none", &bundle.Test{Stopped: stop}, "rate-sweep", contract.NoData, 0, 6, false, []string{ReasonNoData}, -1},
		{"a whole sweep", &bundle.Test{Cells: sweep(1, 2, 3, 4, 5, 6)}, "rate-sweep", contract.Complete, 6, 0, true, nil, 1},
		{
			"a rung that failed", &bundle.Test{Cells: append(sweep(1, 2), arriving(0.3, 90, 10))}, "rate-sweep",
			contract.StoppedEarly, 3, 3, false,
			[]string{ReasonBelowThreshold},
			290.0 / 300,
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := &bundle.Bundle{}
			if tc.test != nil {
				tc.test.Slug = tc.slug
				b.Tests = []bundle.Test{*tc.test}
			}
			r := Of(b, c, nil, nil)
			s := r.Test(tc.slug)
			equal(t, "completeness", s.Completeness, tc.want)
			equal(t, "measured", s.Measured, tc.measured)
			equal(t, "missing", len(s.Missing), tc.missing)
			equal(t, "counts", s.Counts, tc.counts)
			equal(t, "reasons", codes(s.Reasons), tc.why)
			if tc.share < 0 {
				equal(t, "success known", s.Success.Known, false)
			} else if diff := s.Success.Share - tc.share; diff > 1e-12 || diff < -1e-12 {
				t.Errorf("share %v, want %v", s.Success.Share, tc.share)
			}
			if tc.test != nil {
				equal(t, "stopped", s.Stopped, tc.test.Stopped)
			}
		})
	}
}

func TestStatusesFollowTheContract(t *testing.T) {
	t.Parallel()
	b := &bundle.Bundle{Tests: []bundle.Test{
		{Slug: "extra", Cells: []bundle.Cell{closed(1, 1, 1, fig(metric.Decode, 1, 0))}},
		{Slug: "office-baseline", Cells: []bundle.Cell{arriving(0.3, 200, 0)}},
	}}
	var slugs []string
	var numbers []int
	for _, s := range Of(b, testContract(t), nil, nil).Tests {
		slugs = append(slugs, s.Slug)
		numbers = append(numbers, s.Number)
	}
	equal(t, "tests", slugs, []string{"chat", "big-context", "office-baseline", "sharegpt", "monday-peak", "rate-sweep", "extra"})
	equal(t, "numbers", numbers, []int{1, 2, 3, 4, 5, 6, 0})

	alone := Of(b, nil, nil, nil).Tests
	equal(t, "without a contract", len(alone), 2)
	equal(t, "nothing counts without a contract", alone[0].Counts, false)
	equal(t, "measured", alone[0].Measured, 1)
}

func TestValuesOfATestThatDoesNotCount(t *testing.T) {
	t.Parallel()
	r := Of(&bundle.Bundle{Tests: []bundle.Test{{Slug: "office-baseline", Cells: []bundle.Cell{
		arriving(0.3, 100, 100, tails(metric.TTFT, 500, 900)),
	}}}}, testContract(t), nil, nil)
	v := r.Value(Quantity{Test: "office-baseline", Metric: metric.TTFT, Statistic: P50})
	equal(t, "shown", v.Number, 500)
	equal(t, "ranks", v.Ranks(), false)
	equal(t, "kind", v.Kind(), Excluded)
	equal(t, "once, with the audit's reason", codes(v.Excluded), []string{"success_below_threshold"})
}
