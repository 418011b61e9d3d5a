package site

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/facts"
	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// The columns of the leaderboard that are no measured quantity.
const (
	columnRank    = "rank"
	columnModel   = "model"
	columnWeights = "weights"
	columnQuality = "quality"
	columnDate    = "date"
)

// mainColumns are the measured columns of the leaderboard, in order. The first
// two stay visible on a phone.
func mainColumns(limit int) []string {
	return []string{board.ColumnOneUser, board.ColumnManyUsers, board.ColumnTTFT, board.CapacityColumn(limit)}
}

// keyColumns is the number of measured columns that stay visible on a phone.
const keyColumns = 2

// mainBoard is the board that the leaderboard shows: the default contract and
// platform, own runs before imports, the fullest first. Nil when there is none.
func (b *builder) mainBoard() *board.Board {
	d := b.Content.Site.Defaults
	var best *board.Board
	for i := range b.set.Boards {
		bd := &b.set.Boards[i]
		if !bd.Ranked || bd.Key.Contract != d.Contract || bd.Key.Platform != d.Platform {
			continue
		}
		if best == nil || better(bd, best) {
			best = bd
		}
	}
	return best
}

// better reports whether board a is shown rather than board b.
func better(a, b *board.Board) bool {
	if a.Kind != b.Kind {
		return a.Kind == bundle.Run
	}
	return len(a.Rows) > len(b.Rows)
}

// boardPage makes the leaderboard, or the view of it that a preset names.
func (b *builder) boardPage(preset string) func(*i18n.Printer) (*render.Page, error) {
	return func(w *i18n.Printer) (*render.Page, error) {
		prefix := "board"
		if preset != "" {
			prefix = "preset." + preset
		}
		platform := b.platformName(b.Content.Site.Defaults.Platform)
		body := render.Board{Presets: b.presetLinks(preset, w)}
		page := &render.Page{
			Template:    "board",
			Title:       w.T(prefix + ".title"),
			Description: w.T(prefix+".description", "platform", platform),
		}
		bd := b.mainBoard()
		rows := 0
		if bd != nil {
			rows = len(bd.Rows)
		}
		body.Heading = w.T(prefix+".heading", "platform", platform)
		switch {
		case preset != "":
			body.Lead = w.T("preset." + preset + ".lead")
		case rows > 0:
			body.Lead = w.N("board.lead", rows)
		}
		body.Excluded = b.elsewhere(bd, w)
		body.Links = []render.Link{
			{Label: w.T("board.link.method"), URL: routeVersion(b.Content.Site.Defaults.Contract).url(w.Lang())},
			{Label: w.T("board.link.data"), URL: routeData.url(w.Lang())},
		}
		if bd == nil {
			body.Caption = w.T("board.empty")
		} else {
			ids, sort, err := b.view(bd, preset)
			if err != nil {
				return nil, err
			}
			bw := boardWriter{builder: b, Printer: w, board: bd, columns: ids, sort: sort}
			bw.fill(&body, preset)
		}
		page.Body = body
		return page, nil
	}
}

// view returns the columns of a page and the one that ranks its rows.
func (b *builder) view(bd *board.Board, preset string) ([]board.Column, board.Column, error) {
	limit := middle(bd.Contract.TTFTLimits)
	ids, first := mainColumns(limit), board.ColumnOneUser
	if preset != "" {
		for _, p := range b.Content.Presets {
			if p.ID == preset {
				ids, first = p.Columns, p.Sort
			}
		}
	}
	var columns []board.Column
	var sort board.Column
	for _, id := range ids {
		col, ok := bd.Column(id)
		if !ok {
			return nil, sort, fmt.Errorf("preset %q: contract %s has no column %q", preset, bd.Key.Contract, id)
		}
		columns = append(columns, col)
		if id == first {
			sort = col
		}
	}
	return columns, sort, nil
}

// middle is the limit that headlines use, 0 when there is none.
func middle(limits []int) int {
	if len(limits) == 0 {
		return 0
	}
	return limits[len(limits)/2]
}

