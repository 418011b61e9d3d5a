package stat

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// A request of a made-up cell; moments in milliseconds, -1 for one that never came.
type request struct {
	repetition                         int
	due, queued, sent, first, last, at int64 // at: end of the answer
	in, out                            int64
	outcome                            string
}

// recorded puts requests into the columns of a cell.
func recorded(list []request) *bundle.Records {
	ms := func(v int64) *int64 {
		if v < 0 {
			return nil
		}
		return new(1000 * v)
	}
	count := func(v int64) *int64 {
		if v < 0 {
			return nil
		}
		return &v
	}
	r := &bundle.Records{}
	for _, q := range list {
		r.Repetition = append(r.Repetition, q.repetition)
		r.ScheduledUS = append(r.ScheduledUS, ms(q.due))
		r.QueuedUS = append(r.QueuedUS, ms(q.queued))
		r.SentUS = append(r.SentUS, ms(q.sent))
		r.FirstByteUS = append(r.FirstByteUS, ms(q.first))
		r.FirstTokenUS = append(r.FirstTokenUS, ms(q.first))
		r.FirstVisibleUS = append(r.FirstVisibleUS, ms(q.first))
		r.LastTokenUS = append(r.LastTokenUS, ms(q.last))
		r.DoneUS = append(r.DoneUS, ms(q.at))
		r.AskedPromptTokens = append(r.AskedPromptTokens, q.in)
		r.AskedOutputTokens = append(r.AskedOutputTokens, q.out)
		r.PromptTokens = append(r.PromptTokens, count(q.in))
		r.CompletionTokens = append(r.CompletionTokens, count(q.out))
		r.Chunks = append(r.Chunks, max(q.out, 0))
		r.Outcome = append(r.Outcome, q.outcome)
	}
	return r
}

// closedCell has two slots and two repetitions of two requests each. The second
// request of the second repetition failed.
func closedCell() *bundle.Cell {
	return &bundle.Cell{
		PromptTokens: 100, OutputTokens: 11, Concurrency: 2, Runs: 2,
		Records: recorded([]request{
			{0, 0, 0, 0, 100, 600, 600, 100, 11, bundle.OutcomeOK},
			{0, 0, 0, 1, 200, 700, 701, 100, 11, bundle.OutcomeOK},
			{0, 600, 0, 600, 800, 1300, 1301, 100, 11, bundle.OutcomeOK},
			{0, 701, 0, 701, 1001, 2001, 2001, 100, 11, bundle.OutcomeOK},
			{1, 3000, 0, 3000, 3100, 3600, 3600, 100, 11, bundle.OutcomeOK},
			{1, 3000, 0, 3000, -1, -1, 9000, 100, 11, bundle.OutcomeTimeout},
		}),
		Gaps:     bundle.HistogramOf([]int64{50000, 50000, 50000, 100000}),
		EnergyMJ: new(int64(110000)),
		Draft:    &bundle.DraftStat{Drafts: 10, DraftTokens: 30, AcceptedTokens: 15},
	}
}

// openCell has three requests, one of which waited for a place.
func openCell() *bundle.Cell {
	return &bundle.Cell{
		RequestRate: new(bundle.Rate(1)), MaxConcurrency: 1,
		Records: recorded([]request{
			{0, 500, 0, 500, 600, 1000, 1000, 10, 5, bundle.OutcomeOK},
			{0, 700, 300, 1000, 1100, 1500, 1500, 20, 6, bundle.OutcomeOK},
			{0, 900, -1, -1, -1, -1, -1, 30, -1, bundle.OutcomeUnsent},
		}),
	}
}

