package llamabenchy

import (
	"fmt"
	"strings"

	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

const (
	benchyColumns = "a table of llama-benchy has a column \"test\" (pp1024, tg256 @ d4096, ctx_pp @ d4096 (c5)) and columns such as \"t/s\" and \"ttfr (ms)\""
	rewriteHint   = benchyColumns + "; other figures can be imported as concurrency-csv, once they are checked and written with the columns " + knownCSVShort
	knownCSVShort = "concurrency, prompt_tokens, output_tokens, ttft_mean_ms, latency_mean_s, tps_mean"
)

// refuse says why nothing was found: which table there is instead, with its
// rows as they were read, so that a person can decide what they mean.
func (r *reader) refuse() {
	for i, l := range r.lines {
		header := scan.SplitCells(l.Text, scan.Pipes)
		if len(header) < 2 || scan.IsRule(header) || i+1 >= len(r.lines) || !scan.IsRule(scan.SplitCells(r.lines[i+1].Text, scan.Pipes)) {
			continue
		}
		r.refuseTable(i, header)
		return
	}
	r.f.Add(0, "", "give the file that llama-benchy wrote, or the text that it printed", "holds no table, CSV, JSON or progress stream of llama-benchy")
}

// refuseTable lists the rows of a table of another shape.
func (r *reader) refuseTable(i int, header []string) {
	hint := rewriteHint
	if tests := labelsAmong(header); len(tests) > 0 {
		hint = fmt.Sprintf("the columns %s are tests: write a row for each, with its name in a column \"test\" and its figure in a column \"t/s\"; leave out what was not measured", strings.Join(tests, ", "))
	}
	var rows []scan.GridRow
	for _, l := range r.lines[i+2:] {
		cells := scan.SplitCells(l.Text, scan.Pipes)
		if len(cells) < 2 {
			break
		}
		rows = append(rows, scan.GridRow{Line: l, Cells: cells})
	}
	if len(rows) == 0 {
		r.f.Add(r.lines[i].No, "", "the program may have stopped before it measured anything", "the table has a header and no rows")
		return
	}
	r.f.Add(r.lines[i].No, "", hint, "no table of llama-benchy: the columns here are %s", scan.FirstNames(header))
	const most = 5
	for n, row := range rows {
		if n == most {
			r.f.Add(row.Line.No, "", hint, "and %d more rows", len(rows)-most)
			break
		}
		msg := "not imported: " + privacy.Clean(strings.Join(row.Cells, " | "))
		if suspect := oddDecimals(rows, n); suspect != "" {
			msg += " (" + suspect + ")"
		}
		r.f.Add(row.Line.No, "", hint, "%s", msg)
	}
}

// labelsAmong returns the header cells that are labels of tests.
func labelsAmong(header []string) []string {
	var labels []string
	for _, cell := range header {
		if l, ok := parseLabel(scan.HeaderName(cell)); ok && l.tokens > 0 {
			labels = append(labels, cell)
		}
	}
	return labels
}

// oddDecimals names a number of row n that has fewer decimals than most of its
// column while the next cell is a number too: a digit may have slipped over.
func oddDecimals(rows []scan.GridRow, n int) string {
	for col := 0; col+1 < len(rows[n].Cells); col++ {
		own, ok := cellDecimals(rows[n].Cells[col])
		if _, next := cellDecimals(rows[n].Cells[col+1]); !ok || !next {
			continue
		}
		more, all := 0, 0
		for _, row := range rows {
			if col < len(row.Cells) {
				if d, ok := cellDecimals(row.Cells[col]); ok {
					all++
					if d > own {
						more++
					}
				}
			}
		}
		if own > 0 && 2*more > all {
			return fmt.Sprintf("%s has fewer decimals than the rest of its column: a digit may have slipped into the next cell", rows[n].Cells[col])
		}
	}
	return ""
}

// cellDecimals counts the decimals of a cell that is one number.
func cellDecimals(cell string) (int, bool) {
	if m := scan.NumberPattern.FindString(cell); m == "" || m != cell {
		return 0, false
	}
	i := strings.LastIndexAny(cell, ".,")
	if i < 0 {
		return 0, true
	}
	return len(cell) - i - 1, true
}
