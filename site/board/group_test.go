package board

import (
	"fmt"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// ranks returns "profile:rank" in the order of the board.
func ranks(b Board) []string {
	var out []string
	for _, r := range b.Rows {
		out = append(out, fmt.Sprintf("%s:%d", r.Config.Profile, r.Rank))
	}
	return out
}

func speeds(pairs ...[2]float64) []run {
	var out []run
	for i, p := range pairs {
		out = append(out, run{model: "o/m", profile: string(rune('a' + i)), speed: p[0], std: p[1], total: 1})
	}
	return out
}

func TestGroups(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		runs []run
		want []string
	}{
		{"apart", speeds([2]float64{30, 0.1}, [2]float64{20, 0.1}, [2]float64{10, 0.1}), []string{"a:1", "b:2", "c:3"}},
		{
			"within the method's noise", speeds([2]float64{100, 0.1}, [2]float64{98.1, 0.1}, [2]float64{97.9, 0.1}),
			[]string{"a:1", "b:1", "c:3"},
		},
		{
			"no chain from end to end", speeds([2]float64{100, 0}, [2]float64{98.5, 0}, [2]float64{97, 0}, [2]float64{95.5, 0}),
			[]string{"a:1", "b:1", "c:3", "d:3"},
		},
		{"spreads touch", speeds([2]float64{30, 3}, [2]float64{25, 2}, [2]float64{20, 1}), []string{"a:1", "b:1", "c:3"}},
		{
			"an uncertain row holds nobody else together", speeds([2]float64{20.7, 12.5}, [2]float64{20.5, 0.1}, [2]float64{15, 0.1}, [2]float64{10, 0.1}),
			[]string{"a:1", "b:1", "c:3", "d:4"},
		},
	}
	for _, c := range cases {
		b := build(t, c.runs...).Boards[0]
		equal(t, c.name, ranks(b), c.want)
	}
}

func TestGroupsSayWhy(t *testing.T) {
	t.Parallel()
	b := build(t, speeds([2]float64{100, 0}, [2]float64{99, 0}, [2]float64{60, 5}, [2]float64{56, 0}, [2]float64{30, 0})...).Boards[0]
	type why struct {
		Rank             int
		Rows             []int
		Method, Spread   bool
		Above, Below     int
		Difference, Tol_ float64
	}
	var got []why
	for i, g := range b.Groups {
		w := why{Rank: g.Rank, Rows: g.Rows, Method: g.ByMethod, Spread: g.BySpread, Above: -1, Below: -1}
		if s := g.Separation; s != nil {
			w.Above, w.Below, w.Difference, w.Tol_ = s.Above, s.Below, s.Difference, s.Tolerance
		}
		got = append(got, w)
		for _, r := range g.Rows {
			equal(t, "group of a row", b.Rows[r].Group, i)
		}
	}
	equal(t, "groups", got, []why{
		{1, []int{0, 1}, true, false, -1, -1, 0, 0},
		{3, []int{2, 3}, false, true, 1, 2, 39, 5},
		{5, []int{4}, false, false, 3, 4, 26, 56 * MethodNoise},
	})
}

// TestSpreadOverRequestsIsNoNoise checks that requests which differ by design do
// not make rows indistinguishable.
func TestSpreadOverRequestsIsNoNoise(t *testing.T) {
	t.Parallel()
	a := verdict.Value{Known: true, Number: 100, Spread: &verdict.Spread{Number: 60, Of: verdict.Requests}}
	b := verdict.Value{Known: true, Number: 90}
	equal(t, "told apart", contrast(&a, &b).apart(), true)
	a.Spread.Of = verdict.Repetitions
	equal(t, "repetitions", contrast(&a, &b).apart(), false)
}

func TestRankByCapacity(t *testing.T) {
	t.Parallel()
	with := func(profile string, p95 ...float64) run {
		r := run{model: "o/m", profile: profile, speed: 10}
		c := sweep(p95...)
		r.change = func(b *bundle.Bundle) { b.Tests = append(b.Tests, bundle.Test{Slug: "rate-sweep", Cells: c}) }
		return r
	}
	b := &build(t,
		with("none under", 6000, 7000, 8000, 9000, 9000, 9000),
		with("no data"),
		with("high", 100, 100, 100, 100, 100, 100),
		with("mid", 100, 100, 6000, 9000, 9000, 9000),
		with("none either", 6001, 7000, 8000, 9000, 9000, 9000),
		with("high too", 200, 200, 200, 200, 200, 200),
	).Boards[0]
	col, ok := b.Column(CapacityColumn(5000))
	if !ok {
		t.Fatal("no such column")
	}
	r := b.RankBy(col)
	var got []string
	for _, row := range r.Rows {
		got = append(got, fmt.Sprintf("%s:%d", b.Rows[row].Config.Profile, r.Ranks[row]))
	}
	equal(t, "ranking", got, []string{"high:1", "high too:1", "mid:3", "none either:4", "none under:4", "no data:0"})
	equal(t, "no rung", r.Groups[2].NoRung, true)
}

func TestNeutralRanksNothing(t *testing.T) {
	t.Parallel()
	b := &build(t, speeds([2]float64{100, 0}, [2]float64{50, 0})...).Boards[0]
	r := b.RankBy(Column{Quantity: verdict.Quantity{Test: "chat", Metric: metric.PeakConcurrency}})
	equal(t, "ranks", r.Ranks, []int{0, 0})
	equal(t, "rows", len(r.Rows), 2)
}
