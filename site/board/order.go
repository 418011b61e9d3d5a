package board

import (
	"cmp"
	"slices"

	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// A SortKey is one key of an order: a column, or one of the keys below, which
// sort by text.
type SortKey struct {
	Column Column           // the zero Column for a text key
	Text   string           // "", or one of the text keys
	Better metric.Direction // of the column's metric; Neutral for text keys
}

// The text keys. The id makes the order total.
const (
	KeyModel   = "model"
	KeyProfile = "profile"
	KeyID      = "id"
)

// defaultColumns are the columns of the default order, outermost first: speed for
// one user, which repeats well and does not depend on how early a model stops;
// then throughput for many; then the wait for the first token. A contract that
// does not ask for one of them is ordered by the rest.
var defaultColumns = []string{ColumnOneUser, ColumnManyUsers, ColumnTTFT}

// DefaultOrder returns the order in which the rows of the board stand.
func (b *Board) DefaultOrder() []SortKey {
	var keys []SortKey
	for _, id := range defaultColumns {
		if c, ok := b.Column(id); ok && b.asks(c) {
			keys = append(keys, columnKey(c))
		}
	}
	return append(keys, SortKey{Text: KeyModel}, SortKey{Text: KeyProfile}, SortKey{Text: KeyID})
}

// asks reports whether the board's contract has the cell that a column shows.
func (b *Board) asks(c Column) bool {
	if b.Contract == nil {
		return false
	}
	t, ok := b.Contract.Test(c.Test)
	return ok && verdict.CellOf(&t, c.Quantity) >= 0
}

// OrderBy returns the order by one column, the better value first. Rows that it
// leaves level stand in the default order.
func (b *Board) OrderBy(c Column) []SortKey {
	return append([]SortKey{columnKey(c)}, b.DefaultOrder()...)
}

func columnKey(c Column) SortKey {
	m, _ := metric.Lookup(c.Metric)
	return SortKey{Column: c, Better: m.Better}
}

// A sortable is a row with the values that an order looks at.
type sortable struct {
	place  int // of the row before sorting
	row    *Row
	values []*verdict.Value // one per key of the order; nil for a text key
}

// sortables prepares the rows for an order.
func (b *Board) sortables(rows []Row, order []SortKey) []sortable {
	columns := make([]int, len(order))
	for k, key := range order {
		columns[k] = b.indexOf(key.Column)
	}
	out := make([]sortable, len(rows))
	values := make([]*verdict.Value, len(rows)*len(order))
	for i := range rows {
		s := sortable{place: i, row: &rows[i], values: values[i*len(order) : (i+1)*len(order)]}
		for k, key := range order {
			switch at := columns[k]; {
			case key.Text != "":
			case at >= 0 && at < len(rows[i].Values):
				s.values[k] = &rows[i].Values[at]
			default:
				s.values[k] = new(b.Value(&rows[i], key.Column))
			}
		}
		out[i] = s
	}
	return out
}

// sortRows sorts by the order. It depends on nothing but the rows themselves, so
// that leaving rows out never changes how the others stand to each other.
func sortRows(list []sortable, order []SortKey) {
	slices.SortFunc(list, func(a, b sortable) int { return compareRows(a, b, order) })
}

// compareRows is a total order: rows that may rank before those that may not,
// then key by key. Two rows are level only when they have the same id.
func compareRows(a, b sortable, order []SortKey) int {
	if c := compareBool(len(a.row.Unranked) == 0, len(b.row.Unranked) == 0); c != 0 {
		return c
	}
	for k, key := range order {
		var c int
		if key.Text != "" {
			c = cmp.Compare(a.row.text(key.Text), b.row.text(key.Text))
		} else {
			c = compareValues(a.values[k], b.values[k], key.Better)
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// compareValues puts the better value first, then sweeps without a rung, then
// values that do not rank, which are level. A neutral quantity does not order.
func compareValues(a, b *verdict.Value, better metric.Direction) int {
	if c := cmp.Compare(class(a), class(b)); c != 0 {
		return c
	}
	if !a.Known || !a.Ranks() {
		return 0
	}
	switch better {
	case metric.HigherIsBetter:
		return cmp.Compare(b.Number, a.Number)
	case metric.LowerIsBetter:
		return cmp.Compare(a.Number, b.Number)
	case metric.Neutral:
	}
	return 0
}

// class sorts values into those with a number that ranks, those whose result is
// that there is none, and those that do not rank.
func class(v *verdict.Value) int {
	switch {
	case v.Known && v.Ranks():
		return 0
	case v.Ranks():
		return 1
	}
	return 2
}

// compareBool puts true first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func (r *Row) text(key string) string {
	switch key {
	case KeyModel:
		return r.Config.Model
	case KeyProfile:
		return r.Config.Profile
	case KeyID:
		return r.ID
	}
	return ""
}
