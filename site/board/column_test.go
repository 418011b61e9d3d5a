package board

import (
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

func TestColumns(t *testing.T) {
	t.Parallel()
	type brief struct {
		ID, Test    string
		Metric      metric.Key
		Statistic   verdict.Statistic
		Prompt, C   int
		LimitMS     int
		RequestRate float64
	}
	var got []brief
	for _, c := range Columns(testContract(t)) {
		got = append(got, brief{c.ID, c.Test, c.Metric, c.Statistic, c.PromptTokens, c.Concurrency, c.LimitMS, c.RequestRate})
	}
	equal(t, "columns", got, []brief{
		{"one_user", "chat", metric.DecodeRequest, verdict.Mean, 0, 1, 0, 0},
		{"many_users", "chat", metric.Decode, verdict.Mean, 0, 10, 0, 0},
		{"ttft", "office-baseline", metric.TTFT, verdict.P50, 0, 0, 0, 0},
		{"ttft_tail", "office-baseline", metric.TTFT, verdict.P95, 0, 0, 0, 0},
		{"ttft_one_user", "chat", metric.TTFT, verdict.Mean, 0, 1, 0, 0},
		{"capacity_2000", "rate-sweep", metric.Capacity, verdict.Single, 0, 0, 2000, 0},
		{"capacity_5000", "rate-sweep", metric.Capacity, verdict.Single, 0, 0, 5000, 0},
		{"capacity_10000", "rate-sweep", metric.Capacity, verdict.Single, 0, 0, 10000, 0},
		{"chat/decode_tok_per_s", "chat", metric.Decode, verdict.Mean, 1024, 10, 0, 0},
		{"chat/ttft_ms", "chat", metric.TTFT, verdict.Mean, 1024, 1, 0, 0},
		{"big-context/decode_tok_per_s", "big-context", metric.Decode, verdict.Mean, 25000, 10, 0, 0},
		{"big-context/ttft_ms", "big-context", metric.TTFT, verdict.Mean, 25000, 1, 0, 0},
		{"office-baseline/ttft_ms/p50", "office-baseline", metric.TTFT, verdict.P50, 0, 0, 0, 0},
		{"office-baseline/ttft_ms/p95", "office-baseline", metric.TTFT, verdict.P95, 0, 0, 0, 0},
		{"office-baseline/decode_req_tok_per_s", "office-baseline", metric.DecodeRequest, verdict.P50, 0, 0, 0, 0},
		{"sharegpt/ttft_ms/p50", "sharegpt", metric.TTFT, verdict.P50, 0, 0, 0, 0},
		{"sharegpt/ttft_ms/p95", "sharegpt", metric.TTFT, verdict.P95, 0, 0, 0, 0},
		{"sharegpt/decode_req_tok_per_s", "sharegpt", metric.DecodeRequest, verdict.P50, 0, 0, 0, 0},
		{"monday-peak/ttft_ms/p95", "monday-peak", metric.TTFT, verdict.P95, 0, 0, 0, 0},
		{"monday-peak/peak_concurrency", "monday-peak", metric.PeakConcurrency, verdict.Single, 0, 0, 0, 0},
	})
}

func TestColumnByID(t *testing.T) {
	t.Parallel()
	b := Board{Columns: Columns(testContract(t))}
	for id, want := range map[string]string{
		"one_user":                    "one_user",
		"office-baseline/ttft_ms/p95": "office-baseline/ttft_ms/p95",
		"office-baseline/ttft_ms":     "office-baseline/ttft_ms/p50",
		"office-baseline/ttft":        "",
		"":                            "",
	} {
		got, ok := b.Column(id)
		if got.ID != want || ok != (want != "") {
			t.Errorf("Column(%q) = %q, %v, want %q", id, got.ID, ok, want)
		}
	}
}

// TestValue looks at one value of each kind.
func TestValue(t *testing.T) {
	t.Parallel()
	tpot := tails(metric.TPOT, 40, 80)
	tpot.N = 200
	b := &build(t, run{model: "o/m", profile: "p", speed: 20, std: 0.5, total: 150, change: func(b *bundle.Bundle) {
		failed := closed(25000, 256, 1, fig(metric.TTFT, 0, 0))
		failed.Requests = &bundle.Requests{Completed: new(0), Failed: new(3)}
		b.Tests = append(b.Tests,
			bundle.Test{Slug: "big-context", Cells: []bundle.Cell{
				closed(4096, 256, 1, fig(metric.TTFT, 7, 1)), closed(4096, 256, 10, fig(metric.Decode, 7, 1)), failed,
			}},
			bundle.Test{Slug: "office-baseline", Cells: []bundle.Cell{
				arriving(0.3, 200, 0, tails(metric.TTFT, 500, 900), tpot),
			}},
			bundle.Test{Slug: "sharegpt", Cells: []bundle.Cell{arriving(0.3, 250, 0, single(metric.Output, 50))}})
	}}).Boards[0]
	row := &b.Rows[0]
	get := func(id string) verdict.Value {
		c, ok := b.Column(id)
		if !ok {
			t.Fatalf("no column %q", id)
		}
		return b.Value(row, c)
	}
	one := get("one_user")
	equal(t, "one user", one.Number, 20)
	equal(t, "its spread", *one.Spread, verdict.Spread{Number: 0.5, Kind: "population", Of: verdict.Repetitions})
	equal(t, "its place", [2]int{one.At.Cell, one.At.Concurrency}, [2]int{0, 1})
	equal(t, "many users", get("many_users").Number, 150)
	equal(t, "p95", get("ttft_tail").Number, 900)
	equal(t, "spread of a percentile", get("ttft_tail").Spread, (*verdict.Spread)(nil))

	speed := get("office-baseline/decode_req_tok_per_s")
	equal(t, "speed from time per token", speed.Number, 25)
	equal(t, "computed from", speed.Derived, metric.TPOT)
	equal(t, "unit", speed.Unit, metric.TokensPerS)
	equal(t, "n", speed.N, 200)

	for id, want := range map[string]verdict.Missing{
		"sharegpt/ttft_ms":             verdict.NotReported,
		"sharegpt/decode_req":          "", // no such column
		"big-context/ttft_ms":          verdict.AllFailed,
		"big-context/decode_tok_per_s": verdict.NotMeasured,
		"monday-peak/ttft_ms":          verdict.NoData,
		"capacity_5000":                verdict.NoData,
	} {
		c, ok := b.Column(id)
		if !ok {
			equal(t, id, want, "")
			continue
		}
		v := b.Value(row, c)
		equal(t, id+" is unknown", v.Known, false)
		equal(t, id, v.Missing, want)
		equal(t, id+" has no number", v.Number, 0)
		equal(t, id+" does not rank", v.Ranks(), false)
	}
	equal(t, "unheard-of column", b.Value(row, Column{ID: "none"}).Missing, verdict.NotInContract)
	equal(t, "values per column", len(row.Values), 20)
}
