package llamabenchy

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
)

// A labelledRow is one row of a table of llama-benchy or llama-bench.
type labelledRow struct {
	line    int
	model   string
	label   rowLabel
	figures []bundle.Figure
	extra   []bundle.Setting // cells of columns unknown to us
	notes   []bundle.Note
}

// A rowLabel is what the test column says: "pp1024 @ d4096 (c5)".
type rowLabel struct {
	generation  bool // tg, else pp
	context     bool // ctx_pp or ctx_tg: the context load of a prefix-caching run
	tokens      int  // prompt tokens of pp, output tokens of tg; 0 in a context row
	depth       int
	concurrency int // 0 when the label names none
}

var labelPattern = regexp.MustCompile(`^(?:(ctx_pp|ctx_tg)|(pp|tg) ?(\d+))(?: ?@ ?d(\d+))?(?: ?\(c(\d+)\))?$`)

// parseLabel reads a row label.
func parseLabel(s string) (rowLabel, bool) {
	m := labelPattern.FindStringSubmatch(s)
	if m == nil {
		return rowLabel{}, false
	}
	l := rowLabel{context: m[1] != "", generation: m[1] == "ctx_tg" || m[2] == "tg"}
	for i, field := range []*int{&l.tokens, &l.depth, &l.concurrency} {
		if m[3+i] == "" {
			continue
		}
		n, err := strconv.Atoi(m[3+i])
		if err != nil || n > scan.MaxCount {
			return rowLabel{}, false
		}
		*field = n
	}
	if m[5] != "" && l.concurrency == 0 || m[3] != "" && l.tokens == 0 {
		return rowLabel{}, false
	}
	return l, true
}

// role names the row kind as the tool does.
func (l rowLabel) role() string {
	role := "pp"
	if l.generation {
		role = "tg"
	}
	if l.context {
		role = "ctx_" + role
	}
	return role
}

// A tableReader turns a grid into rows.
type tableReader struct {
	grid    scan.Grid
	cols    []column
	mark    scan.Mark
	example string // a number that shows the decimal mark
	std     string // kind of the standard deviation
	digits  int    // the most decimals that a figure has
	f       *scan.Faults
}

