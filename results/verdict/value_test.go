package verdict

import (
	"math"
	"testing"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

func TestValue(t *testing.T) {
	t.Parallel()
	seconds := 1.27
	b := &Test{Test: &bundle.Test{Slug: "load", Cells: []bundle.Cell{closed(128, 128, 1,
		bundle.Figure{Metric: metric.E2E, Unit: metric.Second, Mean: &seconds, Approximate: true},
		bundle.Figure{Metric: metric.TTFT, Unit: metric.Tokens, Mean: &seconds},
		bundle.Figure{Metric: metric.ITL, Unit: metric.Millisecond, Mean: new(math.NaN())},
		fig(metric.Decode, 40, 1),
	)}}}
	v := b.Value(0, metric.E2E, Mean)
	equal(t, "in the metric's unit", v.Number, 1270)
	equal(t, "approximate", v.Approximate, true)
	equal(t, "a unit that does not fit", b.Value(0, metric.TTFT, Mean).Missing, NotReported)
	equal(t, "no number", b.Value(0, metric.ITL, Mean).Missing, NotReported)
	equal(t, "another statistic", b.Value(0, metric.E2E, P95).Missing, NotReported)
	equal(t, "no such cell", b.Value(1, metric.E2E, Mean).Missing, NotMeasured)
	idle := &Test{Test: &bundle.Test{Cells: []bundle.Cell{arriving(1, 1, 0, tails(metric.TPOT, 0, 0))}}}
	equal(t, "no speed from no time", idle.Value(0, metric.DecodeRequest, P50).Missing, NotReported)
	equal(t, "a single request is its batch", b.Value(0, metric.DecodeRequest, Mean).Number, 40)
}

// A value carries every finding about it; only those of severity error exclude it.
func TestErrorsExclude(t *testing.T) {
	t.Parallel()
	chat := Test{
		Status: Status{Slug: "chat"},
		Test:   &bundle.Test{Slug: "chat", Cells: []bundle.Cell{closed(1024, 1024, 1, fig(metric.TTFT, 90, 1))}},
		findings: []audit.Finding{
			{Code: audit.HighVariation, Severity: audit.Warning, Test: "chat", Cell: audit.WholeTest},
			{Code: audit.ZeroTTFT, Severity: audit.Error, Test: "chat", Metrics: []metric.Key{metric.TTFT}},
			{Code: audit.ZeroTTFT, Severity: audit.Error, Test: "chat", Cell: 1},
			{Code: audit.PerSlotRate, Severity: audit.Error, Test: "chat", Metrics: []metric.Key{metric.RequestRate}},
		},
	}
	v := chat.Value(0, metric.TTFT, Mean)
	equal(t, "findings", len(v.Findings), 2)
	equal(t, "excluded by", codes(v.Excluded), []string{"zero_ttft"})
	equal(t, "kind", v.Kind(), Excluded)
}

func TestValuesThatNobodyAskedFor(t *testing.T) {
	t.Parallel()
	b := &bundle.Bundle{Tests: []bundle.Test{{Slug: "chat", Cells: []bundle.Cell{closed(1024, 1024, 1, fig(metric.TTFT, 90, 1))}}}}
	r := Of(b, testContract(t), nil, nil)
	equal(t, "unheard-of test", r.Value(Quantity{Test: "none", Metric: metric.TTFT}).Missing, NotInContract)
	equal(t, "unheard-of cell", r.Value(Quantity{Test: "chat", Metric: metric.TTFT, Concurrency: 3}).Missing, NotInContract)
	alone := Of(b, nil, nil, nil)
	equal(t, "without a contract", alone.Value(Quantity{Test: "chat", Metric: metric.TTFT}).Missing, NoContract)
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value Value
		want  Kind
	}{
		{Value{Known: true, Bound: Exact}, Exact},
		{Value{Known: true, Bound: AtLeast}, AtLeast},
		{Value{Known: true, Bound: LastMeasured}, LastMeasured},
		{Value{Known: true, Bound: Overloaded}, Overloaded},
		{Value{Known: true, Bound: AtLeast, Excluded: []Reason{{Code: "x"}}}, Excluded},
		{Value{Missing: NoRung}, Exact},
		{Value{Missing: NoRung, Excluded: []Reason{{Code: "x"}}}, Excluded},
		{Value{Missing: NotReported}, Unmeasured},
	} {
		if got := c.value.Kind(); got != c.want {
			t.Errorf("%+v is %q, want %q", c.value, got, c.want)
		}
	}
}
