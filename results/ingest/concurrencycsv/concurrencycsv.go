// Package concurrencycsv reads CSV with a row per concurrency: means and
// percentiles of latencies and rates, in the units that the header states.
package concurrencycsv

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
)

// A series is a quantity of which a concurrency table holds statistics, in
// columns named SERIES_STATISTIC_UNIT: "ttft_p90_ms". Rates have no unit in
// their name.
type series struct {
	key  metric.Key
	unit metric.Unit // of columns that name none
}

var seriesByName = map[string]series{
	"ttft":    {metric.TTFT, ""},
	"itl":     {metric.ITL, ""},
	"tpot":    {metric.TPOT, ""},
	"latency": {metric.E2E, ""},
	"e2e":     {metric.E2E, ""},
	"tps":     {metric.OutputRequest, metric.TokensPerS},
}

// A column is one column of a concurrency table.
type column struct {
	name   string // as the header has it
	kind   string // "concurrency", "count", "value" or "statistic"
	series string
	key    metric.Key
	from   metric.Unit
	stat   string // "mean", "median", "min", "max", "std" or "p90"
}

var (
	statPattern  = regexp.MustCompile(`^([a-z0-9]+)_(mean|median|min|max|p\d{1,2}(?:\.\d+)?)(?:_(ms|s))?$`)
	counts       = []string{"prompt_tokens", "output_tokens", "requests", "completed", "failed"}
	knownColumns = "concurrency, ttft_mean_ms, itl_p90_ms, tpot_p50_ms, latency_mean_s, tps_mean, tps_p90, rps, " + strings.Join(counts, ", ")
	separators   = []scan.Separator{scan.Tabs, scan.Semicolon, scan.Commas}
)