// line prints a figure.
func line(f bundle.Figure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s]", f.Name, f.Unit)
	for _, v := range []struct {
		name  string
		value *float64
	}{{"value", f.Value}, {"mean", f.Mean}, {f.StdKind, f.Std}, {"min", f.Min}, {"median", f.Median}, {"max", f.Max}} {
		if v.value != nil {
			fmt.Fprintf(&b, " %s=%.6g", v.name, *v.value)
		}
	}
	for _, p := range f.Percentiles {
		fmt.Fprintf(&b, " p%g=%.6g", p.P, p.Value)
	}
	if f.N > 0 {
		fmt.Fprintf(&b, " n=%d", f.N)
	}
	if len(f.Values) > 0 {
		fmt.Fprintf(&b, " of=%.6g", f.Values)
	}
	return b.String()
}

// Each figure of a closed loop, computed by hand.
func TestDeriveClosedLoop(t *testing.T) {
	t.Parallel()
	want := []string{
		// Samples 100, 199, 200, 300, 100.
		"ttft_ms [ms] mean=179.8 sample=83.6074 min=100 median=199 max=300 p50=199 p90=260 p95=280 p99=296 n=5",
		// 500/10 four times, 1000/10 once.
		"tpot_ms [ms] mean=60 sample=22.3607 min=50 median=50 max=100 p50=50 p90=80 p95=90 p99=98 n=5",
		// 250000 µs / 4; three of four gaps lie in the bucket from 49664 to 50176.
		"itl_ms [ms] mean=62.5 median=50.0053 p50=50.0053 p90=99.9424 p95=100.147 p99=100.311 n=4",
		"e2e_ms [ms] mean=779.8 sample=295.026 min=600 median=699 max=1300 p50=699 p90=1060 p95=1180 p99=1276 n=5",
		// The first two answers of the first repetition: 200 tokens in 200 ms. The one answer of the second: 100 in 100.
		"prefill_tok_per_s [tok/s] mean=1000 sample=0 n=2 of=[1000 1000]",
		// (44−4)/(2001−100 ms); (11−1)/(3600−3100 ms).
		"decode_tok_per_s [tok/s] mean=20.5208 sample=0.736492 n=2 of=[21.0416 20]",
		"decode_req_tok_per_s [tok/s] mean=18 sample=4.47214 min=10 median=20 max=20 p1=10.4 p5=12 p10=14 p50=20 p90=20 p95=20 p99=20 n=5",
		// 44/2.001 s; 11/0.6 s.
		"output_tok_per_s [tok/s] mean=20.1612 sample=2.58495 n=2 of=[21.989 18.3333]",
		// 11 tokens in 0.6, 0.699, 0.7, 1.3 and 0.6 s.
		"output_req_tok_per_s [tok/s] mean=15.3159 sample=4.04747 min=8.46154 median=15.7368 max=18.3333 p1=8.75165 p5=9.91209 p10=11.3626 p50=15.7368 p90=18.3333 p95=18.3333 p99=18.3333 n=5",
		// 444/2.001 s; 111/0.6 s.
		"total_tok_per_s [tok/s] mean=203.445 sample=26.0845 n=2 of=[221.889 185]",
		// 4/2.001 s; 1/0.6 s.
		"req_per_s [req/s] mean=1.83283 sample=0.234996 n=2 of=[1.999 1.66667]",
		"peak_concurrency [req] value=2",
		// To the last answer, not to the request that failed.
		"duration_s [s] mean=1.3005 sample=0.990657 n=2 of=[2.001 0.6]",
		"acceptance_ratio [ratio] value=0.5",
		"acceptance_length [tok/step] value=2.5",
		// 110 J / 55 tokens.
		"energy_j_per_tok [J/tok] value=2",
	}
	check(t, Figures(closedCell()), want)
}

