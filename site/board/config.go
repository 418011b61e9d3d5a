package board

import (
	"cmp"
	"slices"

	"example.org/arena/results/facts"
	"example.org/arena/results/verdict"
)

// A Configuration is one model in one precision with one set of server
// settings on one platform, wherever it was measured.
type Configuration struct {
	Key     ConfigKey
	Family  string   // id of the model in the facts; its Hugging Face id when they do not know it
	Current []RowRef // the newest run on each board, in the order of the boards
	History []RowRef // older runs and withdrawn ones, newest first per board
}

// A RowRef finds a row: on a board, among its Rows or its History. A withdrawn
// bundle stands on no board and has Board -1.
type RowRef struct {
	ID      string
	Board   int
	Row     int              // index into Rows, or into History when Older
	Older   bool             // the row stands in History
	Reasons []verdict.Reason // why it is not current; empty for one that is
}

// Row returns the row that the reference names, or nil for a withdrawn bundle.
func (s *Set) Row(ref RowRef) *Row {
	if ref.Board < 0 || ref.Board >= len(s.Boards) {
		return nil
	}
	rows := s.Boards[ref.Board].Rows
	if ref.Older {
		rows = s.Boards[ref.Board].History
	}
	if ref.Row < 0 || ref.Row >= len(rows) {
		return nil
	}
	return &rows[ref.Row]
}

// Configuration returns the configuration with the given key, or nil.
func (s *Set) Configuration(key ConfigKey) *Configuration {
	i, ok := slices.BinarySearchFunc(s.Configurations, key, func(c Configuration, key ConfigKey) int { return compareConfig(c.Key, key) })
	if !ok {
		return nil
	}
	return &s.Configurations[i]
}

// configurations collects where each configuration stands.
func configurations(boards []Board, gone []Withdrawn, catalog facts.Catalog) []Configuration {
	byKey := map[ConfigKey]*Configuration{}
	at := func(key ConfigKey) *Configuration {
		if byKey[key] == nil {
			byKey[key] = &Configuration{Key: key, Family: familyOf(key.Model, catalog)}
		}
		return byKey[key]
	}
	for i := range boards {
		for k, r := range boards[i].Rows {
			c := at(r.Config)
			c.Current = append(c.Current, RowRef{ID: r.ID, Board: i, Row: k})
		}
		for k, r := range boards[i].History {
			c := at(r.Config)
			c.History = append(c.History, RowRef{ID: r.ID, Board: i, Row: k, Older: true, Reasons: []verdict.Reason{{Code: ReasonOlder}}})
		}
	}
	for _, w := range gone {
		c := at(w.Config)
		c.History = append(c.History, RowRef{ID: w.ID, Board: -1, Row: -1, Reasons: w.reasons()})
	}
	var out []Configuration
	for _, c := range byKey {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Configuration) int { return compareConfig(a.Key, b.Key) })
	return out
}

// familyOf returns what makes configurations siblings.
func familyOf(model string, catalog facts.Catalog) string {
	m, _, ok := catalog.Checkpoint(model)
	if !ok {
		return model
	}
	return cmp.Or(m.ID, model)
}

func (w Withdrawn) reasons() []verdict.Reason {
	var out []verdict.Reason
	if w.Retraction != nil {
		out = append(out, verdict.Reason{Code: ReasonRetracted})
	}
	if w.By != "" {
		out = append(out, verdict.Reason{Code: ReasonSuperseded})
	}
	return out
}