// Parse reads a table with one row per concurrency and returns a
// cell for each, in the order of the file: statistics of the time to the first
// token, between tokens and of the whole request in ms or s, of the output rate
// of one request in tokens per second, and the rate of requests as the source
// states it. Columns may stand in any order and be left out. The error is of
// type Faults.
func Parse(in ingest.Input) ([]bundle.Cell, error) {
	f := scan.Faults{File: in.Name}
	t := table{f: &f}
	if lines := scan.Lines(in.Data, &f); len(f.List) == 0 {
		t.read(lines)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return t.cells, nil
}

// A table reads one concurrency table.
type table struct {
	f     *scan.Faults
	sep   scan.Separator
	cols  []column
	mark  scan.Mark
	rows  []scan.GridRow
	cells []bundle.Cell
}

// read reads header and rows.
func (t *table) read(lines []scan.Line) {
	var count scan.MarkCount
	for _, l := range lines {
		if text := strings.TrimSpace(l.Text); text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if t.cols == nil {
			if !t.header(l) {
				return
			}
			continue
		}
		cells := scan.SplitCells(l.Text, t.sep)
		if len(cells) != len(t.cols) {
			t.f.Add(l.No, "", "give every row as many cells as the header", "the row has %d cells, the header has %d", len(cells), len(t.cols))
			continue
		}
		if l.Moved || scan.Broken(l.Text) {
			t.f.Add(l.No, "", scan.UTF8Hint, "the row holds bytes that are not text")
			continue
		}
		t.rows = append(t.rows, scan.GridRow{Line: l, Cells: cells})
		for i, cell := range cells {
			if t.cols[i].kind != "concurrency" && t.cols[i].kind != "count" {
				count.See(cell)
			}
		}
	}
	switch {
	case t.cols == nil:
		t.f.Add(0, "", "the first line names the columns: "+knownColumns, "the file is empty")
	case len(t.rows) == 0 && len(t.f.List) == 0:
		t.f.Add(0, "", "", "the table has a header and no rows")
	}
	var err error
	if t.mark, err = count.Decide(t.sep); err != nil {
		t.f.Add(0, "", scan.MarkHint, "%v", err)
	}
	if len(t.f.List) == 0 {
		t.convert()
	}
}

// header reads the header line.
func (t *table) header(l scan.Line) bool {
	for _, sep := range separators {
		cells := scan.SplitCells(l.Text, sep)
		if !slices.ContainsFunc(cells, func(c string) bool { return scan.HeaderName(c) == "concurrency" }) {
			continue
		}
		t.sep = sep
		for _, cell := range cells {
			t.cols = append(t.cols, t.column(l.No, cell))
		}
		return len(t.f.List) == 0
	}
	t.f.Add(l.No, "", "the first line names the columns: "+knownColumns, "no header with a column \"concurrency\"")
	return false
}

// column recognises one header cell.
func (t *table) column(line int, cell string) column {
	name := scan.HeaderName(cell)
	col := column{name: name}
	m := statPattern.FindStringSubmatch(name)
	switch {
	case name == "concurrency":
		col.kind = name
	case slices.Contains(counts, name):
		col.kind = "count"
	case name == "rps":
		col.kind, col.key, col.from = "value", metric.RequestRate, metric.RequestsPerS
	case m != nil:
		series, ok := seriesByName[m[1]]
		unit := cmp.Or(metric.Unit(m[3]), series.unit)
		switch {
		case !ok:
			t.f.Add(line, name, "the columns are "+knownColumns, "unknown quantity %q", m[1])
		case unit == "":
			t.f.Add(line, name, "end the name in _ms or _s", "the column does not say its unit")
		case series.unit != "" && m[3] != "":
			t.f.Add(line, name, "the columns are "+knownColumns, "a rate in units of time")
		}
		col.kind, col.series, col.key, col.from, col.stat = "statistic", m[1], series.key, unit, m[2]
	default:
		t.f.Add(line, name, "the columns are "+knownColumns+"; leave others out", "unknown column")
	}
	for _, other := range t.cols {
		if other.name == name {
			t.f.Add(line, name, "", "the column stands twice")
		} else if other.kind == "statistic" && other.key == col.key && (other.series != col.series || other.from != col.from) {
			t.f.Add(line, name, "give each quantity once, in one unit", "says the same as %s", other.name)
		}
	}
	return col
}

// convert turns the rows into cells.
func (t *table) convert() {
	seen := map[int]int{}
	for _, r := range t.rows {
		c := bundle.Cell{}
		for i, col := range t.cols {
			t.cell(&c, r.Line.No, col, r.Cells[i])
		}
		if c.Concurrency == 0 {
			continue // its fault is recorded
		}
		if first, twice := seen[c.Concurrency]; twice {
			t.f.Add(r.Line.No, "concurrency", "give one row per concurrency", "%d stands in line %d already", c.Concurrency, first)
		}
		seen[c.Concurrency] = r.Line.No
		for i := range c.Reported {
			slices.SortFunc(c.Reported[i].Percentiles, func(a, b bundle.Percentile) int { return cmp.Compare(a.P, b.P) })
		}
		t.cells = append(t.cells, c)
	}
}

// cell reads one cell of the table into c. A cell that was not measured stays
// missing.
func (t *table) cell(c *bundle.Cell, line int, col column, text string) {
	if col.kind == "concurrency" || col.kind == "count" {
		t.count(c, line, col, text)
		return
	}
	if scan.IsMissing(text) {
		return
	}
	v, err := scan.ReadCell(text, t.mark)
	if err == nil && v.Std != "" {
		err = fmt.Errorf("%q is two numbers", text)
	}
	if err == nil && v.Unit != "" && v.Unit != col.from {
		err = fmt.Errorf("the cell says %s, the header %s", v.Unit, col.from)
	}
	if err == nil && strings.HasPrefix(v.Mean, "-") {
		err = fmt.Errorf("%q is negative", text)
	}
	if err != nil {
		t.f.Add(line, col.name, scan.HintFor(err), "%v", err)
		return
	}
	if v.NotFinite {
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteNotFinite, "keys", col.name))
		return
	}
	if v.Trailing != "" {
		c.Notes = append(c.Notes, bundle.NewNote(bundle.NoteTrailingText, "name", col.name, "text", v.Trailing))
	}
	t.set(c, col, v)
}

// set stores a statistic. A change of unit moves the decimal point of the
// printed number, and the name of the figure says so.
func (t *table) set(c *bundle.Cell, col column, v scan.CellValue) {
	def, _ := metric.Lookup(col.key)
	value := scan.PlainFloat(scan.ToUnit(v.Mean, col.from, def.Unit))
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
	fig.Approximate = fig.Approximate || v.Approximate
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
func (t *table) count(c *bundle.Cell, line int, col column, text string) {
	if scan.IsMissing(text) && col.kind == "count" {
		return
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > scan.MaxCount || n == 0 && col.kind == "concurrency" {
		t.f.Add(line, col.name, "write a whole number", "%q is not a count", text)
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
