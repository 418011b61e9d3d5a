package board

import (
	"cmp"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
)

// Build sorts bundles onto boards and ranks them. The order of the input does
// not matter; an id that comes twice counts once.
func Build(in Input) Set {
	b := NewBuilder(verdict.Rules{Contracts: in.Contracts, Facts: in.Facts}, in.Retractions)
	for _, it := range in.Items {
		if it.Bundle != nil {
			run := b.rules.Judge(it.Bundle)
			b.Add(EntryOf(it.ID, &run))
		}
	}
	return b.Finish()
}

// A Builder makes boards of entries that are added one at a time, so that no
// bundle needs to be held for longer than it takes to judge it.
type Builder struct {
	rules       verdict.Rules
	retractions []Retraction
	entries     []Entry
	known       map[string]bool // ids of the entries
	boards      map[Key]*slots
	withdrawn   map[Key]*Board // boards of withdrawn bundles, without rows
}

// Slots are the rows of a board that is being filled.
type slots struct {
	board *Board
	at    map[ConfigKey]int // index into the board's rows
}

// NewBuilder returns a builder without entries.
func NewBuilder(rules verdict.Rules, retractions []Retraction) *Builder {
	return &Builder{
		rules: rules, retractions: retractions, known: map[string]bool{},
		boards: map[Key]*slots{}, withdrawn: map[Key]*Board{},
	}
}

// Add adds a bundle. The order of adding does not matter; an id that comes twice
// counts once.
func (b *Builder) Add(e Entry) {
	if !b.known[e.ID] {
		b.known[e.ID] = true
		b.entries = append(b.entries, e)
	}
}

// Finish sorts what was added onto boards and ranks it. The builder is used up.
func (b *Builder) Finish() Set {
	slices.SortFunc(b.entries, compareEntries)
	gone, replaces := withdrawn(b.entries, b.retractions)
	var set Set
	for i := range b.entries {
		e := &b.entries[i]
		w, ok := gone[e.ID]
		if !ok {
			b.place(e, replaces[e.ID])
			continue
		}
		if b.withdrawn[e.Key] == nil {
			b.withdrawn[e.Key] = b.newBoard(e.Key)
		}
		w.Board = b.withdrawn[e.Key]
		w.Row = new(b.row(w.Board, e))
		set.Withdrawn = append(set.Withdrawn, w)
	}
	for _, s := range b.boards {
		s.board.finish()
		set.Boards = append(set.Boards, *s.board)
	}
	slices.SortFunc(set.Boards, func(x, y Board) int {
		return cmp.Or(compareBool(x.Ranked, y.Ranked), compareKeys(x.Key, y.Key))
	})
	set.Configurations = configurations(set.Boards, set.Withdrawn, b.rules.Facts)
	set.Pairs = pairs(set.Boards)
	return set
}

// compareEntries sorts by configuration, the newest of each first.
func compareEntries(a, b Entry) int {
	return cmp.Or(
		compareConfig(a.Config, b.Config),
		compareTime(b.StartedAt, a.StartedAt),
		cmp.Compare(a.ID, b.ID),
	)
}

func compareConfig(a, b ConfigKey) int {
	return cmp.Or(cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Profile, b.Profile))
}

// withdrawn returns the bundles that a retraction or a correction took off the
// boards, and for each correction the bundles it replaces, the nearest first. A
// bundle that was corrected stays off even when its correction is retracted:
// what is known to be wrong does not come back.
func withdrawn(entries []Entry, retractions []Retraction) (gone map[string]Withdrawn, replaces map[string][]string) {
	gone, replaces = map[string]Withdrawn{}, map[string][]string{}
	corrected := map[string]string{} // id of a bundle → the one it corrects
	configs := map[string]ConfigKey{}
	for _, e := range entries {
		configs[e.ID] = e.Config
		if e.Supersedes != "" && e.Supersedes != e.ID {
			corrected[e.ID] = e.Supersedes
		}
	}
	for _, e := range entries {
		old := corrected[e.ID]
		if config, ok := configs[old]; ok {
			if w, ok := gone[old]; !ok || e.ID < w.By {
				gone[old] = Withdrawn{ID: old, Config: config, By: e.ID}
			}
		}
		for ; old != "" && !slices.Contains(replaces[e.ID], old); old = corrected[old] {
			replaces[e.ID] = append(replaces[e.ID], old)
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

// compareKeys puts the newest contract first.
func compareKeys(a, b Key) int {
	return cmp.Or(
		cmp.Compare(b.Contract, a.Contract), cmp.Compare(a.Digest, b.Digest), cmp.Compare(a.Platform, b.Platform),
		cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Source, b.Source),
	)
}

// newBoard returns a board without rows.
func (b *Builder) newBoard(key Key) *Board {
	out := &Board{Key: key}
	if key.Contract != "" {
		out.Contract = b.rules.Contract(key.Digest)
	}
	if p, ok := b.rules.Facts.Platform(key.Platform); ok {
		out.Platform = &p
	}
	switch {
	case key.Contract == "":
		out.Unranked = append(out.Unranked, verdict.Reason{Code: verdict.ReasonNoContract})
	case out.Contract == nil:
		out.Unranked = append(out.Unranked, verdict.Reason{Code: ReasonUnknownContract})
	}
	if key.Kind == bundle.Simulated {
		out.Unranked = append(out.Unranked, verdict.Reason{Code: ReasonSimulated})
	}
	out.Ranked = len(out.Unranked) == 0
	if out.Contract != nil {
		out.Columns = Columns(out.Contract)
	}
	return out
}

// place puts an entry on its board, or into the board's history when a newer run
// of the configuration is there already. Entries come newest first. A run with
// modified code never stands in front of a clean one.
func (b *Builder) place(e *Entry, replaces []string) {
	s := b.boards[e.Key]
	if s == nil {
		s = &slots{board: b.newBoard(e.Key), at: map[ConfigKey]int{}}
		b.boards[e.Key] = s
	}
	row := b.row(s.board, e)
	row.Replaces = replaces
	at, ok := s.at[e.Config]
	if !ok {
		s.at[e.Config] = len(s.board.Rows)
		s.board.Rows = append(s.board.Rows, row)
		return
	}
	if have := &s.board.Rows[at]; have.Dirty && !row.Dirty {
		*have, row = row, *have
	}
	s.board.History = append(s.board.History, row)
}

// row makes a row of an entry.
func (b *Builder) row(bd *Board, e *Entry) Row {
	r := Row{Entry: *e, Precision: e.Precision, Group: -1}
	if len(e.StartedAt) >= len("2006-01-02") {
		r.Date = e.StartedAt[:len("2006-01-02")]
	}
	if m, cp, ok := b.rules.Facts.Checkpoint(e.Config.Model); ok {
		r.Family, r.Checkpoint = &m, &cp
		r.Precision = cmp.Or(e.Precision, cp.Precision)
	}
	r.Memory = memoryOf(r.Family, r.Checkpoint, bd.Platform)
	r.Quality = qualityOf(r.Family, e.Config.Model)
	return r
}

// finish sorts and ranks the rows.
func (b *Board) finish() {
	for i := range b.Rows {
		if b.Ranked && b.Rows[i].Dirty {
			b.Rows[i].Unranked = append(b.Rows[i].Unranked, verdict.Reason{Code: ReasonDirty})
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
func (b *Board) settle(r Ranking, values []*verdict.Value) {
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
func unrankedBy(v *verdict.Value) []verdict.Reason {
	if len(v.Excluded) > 0 {
		return v.Excluded
	}
	return []verdict.Reason{{Code: ReasonUnknown}}
}
