package leaderboard

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/arena/site/board"
	"example.org/arena/site/render"
)

// rows writes the rows in the order of the ranking.
func (w *writer) rows(ranking board.Ranking) []render.Row {
	whys := w.sharedRanks(ranking)
	var out []render.Row
	rank := -1
	for i, at := range ranking.Rows {
		row := w.row(at)
		row.Order = strconv.Itoa(i)
		row.NewGroup = ranking.Ranks[at] != rank
		if rank = ranking.Ranks[at]; rank > 0 {
			row.Rank, row.RankWhy = w.p.Integer(int64(rank)), whys[at]
		}
		if row.RankWhy != "" {
			row.More = slices.Insert(row.More, 0, render.Pair{Term: w.p.T("board.column.rank"), Text: row.RankWhy})
		}
		out = append(out, row)
	}
	alignSpreads(out, len(w.columns))
	return out
}

// row writes the row of the board at an index, without its rank.
func (w *writer) row(at int) render.Row {
	r := &w.board.Rows[at]
	c, _ := w.site.ByBundle(r.ID)
	row := render.Row{
		ID:            "r-" + r.ID[:12],
		Rank:          w.p.T("board.unranked"),
		URL:           c.Route().URL(w.p.Lang()),
		Name:          c.Name(),
		Configuration: r.Config.Profile,
		Precision:     r.Precision,
		Search:        strings.ToLower(strings.Join([]string{c.Name(), r.Config.Model, r.Config.Profile, r.Precision}, " ")),
	}
	if w.site.Summary(r.ID).Speculation {
		row.Marks = append(row.Marks, w.p.T("board.mark.speculation"))
	}
	for j, col := range w.columns {
		cell := w.cell(w.values[at][j], col, w.most[j])
		if j < keyColumns {
			cell.Class += " key"
			cell.Label = w.label(col)
			if !cell.Missing {
				cell.Unit = w.unit(col)
			}
		} else {
			row.More = append(row.More, render.Pair{Term: w.label(col), Text: w.withUnit(w.values[at][j])})
		}
		row.Cells = append(row.Cells, cell)
	}
	w.addProperties(&row, r)
	return row
}

// addProperties adds what a row shows beside its measured quantities.
func (w *writer) addProperties(row *render.Row, r *board.Row) {
	weights, quality, date := w.weights(r), w.quality(r), w.date(r)
	row.Cells = append(row.Cells, weights, quality, date)
	for _, x := range []struct {
		column string
		cell   render.BoardCell
	}{{columnWeights, weights}, {columnQuality, quality}, {columnDate, date}} {
		text := strings.TrimSpace(x.cell.Text + " " + x.cell.Spread)
		if x.column == columnWeights && r.Memory.Known {
			text = w.p.T("format.quantity", "number", x.cell.Text, "unit", w.p.T("unit.GB"))
		}
		row.More = append(row.More, render.Pair{Term: w.p.T("board.column." + x.column), Text: text})
	}
}

// alignSpreads gives the spreads of each of the first columns the same width, so
// that the values before them stand under each other.
func alignSpreads(rows []render.Row, columns int) {
	for j := range columns {
		longest := 0
		for i := range rows {
			longest = max(longest, utf8.RuneCountInString(rows[i].Cells[j].Spread))
		}
		for i := range rows {
			if c := &rows[i].Cells[j]; !c.Missing {
				c.Slot = render.SlotClass(longest)
			}
		}
	}
}

// sharedRanks says with how many others each row of the board shares its rank, and
// why, by its index; nothing of a row that has its rank to itself.
func (w *writer) sharedRanks(ranking board.Ranking) map[int]string {
	out := map[int]string{}
	for _, g := range ranking.Groups {
		if len(g.Rows) < 2 {
			continue
		}
		why := ""
		switch {
		case g.NoRung:
			why = w.p.N("board.group.no_rung", len(g.Rows))
		case g.BySpread:
			why = w.p.N("board.group.spread", len(g.Rows))
		default:
			why = w.p.N("board.group.method", len(g.Rows))
		}
		for _, row := range g.Rows {
			out[row] = why
		}
	}
	return out
}
