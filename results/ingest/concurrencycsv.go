package ingest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// A csvSeries is a quantity of which a concurrency table holds statistics, in
// columns named SERIES_STATISTIC_UNIT: "ttft_p90_ms". Rates have no unit in
// their name.
type csvSeries struct {
	key  metric.Key
	unit metric.Unit // of columns that name none
}

var csvSeriesByName = map[string]csvSeries{
	"ttft":    {metric.TTFT, ""},
	"itl":     {metric.ITL, ""},
	"tpot":    {metric.TPOT, ""},
	"latency": {metric.E2E, ""},
	"e2e":     {metric.E2E, ""},
	"tps":     {metric.OutputRequest, metric.TokensPerS},
}

// A csvColumn is one column of a concurrency table.
type csvColumn struct {
	name   string // as the header has it
	kind   string // "concurrency", "count", "value" or "statistic"
	series string
	key    metric.Key
	from   metric.Unit
	stat   string // "mean", "median", "min", "max", "std" or "p90"
}

var (
	statPattern   = regexp.MustCompile(`^([a-z0-9]+)_(mean|median|min|max|p\d{1,2}(?:\.\d+)?)(?:_(ms|s))?$`)
	csvCounts     = []string{"prompt_tokens", "output_tokens", "requests", "completed", "failed"}
	knownCSV      = "concurrency, ttft_mean_ms, itl_p90_ms, tpot_p50_ms, latency_mean_s, tps_mean, tps_p90, rps, " + strings.Join(csvCounts, ", ")
	csvSeparators = []separator{tabs, semicolon, commas}
)