// rows reads every row. Faults go to the list.
func (t *tableReader) rows() []labelledRow {
	var count scan.MarkCount
	for _, r := range t.grid.Rows {
		for i, cell := range r.Cells {
			if i < len(t.cols) && t.isFigure(i) {
				count.See(cell)
			}
		}
	}
	var err error
	if t.mark, err = count.Decide(t.grid.Sep); err != nil {
		t.f.Add(t.grid.Line, "", scan.MarkHint, "%v", err)
		return nil
	}
	t.example = count.Comma
	var rows []labelledRow
	for _, r := range t.grid.Rows {
		if row, ok := t.row(r); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// repaired returns the first text of the table that was saved in the wrong
// encoding, and what it was read as.
func (t *tableReader) repaired() (found, read string) {
	for _, r := range t.grid.Rows {
		if found, read = scan.Misread(r.Line.Text); found != "" {
			return found, read
		}
	}
	return "", ""
}

func (t *tableReader) isFigure(i int) bool {
	return t.cols[i].kind == figureColumn || t.cols[i].kind == deviationColumn
}

// row reads one row.
func (t *tableReader) row(r scan.GridRow) (labelledRow, bool) {
	cells := t.rejoinModel(r.Cells)
	if short := len(t.cols) - len(cells); short > 0 && t.grid.Sep == scan.Tabs || short == 1 && t.grid.Open {
		cells = append(cells, make([]string, short)...) // tabs and blanks at the end of a line are easily lost
	}
	if len(cells) != len(t.cols) {
		t.f.Add(r.Line.No, "", "give every row as many cells as the header", "the row has %d cells, the header has %d", len(r.Cells), len(t.cols))
		return labelledRow{}, false
	}
	if r.Line.Moved || scan.Broken(r.Line.Text) {
		t.f.Add(r.Line.No, "", scan.UTF8Hint, "the row holds bytes that are not text")
		return labelledRow{}, false
	}
	row := labelledRow{line: r.Line.No}
	if i := indexOf(t.cols, modelColumn); i >= 0 {
		row.model = cells[i]
	}
	label := cells[indexOf(t.cols, testColumn)]
	var ok bool
	if row.label, ok = parseLabel(label); !ok {
		t.f.Add(r.Line.No, "test", "labels look like pp1024, tg256 @ d4096 or ctx_pp @ d4096 (c5)", "unknown test label %q", label)
		return labelledRow{}, false
	}
	t.figures(&row, cells)
	return row, true
}

// rejoinModel puts a model name together again that holds pipes, which the tool
// does not escape.
func (t *tableReader) rejoinModel(cells []string) []string {
	extra, at := len(cells)-len(t.cols), indexOf(t.cols, testColumn)
	if extra <= 0 || t.cols[0].kind != modelColumn {
		return cells
	}
	if _, ok := parseLabel(cells[at]); ok {
		return cells
	}
	if _, ok := parseLabel(cells[at+extra]); !ok {
		return cells
	}
	return append([]string{strings.Join(cells[:extra+1], "|")}, cells[extra+1:]...)
}

// figures reads the figures of a row.
func (t *tableReader) figures(row *labelledRow, cells []string) {
	for i, col := range t.cols {
		if col.kind == extraColumn && cells[i] != "" {
			row.extra = append(row.extra, bundle.Setting{Name: col.name, Value: cells[i]})
		}
		if !t.isFigure(i) || scan.IsMissing(cells[i]) {
			continue
		}
		key := col.prefill
		if row.label.generation {
			key = col.decode
		}
		if key == "" {
			t.f.Add(row.line, col.name, "check that no cell has slipped into its neighbour", "a %s row has no such figure, but the cell says %q", row.label.role(), cells[i])
			continue
		}
		t.figure(row, col, key, cells[i])
	}
	for _, fig := range row.figures {
		if fig.Mean == nil {
			t.f.Add(row.line, fig.Name, "", "a deviation without a mean")
		}
	}
}

// figure reads one cell into the row.
func (t *tableReader) figure(row *labelledRow, col column, key metric.Key, cell string) {
	def, _ := metric.Lookup(key)
	v, err := scan.ReadCell(cell, t.mark)
	if err == nil && col.unit != "" && v.Unit != "" && v.Unit != col.unit {
		err = fmt.Errorf("the cell says %s, the header %s", v.Unit, col.unit)
	}
	if err == nil && strings.HasPrefix(v.Mean, "-") {
		err = fmt.Errorf("%q is negative", cell)
	}
	if err == nil && v.Std != "" && col.kind == deviationColumn {
		err = fmt.Errorf("%q is two numbers in a column of deviations", cell)
	}
	from := cmp.Or(v.Unit, col.unit, def.Unit)
	if err == nil && !convertible(from, def.Unit) {
		err = fmt.Errorf("%s is not a unit of %s", from, def.Key)
	}
	if err != nil {
		t.f.Add(row.line, col.name, scan.HintFor(err), "%v", err)
		return
	}
	if v.NotFinite {
		row.notes = append(row.notes, bundle.NewNote(bundle.NoteNotFinite, "keys", row.label.role()+" "+col.name))
		return
	}
	if v.Trailing != "" {
		row.notes = append(row.notes, bundle.NewNote(bundle.NoteTrailingText, "name", row.label.role()+" "+col.name, "text", v.Trailing))
	}
	name := row.label.role() + " " + col.name
	if from != def.Unit {
		name += " (converted from " + string(from) + ")"
	}
	fig := row.named(key, name)
	fig.Unit, fig.Approximate = def.Unit, v.Approximate
	if col.kind == deviationColumn {
		v.Mean, v.Std = "", v.Mean
	}
	if v.Mean != "" {
		t.digits = max(t.digits, scan.DecimalsOf(v.Mean))
		fig.Mean = scan.PlainFloat(scan.ToUnit(v.Mean, from, def.Unit))
	}
	if v.Std != "" {
		fig.Std, fig.StdKind = scan.PlainFloat(scan.ToUnit(v.Std, from, def.Unit)), t.std
	}
}

// named returns the row's figure of a metric, adding it when it is new.
func (r *labelledRow) named(key metric.Key, name string) *bundle.Figure {
	for i := range r.figures {
		if r.figures[i].Metric == key && r.figures[i].Name == name {
			return &r.figures[i]
		}
	}
	r.figures = append(r.figures, bundle.Figure{Metric: key, Name: name})
	return &r.figures[len(r.figures)-1]
}

// convertible reports whether a unit of time or a rate can stand for another.
func convertible(from, to metric.Unit) bool {
	isTime := func(u metric.Unit) bool { return u == metric.Second || u == metric.Millisecond }
	return from == to || isTime(from) && isTime(to)
}
