package board

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

func TestDefaultOrder(t *testing.T) {
	t.Parallel()
	set := build(t,
		run{model: "o/b", profile: "level, later by name", speed: 20, total: 100},
		run{model: "o/a", profile: "unknown"},
		run{model: "o/a", profile: "level", speed: 20, total: 100},
		run{model: "o/a", profile: "more for many", speed: 20, total: 200},
		run{model: "o/z", profile: "fastest", speed: 60, total: 1},
	)
	b := set.Boards[0]
	equal(t, "order", profiles(b.Rows), []string{"fastest", "more for many", "level", "level, later by name", "unknown"})
	var keys []string
	for _, k := range b.Order {
		keys = append(keys, k.Column.ID+k.Text)
	}
	equal(t, "keys", keys, []string{ColumnOneUser, ColumnManyUsers, ColumnTTFT, KeyModel, KeyProfile, KeyID})
	last := b.Rows[len(b.Rows)-1]
	equal(t, "no rank", last.Rank, 0)
	equal(t, "why", codes(last.Unranked), []string{ReasonUnknown})
	equal(t, "group", last.Group, -1)
}

func TestOrderSkipsWhatTheContractDoesNotAsk(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	k := c.Tests[0].Kind.(contract.Batches)
	k.Concurrency = []int{10}
	c.Tests[0].Kind = k
	b := Board{Contract: c, Columns: Columns(c)}
	equal(t, "first key", b.DefaultOrder()[0].Column.ID, ColumnManyUsers)
	run := verdict.Of(&bundle.Bundle{}, c, nil, nil)
	equal(t, "value", run.Value(b.Columns[0].Quantity).Missing, verdict.NotInContract)
}

// TestRanksDoNotDependOnWhatIsVisible ranks each pair of rows alone and expects
// the order of the whole board.
func TestRanksDoNotDependOnWhatIsVisible(t *testing.T) {
	t.Parallel()
	runs := []run{
		{model: "o/a", profile: "1", speed: 20, total: 5},
		{model: "o/a", profile: "2", speed: 20.1, total: 9},
		{model: "o/a", profile: "3", speed: 19, std: 4},
		{model: "o/a", profile: "4"},
		{model: "o/a", profile: "5", speed: 3},
	}
	whole := profiles(build(t, runs...).Boards[0].Rows)
	for i := range runs {
		for k := range runs {
			if i == k {
				continue
			}
			part := profiles(build(t, runs[i], runs[k]).Boards[0].Rows)
			if slices.Index(whole, part[0]) > slices.Index(whole, part[1]) {
				t.Errorf("%v alone stand otherwise than in %v", part, whole)
			}
		}
	}
}

// randomRows makes rows with few distinct values, some unknown, excluded or odd.
func randomRows(seed uint64, n int) []sortable {
	r := rand.New(rand.NewPCG(seed, 7))
	numbers := []float64{0, 1, 1.01, 2, -3, math.MaxFloat64}
	var out []sortable
	for i := range n {
		s := sortable{place: i, row: &Row{Entry: Entry{ID: fmt.Sprint(i), Config: ConfigKey{Model: fmt.Sprint(r.IntN(2))}}}}
		if r.IntN(6) == 0 {
			s.row.Unranked = []verdict.Reason{{Code: ReasonDirty}}
		}
		for range 2 {
			v := verdict.Value{Known: true, Number: numbers[r.IntN(len(numbers))], Spread: &verdict.Spread{Number: r.Float64(), Of: verdict.Repetitions}}
			switch r.IntN(6) {
			case 0:
				v = verdict.Value{Missing: verdict.NoData}
			case 1:
				v = verdict.Value{Missing: verdict.NoRung}
			case 2:
				v.Excluded = []verdict.Reason{{Code: "x"}}
			}
			s.values = append(s.values, &v)
		}
		s.values = append(s.values, nil, nil)
		out = append(out, s)
	}
	return out
}

var fuzzOrder = []SortKey{{Better: metric.HigherIsBetter}, {Better: metric.LowerIsBetter}, {Text: KeyModel}, {Text: KeyID}}

// FuzzOrder checks that rows are totally and transitively ordered, and that the
// order of a part is that of the whole.
func FuzzOrder(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rows := randomRows(seed, 9)
		for _, a := range rows {
			for _, b := range rows {
				ab := compareRows(a, b, fuzzOrder)
				if ab != -compareRows(b, a, fuzzOrder) {
					t.Fatalf("not antisymmetric: %v, %v", a, b)
				}
				if (ab == 0) != (a.place == b.place) {
					t.Fatalf("not total: %v, %v", a, b)
				}
				for _, c := range rows {
					if ab < 0 && compareRows(b, c, fuzzOrder) < 0 && compareRows(a, c, fuzzOrder) >= 0 {
						t.Fatalf("not transitive: %v, %v, %v", a, b, c)
					}
				}
			}
		}
		whole := slices.Clone(rows)
		sortRows(whole, fuzzOrder)
		part := slices.Clone(rows[:5])
		sortRows(part, fuzzOrder)
		kept := slices.DeleteFunc(whole, func(s sortable) bool { return s.place >= 5 })
		for i := range part {
			if part[i].place != kept[i].place {
				t.Fatalf("a part is ordered otherwise: %v, %v", part, kept)
			}
		}
	})
}

// FuzzGroups checks what groups promise: every ranked row is in one, rows of a
// group cannot be told apart, each group differs from the one above.
func FuzzGroups(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		list := randomRows(seed, 12)
		sortRows(list, fuzzOrder)
		values := make([]*verdict.Value, len(list))
		var ranked []int
		for _, s := range list {
			values[s.place] = s.values[0]
			if s.values[0].Ranks() && len(s.row.Unranked) == 0 {
				ranked = append(ranked, s.place)
			}
		}
		var flat []int
		for i, g := range groups(ranked, values) {
			if g.Rank != len(flat)+1 {
				t.Fatalf("rank %d after %d rows", g.Rank, len(flat))
			}
			for _, a := range g.Rows {
				for _, b := range g.Rows {
					if contrast(values[a], values[b]).apart() {
						t.Fatalf("group %v holds %v and %v", g, values[a], values[b])
					}
				}
			}
			if s := g.Separation; (s == nil) != (i == 0) || s != nil && !contrast(values[s.Above], values[s.Below]).apart() {
				t.Fatalf("separation %v of group %d", s, i)
			}
			flat = append(flat, g.Rows...)
		}
		if !slices.Equal(flat, ranked) {
			t.Fatalf("groups hold %v, want %v", flat, ranked)
		}
	})
}