// Each figure of an open loop, computed by hand.
func TestDeriveOpenLoop(t *testing.T) {
	t.Parallel()
	want := []string{
		"ttft_ms [ms] mean=100 sample=0 min=100 median=100 max=100 p50=100 p90=100 p95=100 p99=100 n=2",
		"ttft_scheduled_ms [ms] mean=250 sample=212.132 min=100 median=250 max=400 p50=250 p90=370 p95=385 p99=397 n=2",
		"queue_ms [ms] mean=150 sample=212.132 min=0 median=150 max=300 p50=150 p90=270 p95=285 p99=297 n=2",
		"tpot_ms [ms] mean=90 sample=14.1421 min=80 median=90 max=100 p50=90 p90=98 p95=99 p99=99.8 n=2",
		"e2e_ms [ms] mean=500 sample=0 min=500 median=500 max=500 p50=500 p90=500 p95=500 p99=500 n=2",
		"e2e_scheduled_ms [ms] mean=650 sample=212.132 min=500 median=650 max=800 p50=650 p90=770 p95=785 p99=797 n=2",
		// 9 tokens after the first, from 600 to 1500 ms.
		"decode_tok_per_s [tok/s] value=10",
		"decode_req_tok_per_s [tok/s] mean=11.25 sample=1.76777 min=10 median=11.25 max=12.5 p1=10.025 p5=10.125 p10=10.25 p50=11.25 p90=12.25 p95=12.375 p99=12.475 n=2",
		"output_tok_per_s [tok/s] value=7.33333",
		"output_req_tok_per_s [tok/s] mean=11 sample=1.41421 min=10 median=11 max=12 p1=10.02 p5=10.1 p10=10.2 p50=11 p90=11.8 p95=11.9 p99=11.98 n=2",
		"total_tok_per_s [tok/s] value=27.3333",
		"req_per_s [req/s] value=1.33333",
		"peak_concurrency [req] value=1",
		"duration_s [s] value=1.5",
	}
	check(t, Figures(openCell()), want)
}

func check(t *testing.T, figures []bundle.Figure, want []string) {
	t.Helper()
	var got []string
	for _, f := range figures {
		got = append(got, line(f))
		if string(f.Metric) != f.Name {
			t.Errorf("the figure %s has the name %q", f.Metric, f.Name)
		}
	}
	for i := range max(len(got), len(want)) {
		g, w := "none", "none"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("figure %d:\n got %s\nwant %s", i, g, w)
		}
	}
}

// What is unknown stays missing.
func TestDeriveUnknown(t *testing.T) {
	t.Parallel()
	has := func(c *bundle.Cell, key metric.Key) bool {
		return slices.ContainsFunc(Figures(c), func(f bundle.Figure) bool { return f.Metric == key })
	}
	cases := []struct {
		name    string
		edit    func(*bundle.Cell)
		missing []metric.Key
		there   []metric.Key
	}{
		{
			"output tokens", func(c *bundle.Cell) {
				for i := range c.Records.CompletionTokens {
					c.Records.CompletionTokens[i] = nil
				}
			},
			[]metric.Key{metric.Output, metric.Total, metric.Decode, metric.TPOT, metric.DecodeRequest, metric.Energy},
			[]metric.Key{metric.TTFT, metric.Prefill, metric.RequestRate, metric.Duration},
		},
		{
			"prompt tokens", func(c *bundle.Cell) { c.Records.PromptTokens[0], c.Records.PromptTokens[4] = nil, nil },
			[]metric.Key{metric.Prefill, metric.Total},
			[]metric.Key{metric.Output, metric.Decode},
		},
		{
			"no answer", func(c *bundle.Cell) {
				for i := range c.Records.Outcome {
					c.Records.Outcome[i] = bundle.OutcomeHTTPStatus
				}
				c.Gaps, c.Draft = nil, nil
			},
			[]metric.Key{metric.TTFT, metric.Output, metric.RequestRate, metric.Duration, metric.ITL, metric.Energy, metric.AcceptanceRate},
			[]metric.Key{metric.PeakConcurrency},
		},
		{
			"a column too short", func(c *bundle.Cell) { c.Records.SentUS = c.Records.SentUS[1:] },
			[]metric.Key{metric.TTFT, metric.PeakConcurrency},
			nil,
		},
		{"closed loop", func(*bundle.Cell) {}, []metric.Key{metric.TTFTScheduled, metric.Queue, metric.PrefillRequest, metric.TTFR}, nil},
	}
	for _, c := range cases {
		cell := closedCell()
		c.edit(cell)
		for _, key := range c.missing {
			if has(cell, key) {
				t.Errorf("%s: %s is there", c.name, key)
			}
		}
		for _, key := range c.there {
			if !has(cell, key) {
				t.Errorf("%s: %s is missing", c.name, key)
			}
		}
	}
	if Figures(&bundle.Cell{}) != nil {
		t.Error("a cell without records has figures")
	}
	// A sum without one of its counts is unknown for that repetition alone.
	cell := closedCell()
	cell.Records.CompletionTokens[1] = nil
	for _, f := range Figures(cell) {
		if f.Metric == metric.Output && fmt.Sprintf("%.3f", f.Values) != "[18.333]" {
			t.Errorf("output = %v, want that of the second repetition", f.Values)
		}
	}
}

