package llamabenchy

import (
	"slices"
	"strings"

	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
)

// A columnKind says what a column of a table of llama-benchy holds.
type columnKind int

const (
	extraColumn columnKind = iota // unknown to us
	modelColumn
	testColumn
	figureColumn    // mean, or mean ± deviation
	deviationColumn // the deviation, where it has a column of its own
)

// A column is one column of a table, recognised by its header.
type column struct {
	kind    columnKind
	name    string // the source's own, without the suffix of mean and deviation
	prefill metric.Key
	decode  metric.Key
	unit    metric.Unit // that the header states, or empty
}

// figureColumns maps the names of columns, without their unit, to what they
// mean in a row about prompts and in a row about generation. An empty key means
// that the tool fills no such cell.
var figureColumns = map[string]struct{ prefill, decode metric.Key }{
	"t/s":            {metric.Prefill, metric.Decode},
	"t/s (total)":    {metric.Prefill, metric.Decode},
	"t/s (req)":      {metric.PrefillRequest, metric.DecodeRequest},
	"peak t/s":       {"", metric.Peak},
	"peak t/s (req)": {"", metric.PeakRequest},
	"ttfr":           {metric.TTFR, ""},
	"est_ppt":        {metric.EstimatedPrefill, ""},
	"e2e_ttft":       {metric.TTFT, ""},
	"t_s":            {metric.Prefill, metric.Decode},
	"t_s_req":        {metric.PrefillRequest, metric.DecodeRequest},
	"peak_ts":        {"", metric.Peak},
	"peak_ts_req":    {"", metric.PeakRequest},
}

// columnOf recognises one header cell.
func columnOf(cell string) column {
	name := scan.HeaderName(cell)
	switch name {
	case "model":
		return column{kind: modelColumn, name: name}
	case "test", "test_name":
		return column{kind: testColumn, name: name}
	}
	col := column{kind: figureColumn, name: name}
	base := name
	if open := strings.LastIndex(name, " ("); open > 0 && strings.HasSuffix(name, ")") {
		if unit, ok := scan.UnitOf(name[open+2 : len(name)-1]); ok {
			base, col.unit = name[:open], unit
		}
	}
	if m, ok := strings.CutSuffix(base, "_mean"); ok {
		base, col.name = m, m
	} else if m, ok := strings.CutSuffix(base, "_std"); ok {
		base, col.name, col.kind = m, m, deviationColumn
	}
	keys, ok := figureColumns[base]
	if !ok {
		return column{kind: extraColumn, name: cell}
	}
	col.prefill, col.decode = keys.prefill, keys.decode
	return col
}

// columnsOf recognises a header: it needs a test column and a figure.
func columnsOf(header []string) ([]column, bool) {
	cols := make([]column, len(header))
	for i, cell := range header {
		cols[i] = columnOf(cell)
	}
	return cols, indexOf(cols, testColumn) >= 0 && indexOf(cols, figureColumn) >= 0
}

// indexOf returns the position of the first column of a kind, or -1.
func indexOf(cols []column, kind columnKind) int {
	return slices.IndexFunc(cols, func(c column) bool { return c.kind == kind })
}

// repeated returns the name of a column that says the same as one before it, or "".
func repeated(cols []column) string {
	for i, c := range cols {
		for _, d := range cols[:i] {
			if c.kind == d.kind && c.kind != extraColumn && c.prefill == d.prefill && c.decode == d.decode {
				return c.name
			}
		}
	}
	return ""
}

// llamaBenchColumns are the columns by which a table of llama-bench, a different
// tool with the same row labels, is known.
var llamaBenchColumns = []string{"size", "params", "backend"}

// isLlamaBench reports whether the header is that of llama-bench.
func isLlamaBench(header []string) bool {
	names := make([]string, len(header))
	for i, cell := range header {
		names[i] = scan.HeaderName(cell)
	}
	for _, name := range llamaBenchColumns {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// findHeader recognises the header of a table in one line of text.
func findHeader(l scan.Line) (scan.Grid, []column, bool) {
	for _, sep := range scan.Separators {
		cells := scan.SplitCells(l.Text, sep)
		if cols, ok := columnsOf(cells); ok {
			g := scan.Grid{Sep: sep, Line: l.No, Header: cells, Open: sep == scan.Pipes && !strings.HasSuffix(strings.TrimSpace(scan.BoxPipes.Replace(l.Text)), "|")}
			if sep != scan.Pipes || !hasPrefixedPipe(l.Text) {
				return g, cols, true
			}
			g.Prefix = true
			g.Header = scan.SplitCells(scan.DropPrefix(l.Text), sep)
			cols, ok = columnsOf(g.Header)
			return g, cols, ok
		}
	}
	return scan.Grid{}, nil, false
}

// hasPrefixedPipe reports whether the text before the first pipe is not a header
// cell of the tool, so that a log writer must have put it there.
func hasPrefixedPipe(text string) bool {
	before, _, _ := strings.Cut(scan.BoxPipes.Replace(text), "|")
	before = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(before), ">"))
	return before != "" && columnOf(scan.CleanCell(before)).kind == extraColumn
}
