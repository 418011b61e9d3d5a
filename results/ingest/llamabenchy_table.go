package ingest

import (
	"maps"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
)

// readTable reads the table whose header stands in line i and returns the index
// of the line after it. Log lines between its rows go to the log.
func (r *benchReader) readTable(i int, g grid, cols []column) int {
	if name := repeated(cols); name != "" {
		r.f.add(g.line, name, "leave one of them out", "the column stands twice")
		return i + 1
	}
	end := r.collectRows(i+1, &g, cols)
	if len(g.rows) == 0 {
		hint := "the program may have stopped before it measured anything"
		if text := r.nextText(end); text != "" {
			hint += "; what follows is: " + privacy.Clean(text)
		}
		r.f.add(g.line, "", hint, "the table has a header and no rows")
		return end
	}
	t := tableReader{grid: g, cols: cols, std: "population", f: r.f}
	tool := llamaBenchy
	if isLlamaBench(g.header) {
		t.std, tool = "sample", llamaBench
	}
	before := len(r.f.list)
	rows := t.rows()
	if len(r.f.list) == before {
		r.addTable(rows, t, tool)
	}
	return end
}

// collectRows adds the rows from line i on to g and returns the index of the
// line after the last one.
func (r *benchReader) collectRows(i int, g *grid, cols []column) int {
	const patience = 30 // lines of log that may stand between two rows
	label := indexOf(cols, testColumn)
	end := i
	for j := i; j < len(r.lines) && j < end+patience; j++ {
		l := r.lines[j]
		cells := g.cellsOf(l.text)
		if isRule(cells) && j == end {
			end = j + 1
			continue
		}
		if r.endsTable(j, g) {
			break
		}
		if len(cells) < 2 {
			if g.sep != pipes && strings.TrimSpace(l.text) != "" && strings.ContainsRune(l.text, rune(g.sep)) {
				r.f.add(l.no, "", "check the quotes", "the row cannot be split into cells")
			}
			if g.sep != pipes {
				break
			}
			continue
		}
		if j > end {
			// After something else only a line that is certainly a row goes on.
			if len(cells) != len(g.header) {
				continue
			}
			if _, ok := parseLabel(cells[label]); !ok {
				break
			}
			for _, between := range r.lines[end:j] {
				r.run().log.take(between, r.f)
			}
		}
		g.rows = append(g.rows, gridRow{line: l, cells: cells})
		end = j + 1
	}
	return end
}

// endsTable reports whether line j opens something else.
func (r *benchReader) endsTable(j int, g *grid) bool {
	text := r.lines[j].text
	if versionPattern.MatchString(text) || footPattern.MatchString(text) || buildPattern.MatchString(text) {
		return true
	}
	if _, _, header := findHeader(r.lines[j]); header {
		return true
	}
	return g.sep == pipes && j+1 < len(r.lines) && isRule(g.cellsOf(r.lines[j+1].text))
}

// nextText returns the next line from i on that is not blank.
func (r *benchReader) nextText(i int) string {
	for ; i < len(r.lines); i++ {
		if s := strings.TrimSpace(r.lines[i].text); s != "" {
			return s
		}
	}
	return ""
}

// addTable turns rows into reports: one per model and, for llama-bench, per
// setting, since rows with the same label differ in them.
func (r *benchReader) addTable(rows []benchRow, t tableReader, tool string) {
	for start := 0; start < len(rows); {
		end := start + 1
		for end < len(rows) && rows[end].model == rows[start].model &&
			(tool != llamaBench || slices.Equal(rows[end].extra, rows[start].extra)) {
			end++
		}
		group := rows[start:end]
		rep := Report{
			File:   r.file,
			Line:   t.grid.line,
			Tool:   bundle.Tool{Name: tool},
			Model:  group[0].model,
			digits: t.digits,
		}
		if start > 0 {
			rep.Line = group[0].line
		}
		if !sameConcurrencyStyle(group) {
			r.f.add(group[0].line, "test", "name the concurrency in every row, as in pp1024 (c1), or in none", "some rows name their concurrency and others do not")
		}
		if tool == llamaBench {
			rep.Settings = group[0].extra
		} else {
			rep.Notes = noteExtra(group, t.cols)
		}
		if t.mark == comma {
			rep.Notes = append(rep.Notes, note(bundle.NoteDecimalComma, "example", t.example))
		}
		if found, read := t.repaired(); found != "" {
			rep.Notes = append(rep.Notes, note(bundle.NoteEncodingRepaired, "found", found, "read", read))
		}
		for _, p := range pairRows(group) {
			rep.cells = append(rep.cells, p.cell())
		}
		run := r.run()
		run.reports = append(run.reports, rep)
		start = end
	}
}

// sameConcurrencyStyle reports whether either all rows name their concurrency or
// none does: the tool does it for all or for none.
func sameConcurrencyStyle(rows []benchRow) bool {
	for _, row := range rows {
		if (row.label.concurrency == 0) != (rows[0].label.concurrency == 0) {
			return false
		}
	}
	return true
}

// noteExtra names the columns that mean nothing to the importer, with their
// value where all rows have the same.
func noteExtra(rows []benchRow, cols []column) []bundle.Note {
	values := map[string]map[string]bool{}
	for _, c := range cols {
		if c.kind == extraColumn {
			values[c.name] = map[string]bool{}
		}
	}
	for _, row := range rows {
		for _, e := range row.extra {
			values[e.Name][e.Value] = true
		}
	}
	var notes []bundle.Note
	for _, name := range slices.Sorted(maps.Keys(values)) {
		n := note(bundle.NoteColumnIgnored, "column", privacy.Clean(name))
		if len(values[name]) == 1 {
			for v := range values[name] {
				n.Args = append(n.Args, bundle.Setting{Name: "value", Value: privacy.Clean(v)})
			}
		}
		notes = append(notes, n)
	}
	return notes
}

// checkStray reports a row of figures that belongs to no table: its columns are
// lost, so it can be neither read nor passed over.
func (r *benchReader) checkStray(l textLine) {
	cells := splitCells(l.text, pipes)
	if len(cells) < 3 {
		return
	}
	labelled, figure := false, false
	for _, cell := range cells {
		_, ok := parseLabel(cell)
		labelled = labelled || ok
		figure = figure || strings.Contains(cell, "±") && numberPattern.MatchString(cell)
	}
	if labelled && figure {
		r.f.add(l.no, "", "include the header line of the table", "a row of figures without a header")
	}
}
