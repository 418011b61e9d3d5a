package leaderboard

import (
	"maps"
	"slices"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// A writer writes the table of one page in one language.
type writer struct {
	site    *page.Site
	board   *board.Board // the main one
	p       *i18n.Printer
	columns []board.Column
	sort    board.Column
	values  [][]verdict.Value // of each row of the board, one per column
	most    []float64         // the largest value of each column
}

func newWriter(s *page.Site, p *i18n.Printer, columns []board.Column, sort board.Column) *writer {
	w := &writer{site: s, board: s.Main, p: p, columns: columns, sort: sort, most: make([]float64, len(columns))}
	for i := range s.Main.Rows {
		values := make([]verdict.Value, len(columns))
		for j, col := range columns {
			v := s.Main.Value(&s.Main.Rows[i], col)
			if values[j] = v; v.Known {
				w.most[j] = max(w.most[j], v.Number)
			}
		}
		w.values = append(w.values, values)
	}
	return w
}

// fill writes the table and what explains it.
func (w *writer) fill(body *render.Board, preset string) {
	body.Caption = w.caption()
	body.Precisions = w.precisions()
	body.Columns = w.heads()
	body.Wide = len(w.columns) > len(mainColumns(0))
	body.Rows = w.rows(w.board.RankBy(w.sort))
	body.ShownOne = w.p.T("board.tools.shown_one", "shown", "{shown}", "all", "{all}")
	body.ShownOther = w.p.T("board.tools.shown_other", "shown", "{shown}", "all", "{all}")
	body.Answers = w.answers(preset)
	body.How = []string{
		w.p.T("board.how.order", "column", w.label(w.sort)),
		w.p.T("board.how.groups"),
		w.p.T("board.how.success", "threshold", w.board.Contract.SuccessThreshold),
		w.p.T("board.how.unmeasured"),
		w.p.T("board.how.imports"),
		w.p.T("board.how.quality"),
	}
}

func (w *writer) caption() string {
	platform := w.site.PlatformName(w.board.Key.Platform)
	if w.board.Kind == bundle.Import {
		return w.p.T("board.caption", "contract", w.board.Key.Contract, "platform", platform, "source", w.credits())
	}
	return w.p.T("board.caption_own", "contract", w.board.Key.Contract, "platform", platform)
}

// credits names whom the rows are owed to.
func (w *writer) credits() string {
	var names []string
	for _, r := range w.board.Rows {
		if credit := w.site.Summary(r.ID).Credit; !slices.Contains(names, credit) {
			names = append(names, credit)
		}
	}
	return w.p.List(names...)
}

// precisions are the precisions among the rows.
func (w *writer) precisions() []render.Choice {
	all := map[string]bool{}
	for _, r := range w.board.Rows {
		if r.Precision != "" {
			all[r.Precision] = true
		}
	}
	var out []render.Choice
	for _, precision := range slices.Sorted(maps.Keys(all)) {
		out = append(out, render.Choice{Value: precision, Label: format.Precision(precision)})
	}
	return out
}
