package board

import (
	"cmp"
	"fmt"
	"slices"
)

// A Pair is one configuration with speculative decoding and its counterpart
// without, on the same board, of the same checkpoint and the same server
// program.
type Pair struct {
	Board       int
	Without     int          // index into the board's Rows
	With        int          // index into the board's Rows
	Differences []Difference // what else differs between the two, by name: empty for a fair pair
}

// A Difference is a setting that differs inside a pair beyond the speculation
// itself.
type Difference struct {
	Kind    string // SettingArgument, …
	Name    string
	Without string // empty when not set there
	With    string // empty when not set there
}

// pairs finds the counterpart of every speculating configuration: among those
// without, the one that differs least.
func pairs(boards []Board) []Pair {
	var out []Pair
	for i := range boards {
		rows := boards[i].Rows
		candidates := withoutDraft(rows)
		for with := range rows {
			r := &rows[with]
			if !r.Draft {
				continue
			}
			if p, ok := counterpart(rows, candidates[served{r.Config.Model, r.Server}], with); ok {
				p.Board = i
				out = append(out, p)
			}
		}
	}
	return out
}

// A served is a checkpoint in a server program.
type served struct{ model, server string }

// withoutDraft returns the rows that may be a counterpart: of those with the same
// settings the first by profile and id, which closer prefers.
func withoutDraft(rows []Row) map[served][]int {
	type setting struct {
		served
		settings string
	}
	first := map[setting]int{}
	for i := range rows {
		r := &rows[i]
		key := setting{served{r.Config.Model, r.Server}, fmt.Sprintf("%q", r.Settings)}
		have, ok := first[key]
		if !r.Draft && (!ok || compareNames(&rows[i], &rows[have]) < 0) {
			first[key] = i
		}
	}
	out := map[served][]int{}
	for key, i := range first {
		out[key.served] = append(out[key.served], i)
	}
	return out
}

func counterpart(rows []Row, candidates []int, with int) (Pair, bool) {
	var best Pair
	found := false
	for _, i := range candidates {
		p := Pair{Without: i, With: with, Differences: differences(rows[i].Settings, rows[with].Settings)}
		if !found || closer(rows, p, best) {
			best, found = p, true
		}
	}
	return best, found
}

// closer reports whether p pairs rows that differ less than those of q.
func closer(rows []Row, p, q Pair) bool {
	return cmp.Or(
		cmp.Compare(len(p.Differences), len(q.Differences)),
		compareNames(&rows[p.Without], &rows[q.Without]),
	) < 0
}

func compareNames(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Config.Profile, b.Config.Profile), cmp.Compare(a.ID, b.ID))
}

// differences lists what differs between two servers, by kind and name. A version or
// a fact about the host counts only when both sides state it, since a source may leave
// it out; any other setting that one side leaves out is not set there.
func differences(without, with []Setting) []Difference {
	type place struct{ kind, name string }
	values := map[place]*Difference{}
	at := func(s Setting) *Difference {
		p := place{s.Kind, s.Name}
		if values[p] == nil {
			values[p] = &Difference{Kind: s.Kind, Name: s.Name}
		}
		return values[p]
	}
	for _, s := range without {
		at(s).Without = s.Value
	}
	for _, s := range with {
		at(s).With = s.Value
	}
	var out []Difference
	for _, d := range values {
		silent := d.Kind == SettingVersion || d.Kind == SettingHost
		if SameSetting(d.Without, d.With) || silent && (d.Without == "" || d.With == "") {
			continue
		}
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(slices.Index(settingKinds, a.Kind), slices.Index(settingKinds, b.Kind)), cmp.Compare(a.Name, b.Name))
	})
	return out
}