// presetLinks are the views of the leaderboard.
func (b *builder) presetLinks(current string, w *i18n.Printer) []render.NavLink {
	link := func(label, id string, r route) render.NavLink {
		n := render.NavLink{Link: render.Link{Label: label, URL: r.url(w.Lang())}}
		if id == current {
			n.Current = "page"
		}
		return n
	}
	out := []render.NavLink{link(w.T("board.presets.all"), "", routeBoard)}
	for _, p := range b.Content.Presets {
		out = append(out, link(w.T("preset."+p.ID+".name"), p.ID, routePreset(p.ID)))
	}
	return out
}

// A boardWriter fills one leaderboard page.
type boardWriter struct {
	*builder
	*i18n.Printer
	board   *board.Board
	columns []board.Column
	sort    board.Column
}

// fill writes the table and what explains it.
func (bw boardWriter) fill(body *render.Board, preset string) {
	ranking := bw.board.RankBy(bw.sort)
	body.Caption = bw.caption()
	body.Precisions = bw.precisions()
	body.Columns = bw.heads()
	body.Wide = len(bw.columns) > len(mainColumns(0))
	body.Rows = bw.rows(ranking)
	body.ShownOne = bw.T("board.tools.shown_one", "shown", "{shown}", "all", "{all}")
	body.ShownOther = bw.T("board.tools.shown_other", "shown", "{shown}", "all", "{all}")
	body.Answers = bw.answers(preset)
	body.How = []string{
		bw.T("board.how.order", "column", bw.label(bw.sort)),
		bw.T("board.how.groups"),
		bw.T("board.how.success", "threshold", bw.board.Contract.SuccessThreshold),
		bw.T("board.how.unmeasured"),
		bw.T("board.how.imports"),
		bw.T("board.how.quality"),
	}
}

func (bw boardWriter) caption() string {
	platform := bw.platformName(bw.board.Key.Platform)
	if bw.board.Kind == bundle.Import {
		return bw.T("board.caption", "contract", bw.board.Key.Contract, "platform", platform, "source", bw.credits())
	}
	return bw.T("board.caption_own", "contract", bw.board.Key.Contract, "platform", platform)
}

// credits names whom the rows are owed to.
func (bw boardWriter) credits() string {
	var names []string
	for _, r := range bw.board.Rows {
		if !slices.Contains(names, r.Bundle.Credit) {
			names = append(names, r.Bundle.Credit)
		}
	}
	return bw.List(names...)
}

// precisions are the precisions among the rows.
func (bw boardWriter) precisions() []render.Choice {
	var out []render.Choice
	for _, r := range bw.board.Rows {
		c := render.Choice{Value: r.Precision, Label: strings.ToUpper(r.Precision)}
		if r.Precision != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b render.Choice) int { return cmp.Compare(a.Value, b.Value) })
	return out
}

// label names a column of the board for a header.
func (bw boardWriter) label(c board.Column) string {
	switch {
	case c.LimitMS > 0:
		return bw.T("board.column.capacity_under", "limit", format.ExactMilliseconds(bw.Printer, float64(c.LimitMS)))
	case c.ID == board.ColumnOneUser, c.ID == board.ColumnManyUsers, c.ID == board.ColumnTTFT:
		return bw.T("board.column." + c.ID)
	}
	return bw.T("board.column.of_test", "test", format.TestName(bw.Printer, c.Test), "quantity", bw.quantityName(c))
}

// unit is the unit of a column.
func (bw boardWriter) unit(c board.Column) string {
	d, _ := metric.Lookup(c.Metric)
	return bw.Unit(string(d.Unit))
}

// quantityName names the quantity of a column with its statistic and load.
func (bw boardWriter) quantityName(c board.Column) string {
	name := format.Head(bw.Printer, c.Metric, c.Statistic).Label
	if c.Concurrency > 0 {
		name = bw.T("board.column.at_concurrency", "quantity", name, "concurrency", c.Concurrency)
	}
	return name
}

// explain says in a sentence what a column shows.
func (bw boardWriter) explain(c board.Column) string {
	switch {
	case c.LimitMS > 0:
		return bw.T("board.column.capacity_explain", "limit", format.ExactMilliseconds(bw.Printer, float64(c.LimitMS)))
	case c.ID == board.ColumnOneUser, c.ID == board.ColumnManyUsers, c.ID == board.ColumnTTFT:
		return bw.T("board.column." + c.ID + "_explain")
	}
	return bw.T("metric." + string(c.Metric) + ".text")
}

