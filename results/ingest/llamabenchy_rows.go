package ingest

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// A benchRow is one row of a table of llama-benchy or llama-bench.
type benchRow struct {
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
		if err != nil || n > maxCount {
			return rowLabel{}, false
		}
		*field = n
	}
	if m[5] != "" && l.concurrency == 0 || m[3] != "" && l.tokens == 0 {
		return rowLabel{}, false
	}
	return l, true
}

// maxCount bounds token counts and concurrencies: what lies above is no count,
// and the product of two counts stays an integer.
const maxCount = 1 << 30

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
	grid    grid
	cols    []column
	mark    decimalMark
	example string // a number that shows the decimal mark
	std     string // kind of the standard deviation
	digits  int    // the most decimals that a figure has
	f       *faultList
}

// rows reads every row. Faults go to the list.
func (t *tableReader) rows() []benchRow {
	var count markCount
	for _, r := range t.grid.rows {
		for i, cell := range r.cells {
			if i < len(t.cols) && t.isFigure(i) {
				count.see(cell)
			}
		}
	}
	var err error
	if t.mark, err = count.decide(t.grid.sep); err != nil {
		t.f.add(t.grid.line, "", markHint, "%v", err)
		return nil
	}
	t.example = count.comma
	var rows []benchRow
	for _, r := range t.grid.rows {
		if row, ok := t.row(r); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// repaired returns the first text of the table that was saved in the wrong
// encoding, and what it was read as.
func (t *tableReader) repaired() (found, read string) {
	for _, r := range t.grid.rows {
		if found, read = misread(r.line.text); found != "" {
			return found, read
		}
	}
	return "", ""
}

func (t *tableReader) isFigure(i int) bool {
	return t.cols[i].kind == figureColumn || t.cols[i].kind == deviationColumn
}

// row reads one row.
func (t *tableReader) row(r gridRow) (benchRow, bool) {
	cells := t.rejoinModel(r.cells)
	if short := len(t.cols) - len(cells); short > 0 && t.grid.sep == tabs || short == 1 && t.grid.open {
		cells = append(cells, make([]string, short)...) // tabs and blanks at the end of a line are easily lost
	}
	if len(cells) != len(t.cols) {
		t.f.add(r.line.no, "", "give every row as many cells as the header", "the row has %d cells, the header has %d", len(r.cells), len(t.cols))
		return benchRow{}, false
	}
	if r.line.moved || broken(r.line.text) {
		t.f.add(r.line.no, "", utf8Hint, "the row holds bytes that are not text")
		return benchRow{}, false
	}
	row := benchRow{line: r.line.no}
	if i := indexOf(t.cols, modelColumn); i >= 0 {
		row.model = cells[i]
	}
	label := cells[indexOf(t.cols, testColumn)]
	var ok bool
	if row.label, ok = parseLabel(label); !ok {
		t.f.add(r.line.no, "test", "labels look like pp1024, tg256 @ d4096 or ctx_pp @ d4096 (c5)", "unknown test label %q", label)
		return benchRow{}, false
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
func (t *tableReader) figures(row *benchRow, cells []string) {
	for i, col := range t.cols {
		if col.kind == extraColumn && cells[i] != "" {
			row.extra = append(row.extra, bundle.Setting{Name: col.name, Value: cells[i]})
		}
		if !t.isFigure(i) || isMissing(cells[i]) {
			continue
		}
		key := col.prefill
		if row.label.generation {
			key = col.decode
		}
		if key == "" {
			t.f.add(row.line, col.name, "check that no cell has slipped into its neighbour", "a %s row has no such figure, but the cell says %q", row.label.role(), cells[i])
			continue
		}
		t.figure(row, col, key, cells[i])
	}
	for _, fig := range row.figures {
		if fig.Mean == nil {
			t.f.add(row.line, fig.Name, "", "a deviation without a mean")
		}
	}
}

// figure reads one cell into the row.
func (t *tableReader) figure(row *benchRow, col column, key metric.Key, cell string) {
	def, _ := metric.Lookup(key)
	v, err := readCell(cell, t.mark)
	if err == nil && col.unit != "" && v.unit != "" && v.unit != col.unit {
		err = fmt.Errorf("the cell says %s, the header %s", v.unit, col.unit)
	}
	if err == nil && strings.HasPrefix(v.mean, "-") {
		err = fmt.Errorf("%q is negative", cell)
	}
	if err == nil && v.std != "" && col.kind == deviationColumn {
		err = fmt.Errorf("%q is two numbers in a column of deviations", cell)
	}
	from := cmp.Or(v.unit, col.unit, def.Unit)
	if err == nil && !convertible(from, def.Unit) {
		err = fmt.Errorf("%s is not a unit of %s", from, def.Key)
	}
	if err != nil {
		t.f.add(row.line, col.name, hintFor(err), "%v", err)
		return
	}
	if v.notFinite {
		row.notes = append(row.notes, note(bundle.NoteNotFinite, "keys", row.label.role()+" "+col.name))
		return
	}
	if v.trailing != "" {
		row.notes = append(row.notes, note(bundle.NoteTrailingText, "name", row.label.role()+" "+col.name, "text", v.trailing))
	}
	name := row.label.role() + " " + col.name
	if from != def.Unit {
		name += " (converted from " + string(from) + ")"
	}
	fig := row.named(key, name)
	fig.Unit, fig.Approximate = def.Unit, v.approximate
	if col.kind == deviationColumn {
		v.mean, v.std = "", v.mean
	}
	if v.mean != "" {
		t.digits = max(t.digits, decimalsOf(v.mean))
		fig.Mean = plainFloat(toUnit(v.mean, from, def.Unit))
	}
	if v.std != "" {
		fig.Std, fig.StdKind = plainFloat(toUnit(v.std, from, def.Unit)), t.std
	}
}

// named returns the row's figure of a metric, adding it when it is new.
func (r *benchRow) named(key metric.Key, name string) *bundle.Figure {
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

// plainFloat reads a number that readNumber accepted.
func plainFloat(plain string) *float64 {
	v, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return nil
	}
	return &v
}

func hintFor(err error) string {
	if strings.Contains(err.Error(), "thousands") || strings.Contains(err.Error(), "separator") {
		return markHint
	}
	return ""
}