// shuffled returns the requests of a cell in another order.
func shuffled(c *bundle.Cell, order []int) *bundle.Cell {
	out := *c
	r, s := c.Records, &bundle.Records{}
	for _, i := range order {
		s.Repetition = append(s.Repetition, r.Repetition[i])
		s.ScheduledUS = append(s.ScheduledUS, r.ScheduledUS[i])
		s.QueuedUS = append(s.QueuedUS, r.QueuedUS[i])
		s.SentUS = append(s.SentUS, r.SentUS[i])
		s.FirstTokenUS = append(s.FirstTokenUS, r.FirstTokenUS[i])
		s.LastTokenUS = append(s.LastTokenUS, r.LastTokenUS[i])
		s.DoneUS = append(s.DoneUS, r.DoneUS[i])
		s.PromptTokens = append(s.PromptTokens, r.PromptTokens[i])
		s.CompletionTokens = append(s.CompletionTokens, r.CompletionTokens[i])
		s.Outcome = append(s.Outcome, r.Outcome[i])
	}
	out.Records = s
	return &out
}

// randomCell returns a cell of some requests with moments in order.
func randomCell(rng *rand.Rand) (*bundle.Cell, []request) {
	var list []request
	for range 1 + rng.IntN(20) {
		due := rng.Int64N(5000)
		queued := rng.Int64N(50)
		sent := due + queued + rng.Int64N(3)
		first := sent + 1 + rng.Int64N(500)
		last := first + rng.Int64N(2000)
		list = append(list, request{
			rng.IntN(3), due, queued, sent, first, last, last + rng.Int64N(3), 1 + rng.Int64N(100), 1 + rng.Int64N(100), bundle.OutcomeOK,
		})
	}
	c := &bundle.Cell{Records: recorded(list)}
	if rng.IntN(2) == 0 {
		c.RequestRate = new(bundle.Rate(2))
	}
	return c, list
}

// The order of requests changes nothing, and one that failed changes no figure but
// the number in flight. All figures are valid ones.
func TestDeriveProperties(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	whole := example(t)
	for range 400 {
		c, list := randomCell(rng)
		want := Figures(c)
		whole.Tests[0].Cells = []bundle.Cell{{Reported: want}}
		if err := bundle.Validate(whole); err != nil {
			t.Fatal(err)
		}
		if got := Figures(shuffled(c, rng.Perm(len(list)))); !reflect.DeepEqual(got, want) {
			t.Fatalf("the order of requests matters:\n%v\n%v", got, want)
		}
		due := list[0].due
		failed := append(list, request{list[0].repetition, due, 0, due, due + 1, -1, due + 90000, 7, -1, bundle.OutcomeTruncated})
		d := *c
		d.Records = recorded(failed)
		without := func(list []bundle.Figure) []bundle.Figure {
			return slices.DeleteFunc(slices.Clone(list), func(f bundle.Figure) bool { return f.Metric == metric.PeakConcurrency })
		}
		if got := without(Figures(&d)); !reflect.DeepEqual(got, without(want)) {
			t.Fatalf("a failed request changes figures:\n%v\n%v", got, want)
		}
		for _, f := range want {
			if m, ok := metric.Lookup(f.Metric); !ok || m.Unit != f.Unit {
				t.Fatalf("%s has the unit %s", f.Metric, f.Unit)
			}
		}
	}
}