func (bw boardWriter) heads() []render.Column {
	out := []render.Column{
		{Key: columnRank, Label: bw.T("board.column.rank"), Class: "rank"},
		{Key: columnModel, Label: bw.T("board.column.model")},
	}
	for _, c := range bw.columns {
		d, _ := metric.Lookup(c.Metric)
		sortable := "desc"
		if d.Better == metric.LowerIsBetter {
			sortable = "asc"
		}
		out = append(out, render.Column{
			Key: strings.ReplaceAll(c.ID, "/", "."), Label: bw.label(c), Unit: bw.Unit(string(d.Unit)),
			Explain: bw.explain(c), Class: "n", Sortable: sortable, Optional: true,
		})
	}
	return append(out,
		render.Column{Key: columnWeights, Label: bw.T("board.column.weights"), Unit: bw.T("unit.GB"), Explain: bw.T("board.column.weights_explain"), Class: "n", Sortable: "asc", Optional: true},
		render.Column{Key: columnQuality, Label: bw.T("board.column.quality"), Explain: bw.T("board.column.quality_explain"), Optional: true},
		render.Column{Key: columnDate, Label: bw.T("board.column.date"), Class: "n", Sortable: "desc", Optional: true},
	)
}

// rows writes the rows in the order of the ranking.
func (bw boardWriter) rows(ranking board.Ranking) []render.Row {
	most := bw.most()
	var out []render.Row
	rank := -1
	for i, at := range ranking.Rows {
		r := &bw.board.Rows[at]
		c, _ := bw.byBundle(r.ID)
		row := render.Row{
			ID:            "r-" + r.ID[:12],
			Order:         strconv.Itoa(i),
			Rank:          bw.T("board.unranked"),
			NewGroup:      ranking.Ranks[at] != rank,
			URL:           c.route().url(bw.Lang()),
			Name:          modelName(r),
			Configuration: r.Config.Profile,
			Precision:     r.Precision,
			Search:        strings.ToLower(strings.Join([]string{modelName(r), r.Config.Model, r.Config.Profile, r.Precision}, " ")),
		}
		rank = ranking.Ranks[at]
		if rank > 0 {
			row.Rank = bw.Integer(int64(rank))
			row.RankWhy = bw.rankWhy(ranking, at)
		}
		if row.RankWhy != "" {
			row.More = append(row.More, render.Pair{Term: bw.T("board.column.rank"), Text: row.RankWhy})
		}
		if r.Bundle.Draft != nil {
			row.Marks = append(row.Marks, bw.T("board.mark.speculation"))
		}
		for j, col := range bw.columns {
			cell := bw.boardCell(r, col, most[j])
			if j < keyColumns {
				cell.Class += " key"
				cell.Label = bw.label(col)
				if !cell.Missing {
					cell.Unit = bw.unit(col)
				}
			} else {
				row.More = append(row.More, render.Pair{Term: bw.label(col), Text: bw.withUnit(r, col)})
			}
			row.Cells = append(row.Cells, cell)
		}
		row.Cells = append(row.Cells, bw.weights(r), bw.qualityCell(r), bw.date(r))
		for k, key := range []string{columnWeights, columnQuality, columnDate} {
			cell := row.Cells[len(bw.columns)+k]
			text := strings.TrimSpace(cell.Text + " " + cell.Spread)
			if key == columnWeights && r.Memory.Known {
				text = bw.T("format.quantity", "number", cell.Text, "unit", bw.T("unit.GB"))
			}
			row.More = append(row.More, render.Pair{Term: bw.T("board.column." + key), Text: text})
		}
		out = append(out, row)
	}
	reserve(out, len(bw.columns))
	return out
}

