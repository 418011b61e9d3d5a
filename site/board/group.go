package board

import (
	"math"
	"slices"

	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// MethodNoise is how far two measurements of the same configuration lie apart
// because of the method alone, as a share of the larger: the benchmark's own
// statement is ±2 % from run to run.
const MethodNoise = 0.02

// A Group is a run of rows that share a rank: no two of them can be told apart.
//
// Groups are built from the top. A row joins the group above it when it cannot
// be told apart from any row already in it, and otherwise opens the next one. So
// a group never chains from one end to the other, a single uncertain row does not
// hold together rows that clearly differ, and the same rows always give the same
// groups. Two rows on either side of a border may still be close: Separation
// names the pair that drew it.
type Group struct {
	Rank       int
	Rows       []int // indices into Board.Rows, in order
	ByMethod   bool  // some pair is held together by the method's ±2 %
	BySpread   bool  // some pair differs by more, but their spreads over repetitions overlap
	NoRung     bool  // the rows of a capacity ranking without a rung
	Separation *Separation
}

// A Separation is what keeps a group apart from the one above it: a row of that
// group, the lowest that can be told apart, and this group's first row.
type Separation struct {
	Above, Below int     // indices into Board.Rows
	Difference   float64 // in the unit of the column, positive
	Tolerance    float64 // what the difference would have to stay within
}

// A Ranking is the rows of a board ranked by one column. It is of the whole
// board: hiding rows changes no rank.
type Ranking struct {
	Order  []SortKey
	Rows   []int // indices into Board.Rows, in the order of the ranking
	Ranks  []int // per row of Board.Rows its rank, from 1; 0 when it has none
	Groups []Group
}

// RankBy ranks the rows of the board by a column. Rows whose value does not rank
// come last and have no rank. A column of a neutral metric ranks nothing.
func (b *Board) RankBy(c Column) Ranking {
	r, _ := b.rank(b.Rows, b.OrderBy(c))
	return r
}

// rank sorts the rows by the order and ranks them by its first key. It returns
// the ranking in terms of the rows' places before sorting, and that key's values
// by the same places.
func (b *Board) rank(rows []Row, order []SortKey) (Ranking, []*verdict.Value) {
	list := b.sortables(rows, order)
	sortRows(list, order)
	r := Ranking{Order: order, Ranks: make([]int, len(rows))}
	values := make([]*verdict.Value, len(rows))
	var ranked []int
	for _, s := range list {
		r.Rows = append(r.Rows, s.place)
		values[s.place] = s.values[0]
		if order[0].Better != metric.Neutral && len(s.row.Unranked) == 0 && s.values[0].Ranks() {
			ranked = append(ranked, s.place)
		}
	}
	r.Groups = groups(ranked, values)
	for _, g := range r.Groups {
		for _, row := range g.Rows {
			r.Ranks[row] = g.Rank
		}
	}
	return r, values
}

// groups splits rows, the best first, into groups. The rank of a group is one
// more than the number of rows above it.
func groups(rows []int, values []*verdict.Value) []Group {
	var out []Group
	for i, row := range rows {
		if len(out) > 0 && out[len(out)-1].join(row, values) {
			continue
		}
		g := Group{Rank: i + 1, Rows: []int{row}, NoRung: !values[row].Known}
		if len(out) > 0 {
			g.Separation = separation(out[len(out)-1].Rows, row, values)
		}
		out = append(out, g)
	}
	return out
}

// join adds the row to the group when no row of it can be told apart from it.
func (g *Group) join(row int, values []*verdict.Value) bool {
	if best, v := values[g.Rows[0]], values[row]; best.Known && v.Known && min(best.Number, v.Number) >= 0 {
		// No row of the group lies farther from this one than the best does. With all
		// of thousands of rows level, this is what keeps ranking linear.
		if c := contrast(best, v); c.difference <= c.method {
			g.Rows, g.ByMethod = append(g.Rows, row), true
			return true
		}
	}
	var method, spread bool
	for _, have := range g.Rows {
		c := contrast(values[have], values[row])
		switch {
		case c.apart():
			return false
		case c.difference <= c.method:
			method = true
		default:
			spread = true
		}
	}
	g.Rows = append(g.Rows, row)
	g.ByMethod = g.ByMethod || method && !g.NoRung
	g.BySpread = g.BySpread || spread
	return true
}

// separation describes the border between a group and the row below it.
func separation(above []int, below int, values []*verdict.Value) *Separation {
	for _, row := range slices.Backward(above) {
		if c := contrast(values[row], values[below]); c.apart() {
			return &Separation{Above: row, Below: below, Difference: c.difference, Tolerance: max(c.method, c.spread)}
		}
	}
	return nil
}

// A contrasted is the difference of two values and what it may stay within.
type contrasted struct {
	difference float64
	method     float64 // the method's noise
	spread     float64 // the two standard deviations over repetitions added up: the ranges mean ± spread touch
	kinds      bool    // one is a number, the other the result that there is none
}

func (c contrasted) apart() bool {
	return c.kinds || c.difference > c.method && c.difference > c.spread
}

func contrast(a, b *verdict.Value) contrasted {
	if !a.Known || !b.Known {
		return contrasted{kinds: a.Known != b.Known}
	}
	return contrasted{
		difference: math.Abs(a.Number - b.Number),
		method:     MethodNoise * max(math.Abs(a.Number), math.Abs(b.Number)),
		spread:     repeat(a) + repeat(b),
	}
}

// repeat returns the spread of a value over repetitions, 0 when there is none. A
// spread over requests says how requests differ, not how well the mean repeats.
func repeat(v *verdict.Value) float64 {
	if v.Spread == nil || v.Spread.Of != verdict.Repetitions || math.IsNaN(v.Spread.Number) {
		return 0
	}
	return v.Spread.Number
}
