package board

import (
	"cmp"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/facts"
	"example.org/arena/results/verdict"
)

// Build sorts bundles onto boards and ranks them. The order of the input does
// not matter; an id that comes twice counts once.
func Build(in Input) Set {
	items := sorted(in.Items)
	gone, replaces := withdrawn(items, in.Retractions)
	var set Set
	set.Boards = boards(items, gone, replaces, in)
	for _, it := range items {
		if w, ok := gone[it.ID]; ok {
			w.Board = newBoard(keyOf(it.Bundle), it.Bundle, in)
			row := w.Board.newRow(it, in.Facts)
			w.Row = &row
			set.Withdrawn = append(set.Withdrawn, w)
		}
	}
	set.Configurations = configurations(set.Boards, set.Withdrawn, in.Facts)
	set.Pairs = pairs(set.Boards)
	return set
}

// sorted returns the bundles by configuration, the newest of each first, each
// once.
func sorted(items []Item) []Item {
	out := slices.DeleteFunc(slices.Clone(items), func(it Item) bool { return it.Bundle == nil })
	slices.SortFunc(out, func(a, b Item) int {
		return cmp.Or(
			compareConfig(configOf(a.Bundle), configOf(b.Bundle)),
			compareTime(b.Bundle.StartedAt, a.Bundle.StartedAt),
			cmp.Compare(a.ID, b.ID),
		)
	})
	return slices.CompactFunc(out, func(a, b Item) bool { return a.ID == b.ID })
}

func configOf(b *bundle.Bundle) ConfigKey {
	return ConfigKey{Platform: b.Platform, Model: b.Model.ID, Profile: b.Profile}
}

func compareConfig(a, b ConfigKey) int {
	return cmp.Or(cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Profile, b.Profile))
}

// withdrawn returns the bundles that a retraction or a correction took off the
// boards, and for each correction the bundles it replaces, the nearest first. A
// bundle that was corrected stays off even when its correction is retracted:
// what is known to be wrong does not come back.
func withdrawn(items []Item, retractions []Retraction) (gone map[string]Withdrawn, replaces map[string][]string) {
	gone, replaces = map[string]Withdrawn{}, map[string][]string{}
	corrected := map[string]string{} // id of a bundle → the one it corrects
	configs := map[string]ConfigKey{}
	for _, it := range items {
		configs[it.ID] = configOf(it.Bundle)
		if it.Bundle.Supersedes != "" && it.Bundle.Supersedes != it.ID {
			corrected[it.ID] = it.Bundle.Supersedes
		}
	}
	for _, it := range items {
		old := corrected[it.ID]
		if config, ok := configs[old]; ok {
			if w, ok := gone[old]; !ok || it.ID < w.By {
				gone[old] = Withdrawn{ID: old, Config: config, By: it.ID}
			}
		}
		for ; old != "" && !slices.Contains(replaces[it.ID], old); old = corrected[old] {
			replaces[it.ID] = append(replaces[it.ID], old)
		}
	}
	for i := range retractions {
		r := &retractions[i]
		if config, ok := configs[r.ID]; ok {
			gone[r.ID] = Withdrawn{ID: r.ID, Config: config, By: gone[r.ID].By, Retraction: r}
		}
	}
	return gone, replaces
}

// boards sorts the bundles that stand onto boards.
func boards(items []Item, gone map[string]Withdrawn, replaces map[string][]string, in Input) []Board {
	byKey := map[Key]*Board{}
	var list []*Board
	for _, it := range items {
		if _, ok := gone[it.ID]; ok {
			continue
		}
		key := keyOf(it.Bundle)
		b := byKey[key]
		if b == nil {
			b = newBoard(key, it.Bundle, in)
			byKey[key] = b
			list = append(list, b)
		}
		row := b.newRow(it, in.Facts)
		row.Replaces = replaces[it.ID]
		b.place(row)
	}
	slices.SortFunc(list, func(a, b *Board) int {
		return cmp.Or(compareBool(a.Ranked, b.Ranked), compareKeys(a.Key, b.Key))
	})
	var out []Board
	for _, b := range list {
		b.finish()
		out = append(out, *b)
	}
	return out
}

func keyOf(b *bundle.Bundle) Key {
	k := Key{Platform: b.Platform, Kind: b.Kind}
	if b.Contract != nil {
		k.Contract, k.Digest = b.Contract.Version, b.Contract.SHA256
	}
	if b.Kind == bundle.Import && b.Source != nil {
		k.Source = cmp.Or(b.Source.URL, b.Source.Title)
	}
	return k
}