// example returns a whole run that is valid.
func example(t *testing.T) *bundle.Bundle {
	t.Helper()
	const name = "../bundle/testdata/run.json"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Decode(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A whole run with its figures is a valid bundle, and the figures encode.
func TestWithFiguresIsValid(t *testing.T) {
	t.Parallel()
	b := WithFigures(example(t))
	if n := len(b.Tests[0].Cells[0].Reported); n < 10 {
		t.Fatalf("%d figures", n)
	}
	if err := bundle.Validate(b); err != nil {
		t.Error(err)
	}
	if _, err := bundle.Encode(b); err != nil {
		t.Error(err)
	}
}

func TestWithFigures(t *testing.T) {
	t.Parallel()
	own := func() *bundle.Bundle {
		compat := *closedCell()
		compat.Reported = []bundle.Figure{{Metric: metric.TTFT, Name: "mean_ttft_ms", Unit: metric.Millisecond, Value: new(1.0)}}
		return &bundle.Bundle{Kind: bundle.Run, Tests: []bundle.Test{
			{Slug: "chat", Cells: []bundle.Cell{*closedCell(), compat}},
			{Slug: "none"},
			{Slug: "office", Cells: []bundle.Cell{*openCell()}},
		}}
	}
	in := own()
	out := WithFigures(in)
	if !reflect.DeepEqual(in, own()) {
		t.Error("the input was changed")
	}
	if got := len(out.Tests[0].Cells[0].Reported); got != 16 {
		t.Errorf("%d figures, want 16", got)
	}
	if got := out.Tests[0].Cells[1]; len(got.Reported) != 1 || got.Requests != nil {
		t.Error("figures in a tool's own terms were touched")
	}
	r, k := out.Tests[0].Cells[0].Requests, out.Tests[0].Cells[0].Tokens
	if *r.Planned != 6 || *r.Completed != 5 || *r.Failed != 1 || *k.Input != 500 || *k.Output != 55 {
		t.Errorf("requests %d, %d, %d and tokens %d, %d", *r.Planned, *r.Completed, *r.Failed, *k.Input, *k.Output)
	}
	if r := out.Tests[2].Cells[0].Requests; *r.Planned != 3 || *r.Completed != 2 || *r.Failed != 1 {
		t.Errorf("open loop: requests %d, %d, %d", *r.Planned, *r.Completed, *r.Failed)
	}
	if again := WithFigures(out); again != out {
		t.Error("a bundle that lacks nothing was copied")
	}
	imported := &bundle.Bundle{Tests: []bundle.Test{{Cells: []bundle.Cell{{Concurrency: 1}}}}}
	if WithFigures(imported) != imported || WithFigures(nil) != nil {
		t.Error("an import was copied")
	}
}

func TestTTFTByTurn(t *testing.T) {
	t.Parallel()
	c := closedCell() // TTFTs of 100, 199, 200, 300 and 100 ms; the last request failed
	if TTFTByTurn(c) != nil || TTFTByTurn(&bundle.Cell{}) != nil {
		t.Error("turns without conversations")
	}
	c.Records.Turn = []int{1, 1, 2, 2, 1, 3}
	var got []string
	for _, s := range TTFTByTurn(c) {
		m := "-"
		if s.Median != nil {
			m = fmt.Sprint(*s.Median)
		}
		got = append(got, fmt.Sprint(s.N, " ", m))
	}
	if want := []string{"3 100", "2 250", "0 -"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, odd := range [][]int{{0, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 7}, {1}} {
		if c.Records.Turn = odd; TTFTByTurn(c) != nil {
			t.Errorf("turns %v have figures", odd)
		}
	}
}