// ParseConcurrencyCSV reads a table with one row per concurrency and returns a
// cell for each, in the order of the file: statistics of the time to the first
// token, between tokens and of the whole request in ms or s, of the output rate
// of one request in tokens per second, and the rate of requests as the source
// states it. Columns may stand in any order and be left out. The error is of
// type Faults.
func ParseConcurrencyCSV(in Input) ([]bundle.Cell, error) {
	f := faultList{file: in.Name}
	t := csvTable{f: &f}
	if lines := scrubText(in.Data, &f); len(f.list) == 0 {
		t.read(lines)
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return t.cells, nil
}

// A csvTable reads one concurrency table.
type csvTable struct {
	f     *faultList
	sep   separator
	cols  []csvColumn
	mark  decimalMark
	rows  []gridRow
	cells []bundle.Cell
}

// read reads header and rows.
func (t *csvTable) read(lines []textLine) {
	var count markCount
	for _, l := range lines {
		if text := strings.TrimSpace(l.text); text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if t.cols == nil {
			if !t.header(l) {
				return
			}
			continue
		}
		cells := splitCells(l.text, t.sep)
		if len(cells) != len(t.cols) {
			t.f.add(l.no, "", "give every row as many cells as the header", "the row has %d cells, the header has %d", len(cells), len(t.cols))
			continue
		}
		if l.moved || broken(l.text) {
			t.f.add(l.no, "", utf8Hint, "the row holds bytes that are not text")
			continue
		}
		t.rows = append(t.rows, gridRow{line: l, cells: cells})
		for i, cell := range cells {
			if t.cols[i].kind != "concurrency" && t.cols[i].kind != "count" {
				count.see(cell)
			}
		}
	}
	switch {
	case t.cols == nil:
		t.f.add(0, "", "the first line names the columns: "+knownCSV, "the file is empty")
	case len(t.rows) == 0 && len(t.f.list) == 0:
		t.f.add(0, "", "", "the table has a header and no rows")
	}
	var err error
	if t.mark, err = count.decide(t.sep); err != nil {
		t.f.add(0, "", markHint, "%v", err)
	}
	if len(t.f.list) == 0 {
		t.convert()
	}
}

// header reads the header line.
func (t *csvTable) header(l textLine) bool {
	for _, sep := range csvSeparators {
		cells := splitCells(l.text, sep)
		if !slices.ContainsFunc(cells, func(c string) bool { return headerName(c) == "concurrency" }) {
			continue
		}
		t.sep = sep
		for _, cell := range cells {
			t.cols = append(t.cols, t.column(l.no, cell))
		}
		return len(t.f.list) == 0
	}
	t.f.add(l.no, "", "the first line names the columns: "+knownCSV, "no header with a column \"concurrency\"")
	return false
}

// column recognises one header cell.
func (t *csvTable) column(line int, cell string) csvColumn {
	name := headerName(cell)
	col := csvColumn{name: name}
	m := statPattern.FindStringSubmatch(name)
	switch {
	case name == "concurrency":
		col.kind = name
	case slices.Contains(csvCounts, name):
		col.kind = "count"
	case name == "rps":
		col.kind, col.key, col.from = "value", metric.RequestRate, metric.RequestsPerS
	case m != nil:
		series, ok := csvSeriesByName[m[1]]
		unit := cmp.Or(metric.Unit(m[3]), series.unit)
		switch {
		case !ok:
			t.f.add(line, name, "the columns are "+knownCSV, "unknown quantity %q", m[1])
		case unit == "":
			t.f.add(line, name, "end the name in _ms or _s", "the column does not say its unit")
		case series.unit != "" && m[3] != "":
			t.f.add(line, name, "the columns are "+knownCSV, "a rate in units of time")
		}
		col.kind, col.series, col.key, col.from, col.stat = "statistic", m[1], series.key, unit, m[2]
	default:
		t.f.add(line, name, "the columns are "+knownCSV+"; leave others out", "unknown column")
	}
	for _, other := range t.cols {
		if other.name == name {
			t.f.add(line, name, "", "the column stands twice")
		} else if other.kind == "statistic" && other.key == col.key && (other.series != col.series || other.from != col.from) {
			t.f.add(line, name, "give each quantity once, in one unit", "says the same as %s", other.name)
		}
	}
	return col
}

// convert turns the rows into cells.
func (t *csvTable) convert() {
	seen := map[int]int{}
	for _, r := range t.rows {
		c := bundle.Cell{}
		for i, col := range t.cols {
			t.cell(&c, r.line.no, col, r.cells[i])
		}
		if c.Concurrency == 0 {
			continue // its fault is recorded
		}
		if first, twice := seen[c.Concurrency]; twice {
			t.f.add(r.line.no, "concurrency", "give one row per concurrency", "%d stands in line %d already", c.Concurrency, first)
		}
		seen[c.Concurrency] = r.line.no
		for i := range c.Reported {
			slices.SortFunc(c.Reported[i].Percentiles, func(a, b bundle.Percentile) int { return cmp.Compare(a.P, b.P) })
		}
		t.cells = append(t.cells, c)
	}
}

// cell reads one cell of the table into c. A cell that was not measured stays
// missing.
func (t *csvTable) cell(c *bundle.Cell, line int, col csvColumn, text string) {
	if col.kind == "concurrency" || col.kind == "count" {
		t.count(c, line, col, text)
		return
	}
	if isMissing(text) {
		return
	}
	v, err := readCell(text, t.mark)
	if err == nil && v.std != "" {
		err = fmt.Errorf("%q is two numbers", text)
	}
	if err == nil && v.unit != "" && v.unit != col.from {
		err = fmt.Errorf("the cell says %s, the header %s", v.unit, col.from)
	}
	if err == nil && strings.HasPrefix(v.mean, "-") {
		err = fmt.Errorf("%q is negative", text)
	}
	if err != nil {
		t.f.add(line, col.name, hintFor(err), "%v", err)
		return
	}
	if v.notFinite {
		c.Notes = append(c.Notes, note(bundle.NoteNotFinite, "keys", col.name))
		return
	}
	if v.trailing != "" {
		c.Notes = append(c.Notes, note(bundle.NoteTrailingText, "name", col.name, "text", v.trailing))
	}
	t.set(c, col, v)
}

// set stores a statistic. A change of unit moves the decimal point of the
// printed number, and the name of the figure says so.
func (t *csvTable) set(c *bundle.Cell, col csvColumn, v cellValue) {
	def, _ := metric.Lookup(col.key)
	value := plainFloat(toUnit(v.mean, col.from, def.Unit))
	name := cmp.Or(col.series, col.name)
	if col.from != def.Unit {
		name += " (converted from " + string(col.from) + ")"
	}
	i := slices.IndexFunc(c.Reported, func(fig bundle.Figure) bool { return fig.Name == name })
	if i < 0 {
		i = len(c.Reported)
		c.Reported = append(c.Reported, bundle.Figure{Metric: col.key, Name: name, Unit: def.Unit})
	}
	fig := &c.Reported[i]
	fig.Approximate = fig.Approximate || v.approximate
	switch col.stat {
	case "":
		fig.Value = value
	case "mean":
		fig.Mean = value
	case "median":
		fig.Median = value
	case "min":
		fig.Min = value
	case "max":
		fig.Max = value
	default:
		p, err := strconv.ParseFloat(col.stat[1:], 64)
		if err == nil && value != nil {
			fig.Percentiles = append(fig.Percentiles, bundle.Percentile{P: p, Value: *value})
		}
	}
}

// count reads a whole number.
func (t *csvTable) count(c *bundle.Cell, line int, col csvColumn, text string) {
	if isMissing(text) && col.kind == "count" {
		return
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxCount || n == 0 && col.kind == "concurrency" {
		t.f.add(line, col.name, "write a whole number", "%q is not a count", text)
		return
	}
	requests := func() *bundle.Requests {
		if c.Requests == nil {
			c.Requests = &bundle.Requests{}
		}
		return c.Requests
	}
	switch col.name {
	case "concurrency":
		c.Concurrency = n
	case "prompt_tokens":
		c.PromptTokens = n
	case "output_tokens":
		c.OutputTokens = n
	case "requests":
		requests().Planned = &n
	case "completed":
		requests().Completed = &n
	case "failed":
		requests().Failed = &n
	}
}