// compareKeys puts the newest contract first.
func compareKeys(a, b Key) int {
	return cmp.Or(
		cmp.Compare(b.Contract, a.Contract), cmp.Compare(a.Digest, b.Digest), cmp.Compare(a.Platform, b.Platform),
		cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Source, b.Source),
	)
}

func newBoard(key Key, first *bundle.Bundle, in Input) *Board {
	b := &Board{Key: key}
	for _, c := range in.Contracts {
		if c != nil && first.Contract != nil && c.Digest == key.Digest {
			b.Contract = c
		}
	}
	if p, ok := in.Facts.Platform(key.Platform); ok {
		b.Platform = &p
	}
	switch {
	case first.Contract == nil:
		b.Unranked = append(b.Unranked, Reason{Code: ReasonNoContract})
	case b.Contract == nil:
		b.Unranked = append(b.Unranked, Reason{Code: ReasonUnknownContract})
	}
	if key.Kind == bundle.Simulated {
		b.Unranked = append(b.Unranked, Reason{Code: ReasonSimulated})
	}
	b.Ranked = len(b.Unranked) == 0
	if b.Contract != nil {
		b.Columns = Columns(b.Contract)
	}
	return b
}

// place puts a row on the board, or into its history when a newer run of the
// configuration is there already. Rows come newest first. A run with modified
// code never stands in front of a clean one.
func (b *Board) place(row Row) {
	for i := range b.Rows {
		have := &b.Rows[i]
		if have.Config != row.Config {
			continue
		}
		if have.Bundle.Engine.Dirty && !row.Bundle.Engine.Dirty {
			*have, row = row, *have
		}
		b.History = append(b.History, row)
		return
	}
	b.Rows = append(b.Rows, row)
}

// finish sorts and ranks the rows.
func (b *Board) finish() {
	for i := range b.Rows {
		if b.Ranked && b.Rows[i].Bundle.Engine.Dirty {
			b.Rows[i].Unranked = append(b.Rows[i].Unranked, Reason{Code: ReasonDirty})
		}
		if !b.Ranked {
			b.Rows[i].Unranked = append(b.Rows[i].Unranked, b.Unranked...)
		}
	}
	b.Order = b.DefaultOrder()
	ranking, values := b.rank(b.Rows, b.Order)
	b.settle(ranking, values)
}

// settle moves the rows into the order of the ranking and notes their ranks.
func (b *Board) settle(r Ranking, values []Value) {
	rows := make([]Row, len(r.Rows))
	now := make([]int, len(r.Rows)) // place before sorting → place
	for to, from := range r.Rows {
		row := b.Rows[from]
		row.Rank, row.Group = r.Ranks[from], -1
		if row.Rank == 0 && len(row.Unranked) == 0 {
			row.Unranked = unrankedBy(values[from])
		}
		rows[to], now[from] = row, to
	}
	for i, g := range r.Groups {
		for k, from := range g.Rows {
			g.Rows[k] = now[from]
			rows[now[from]].Group = i
		}
		if s := g.Separation; s != nil {
			s.Above, s.Below = now[s.Above], now[s.Below]
		}
	}
	b.Rows, b.Groups = rows, r.Groups
}

// unrankedBy returns why a value keeps its row from having a rank.
func unrankedBy(v Value) []Reason {
	if len(v.Excluded) > 0 {
		return v.Excluded
	}
	return []Reason{{Code: ReasonUnknown}}
}

// newRow makes a row of a bundle.
func (b *Board) newRow(it Item, catalog facts.Catalog) Row {
	r := Row{ID: it.ID, Bundle: it.Bundle, Config: configOf(it.Bundle), Group: -1, Precision: it.Bundle.Model.Quantisation}
	if len(it.Bundle.StartedAt) >= len("2006-01-02") {
		r.Date = it.Bundle.StartedAt[:len("2006-01-02")]
	}
	if m, cp, ok := catalog.Checkpoint(it.Bundle.Model.ID); ok {
		r.Family, r.Checkpoint = &m, &cp
		r.Precision = cmp.Or(r.Precision, cp.Precision)
	}
	r.Memory = memoryOf(r.Family, r.Checkpoint, b.Platform)
	r.Quality = qualityOf(r.Family, it.Bundle.Model.ID)
	r.run = verdict.Of(it.Bundle, b.Contract, b.Platform, r.Family)
	r.Bundle, r.Tests, r.Findings = r.run.Bundle, r.run.Tests, r.run.Findings
	for _, c := range b.Columns {
		r.Values = append(r.Values, r.run.Value(c.Quantity))
	}
	return r
}