// reserve gives the spreads of each of the first columns the same width, so that
// the values before them stand under each other.
func reserve(rows []render.Row, columns int) {
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

// rankWhy says with how many others a row shares its rank, and why.
func (bw boardWriter) rankWhy(ranking board.Ranking, row int) string {
	for _, g := range ranking.Groups {
		if !slices.Contains(g.Rows, row) || len(g.Rows) < 2 {
			continue
		}
		switch {
		case g.NoRung:
			return bw.N("board.group.no_rung", len(g.Rows))
		case g.BySpread:
			return bw.N("board.group.spread", len(g.Rows))
		}
		return bw.N("board.group.method", len(g.Rows))
	}
	return ""
}

// most is the largest value of each column, for the bars.
func (bw boardWriter) most() []float64 {
	out := make([]float64, len(bw.columns))
	for j, col := range bw.columns {
		for i := range bw.board.Rows {
			if v := bw.board.Value(&bw.board.Rows[i], col); v.Known {
				out[j] = max(out[j], v.Number)
			}
		}
	}
	return out
}

func (bw boardWriter) boardCell(r *board.Row, col board.Column, most float64) render.BoardCell {
	v := bw.board.Value(r, col)
	c := format.Cell(bw.Printer, v)
	out := render.BoardCell{Text: c.Text, Spread: c.Spread, Missing: !v.Known, Sort: sortKey(v), Class: c.Class, Why: format.Why(bw.Printer, v)}
	if v.Known && len(v.Excluded) > 0 {
		out.Mark, out.Sort = bw.T("value.not_ranked"), ""
	}
	if d, _ := metric.Lookup(col.Metric); v.Known && d.Better == metric.HigherIsBetter {
		out.HasBar, out.Bar = true, barLength(v.Number, most)
	}
	return out
}

// withUnit writes a value with its unit, or why there is none.
func (bw boardWriter) withUnit(r *board.Row, col board.Column) string {
	v := bw.board.Value(r, col)
	if !v.Known {
		return format.Cell(bw.Printer, v).Text
	}
	return format.Quantity(bw.Printer, v)
}

// gigabyte is the unit in which the leaderboard shows weights.
const gigabyte = 1e9

func (bw boardWriter) weights(r *board.Row) render.BoardCell {
	if !r.Memory.Known {
		return render.BoardCell{Text: format.NotReported(bw.Printer), Class: "n none"}
	}
	text := bw.Number(r.Memory.WeightBytes/gigabyte, 1)
	c := render.BoardCell{Text: text, Sort: strconv.FormatFloat(r.Memory.WeightBytes, 'f', 0, 64), Class: "n"}
	if r.Memory.Nominal {
		c.Text = bw.T("value.approximate", "number", text)
		c.Why = bw.T("model.figure.weights_nominal")
	}
	return c
}

// qualityCell shows the science figure with the name of its benchmark.
func (bw boardWriter) qualityCell(r *board.Row) render.BoardCell {
	for _, q := range r.Quality {
		if q.Dimension != facts.Science || !q.Known || q.Figure.Value == nil {
			continue
		}
		c := render.BoardCell{Text: format.Quality(bw.Printer, q.Figure), Spread: q.Figure.Benchmark, Class: "q"}
		doubt := q.Figure.Doubt[string(bw.Lang())]
		if doubt != "" {
			c.Text = bw.T("value.doubtful", "number", c.Text)
		}
		if !q.SameModel {
			doubt = strings.TrimSpace(bw.T("board.quality_of", "model", q.Figure.Checkpoint) + ". " + doubt)
		}
		c.Why = doubt
		return c
	}
	return render.BoardCell{Text: format.NotReported(bw.Printer), Class: "q none"}
}

func (bw boardWriter) date(r *board.Row) render.BoardCell {
	return render.BoardCell{
		Text:  format.Measured(bw.Printer, r.Bundle),
		Sort:  strings.ReplaceAll(r.Date, "-", ""),
		Class: "n",
	}
}

// answers say who leads: by the column of the preset, or by the three that most
// readers ask for.
func (bw boardWriter) answers(preset string) []render.Number {
	if preset != "" {
		return bw.leaders(bw.T("board.answer.preset", "column", bw.label(bw.sort)), bw.sort)
	}
	limit := middle(bw.board.Contract.TTFTLimits)
	var out []render.Number
	for _, a := range []struct{ label, column string }{
		{bw.T("board.answer.one_user"), board.ColumnOneUser},
		{bw.T("board.answer.many_users"), board.ColumnManyUsers},
		{bw.T("board.answer.capacity", "limit", format.ExactMilliseconds(bw.Printer, float64(limit))), board.CapacityColumn(limit)},
	} {
		if col, ok := bw.board.Column(a.column); ok {
			out = append(out, bw.leaders(a.label, col)...)
		}
	}
	return out
}

// named is the number of leaders that are called by name.
const named = 3

// leaders gives the best value of a column and names the rows of its first rank
// group; none where nothing ranks.
func (bw boardWriter) leaders(label string, col board.Column) []render.Number {
	ranking := bw.board.RankBy(col)
	if len(ranking.Groups) == 0 {
		return nil
	}
	first := ranking.Groups[0].Rows
	best := bw.board.Value(&bw.board.Rows[first[0]], col)
	if !best.Known {
		return nil
	}
	n := render.Number{Label: label, Text: format.Quantity(bw.Printer, best)}
	for i, at := range first {
		if len(first) > named && i == named-1 {
			n.Note = bw.T("board.and_others", "count", len(first)-i)
			break
		}
		r := &bw.board.Rows[at]
		if c, ok := bw.byBundle(r.ID); ok {
			n.Names = append(n.Names, render.Name{Link: render.Link{Label: modelName(r), URL: c.route().url(bw.Lang())}, Configuration: r.Config.Profile})
		}
	}
	return []render.Number{n}
}

// elsewhere lists the measurements that the board leaves out, with the reason.
func (b *builder) elsewhere(shown *board.Board, w *i18n.Printer) *render.Table {
	t := &render.Table{
		Caption: w.T("board.elsewhere.caption"),
		Head:    []render.Head{{Label: w.T("board.column.model")}, {Label: w.T("board.elsewhere.reason")}},
	}
	add := func(id, reason string) {
		if c, ok := b.byBundle(id); ok {
			t.Rows = append(t.Rows, []render.Cell{{Text: modelName(c.row) + " " + c.Key.Profile, URL: c.route().url(w.Lang())}, {Text: reason}})
		}
	}
	for i := range b.set.Boards {
		bd := &b.set.Boards[i]
		for j := range bd.Rows {
			r := &bd.Rows[j]
			switch {
			case bd == shown && len(r.Unranked) > 0:
				add(r.ID, format.Reason(w, r.Unranked[0]))
			case bd != shown:
				add(r.ID, b.apart(bd, w))
			}
		}
	}
	for _, x := range b.set.Withdrawn {
		reason := w.T("reason.superseded")
		if x.Retraction != nil {
			reason = w.T("reason.retracted")
		}
		add(x.ID, reason)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// apart says why a board is not the one shown.
func (b *builder) apart(bd *board.Board, w *i18n.Printer) string {
	d := b.Content.Site.Defaults
	switch {
	case bd.Kind == bundle.Simulated:
		return w.T("board.elsewhere.simulated")
	case bd.Key.Platform != d.Platform:
		return w.T("board.elsewhere.other_platform", "platform", b.platformName(bd.Key.Platform))
	case bd.Key.Contract == "":
		return w.T("reason.no_contract")
	case bd.Contract == nil:
		return w.T("reason.unknown_contract")
	case bd.Key.Contract != d.Contract:
		return w.T("board.elsewhere.other_contract", "contract", bd.Key.Contract)
	}
	return w.T("board.elsewhere.other_source", "source", bd.Key.Source)
}

// sortKey is the number that a column is sorted by, empty when there is none.
// "No rung" is a result, the lowest there is.
func sortKey(v board.Value) string {
	switch {
	case v.Known:
		return strconv.FormatFloat(v.Number, 'g', -1, 64)
	case v.Missing == board.NoRung:
		return "0"
	}
	return ""
}

// barLength is a value's share of the largest, in whole percent, at least 1 for
// a value above zero.
func barLength(v, most float64) string {
	if most <= 0 || v <= 0 {
		return "0"
	}
	return strconv.Itoa(max(1, int(math.Round(100*v/most))))
}
