package ingest

import (
	"fmt"
	"strings"

	"example.org/arena/results/privacy"
)

const (
	benchyColumns = "a table of llama-benchy has a column \"test\" (pp1024, tg256 @ d4096, ctx_pp @ d4096 (c5)) and columns such as \"t/s\" and \"ttfr (ms)\""
	rewriteHint   = benchyColumns + "; other figures can be imported as concurrency-csv, once they are checked and written with the columns " + knownCSVShort
	knownCSVShort = "concurrency, prompt_tokens, output_tokens, ttft_mean_ms, latency_mean_s, tps_mean"
)

// refuse says why nothing was found: which table there is instead, with its
// rows as they were read, so that a person can decide what they mean.
func (r *benchReader) refuse() {
	for i, l := range r.lines {
		header := splitCells(l.text, pipes)
		if len(header) < 2 || isRule(header) || i+1 >= len(r.lines) || !isRule(splitCells(r.lines[i+1].text, pipes)) {
			continue
		}
		r.refuseTable(i, header)
		return
	}
	r.f.add(0, "", "give the file that llama-benchy wrote, or the text that it printed", "holds no table, CSV, JSON or progress stream of llama-benchy")
}

// refuseTable lists the rows of a table of another shape.
func (r *benchReader) refuseTable(i int, header []string) {
	hint := rewriteHint
	if tests := labelsAmong(header); len(tests) > 0 {
		hint = fmt.Sprintf("the columns %s are tests: write a row for each, with its name in a column \"test\" and its figure in a column \"t/s\"; leave out what was not measured", strings.Join(tests, ", "))
	}
	var rows []gridRow
	for _, l := range r.lines[i+2:] {
		cells := splitCells(l.text, pipes)
		if len(cells) < 2 {
			break
		}
		rows = append(rows, gridRow{line: l, cells: cells})
	}
	if len(rows) == 0 {
		r.f.add(r.lines[i].no, "", "the program may have stopped before it measured anything", "the table has a header and no rows")
		return
	}
	r.f.add(r.lines[i].no, "", hint, "no table of llama-benchy: the columns here are %s", firstNames(header))
	const most = 5
	for n, row := range rows {
		if n == most {
			r.f.add(row.line.no, "", hint, "and %d more rows", len(rows)-most)
			break
		}
		msg := "not imported: " + privacy.Clean(strings.Join(row.cells, " | "))
		if suspect := oddDecimals(rows, n); suspect != "" {
			msg += " (" + suspect + ")"
		}
		r.f.add(row.line.no, "", hint, "%s", msg)
	}
}

// labelsAmong returns the header cells that are labels of tests.
func labelsAmong(header []string) []string {
	var labels []string
	for _, cell := range header {
		if l, ok := parseLabel(headerName(cell)); ok && l.tokens > 0 {
			labels = append(labels, cell)
		}
	}
	return labels
}

// oddDecimals names a number of row n that has fewer decimals than most of its
// column while the next cell is a number too: a digit may have slipped over.
func oddDecimals(rows []gridRow, n int) string {
	for col := 0; col+1 < len(rows[n].cells); col++ {
		own, ok := cellDecimals(rows[n].cells[col])
		if _, next := cellDecimals(rows[n].cells[col+1]); !ok || !next {
			continue
		}
		more, all := 0, 0
		for _, row := range rows {
			if col < len(row.cells) {
				if d, ok := cellDecimals(row.cells[col]); ok {
					all++
					if d > own {
						more++
					}
				}
			}
		}
		if own > 0 && 2*more > all {
			return fmt.Sprintf("%s has fewer decimals than the rest of its column: a digit may have slipped into the next cell", rows[n].cells[col])
		}
	}
	return ""
}

// cellDecimals counts the decimals of a cell that is one number.
func cellDecimals(cell string) (int, bool) {
	if m := numberPattern.FindString(cell); m == "" || m != cell {
		return 0, false
	}
	i := strings.LastIndexAny(cell, ".,")
	if i < 0 {
		return 0, true
	}
	return len(cell) - i - 1, true
}
