package leaderboard

import (
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// answers say who leads: by the column of the preset, or by the three that most
// readers ask for.
func (w *writer) answers(preset string) []render.Number {
	if preset != "" {
		return w.leaders(w.p.T("board.answer.preset", "column", w.label(w.sort)), w.sort)
	}
	limit := page.MiddleLimit(w.board.Contract.TTFTLimits)
	var out []render.Number
	for _, a := range []struct{ label, column string }{
		{w.p.T("board.answer.one_user"), board.ColumnOneUser},
		{w.p.T("board.answer.many_users"), board.ColumnManyUsers},
		{w.p.T("board.answer.capacity", "limit", format.ExactMilliseconds(w.p, float64(limit))), board.CapacityColumn(limit)},
	} {
		if col, ok := w.board.Column(a.column); ok {
			out = append(out, w.leaders(a.label, col)...)
		}
	}
	return out
}

// named is the number of leaders that are called by name.
const named = 3

// leaders gives the best value of a column and names the rows of its first rank
// group; none where nothing ranks.
func (w *writer) leaders(label string, col board.Column) []render.Number {
	ranking := w.board.RankBy(col)
	if len(ranking.Groups) == 0 {
		return nil
	}
	first := ranking.Groups[0].Rows
	best := w.board.Value(&w.board.Rows[first[0]], col)
	if !best.Known {
		return nil
	}
	n := render.Number{Label: label, Text: format.Quantity(w.p, best)}
	for i, at := range first {
		if len(first) > named && i == named-1 {
			n.Note = w.p.T("board.and_others", "count", len(first)-i)
			break
		}
		r := &w.board.Rows[at]
		if c, ok := w.site.ByBundle(r.ID); ok {
			n.Names = append(n.Names, render.Name{Link: render.Link{Label: c.Name(), URL: c.Route().URL(w.p.Lang())}, Configuration: r.Config.Profile})
		}
	}
	return []render.Number{n}
}
