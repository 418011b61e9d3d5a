package llamabenchy

import (
	"maps"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// readTable reads the table whose header stands in line i and returns the index
// of the line after it. Log lines between its rows go to the log.
func (r *reader) readTable(i int, g scan.Grid, cols []column) int {
	if name := repeated(cols); name != "" {
		r.f.Add(g.Line, name, "leave one of them out", "the column stands twice")
		return i + 1
	}
	end := r.collectRows(i+1, &g, cols)
	if len(g.Rows) == 0 {
		hint := "the program may have stopped before it measured anything"
		if text := r.nextText(end); text != "" {
			hint += "; what follows is: " + privacy.Clean(text)
		}
		r.f.Add(g.Line, "", hint, "the table has a header and no rows")
		return end
	}
	t := tableReader{grid: g, cols: cols, std: "population", f: r.f}
	tool := Tool
	if isLlamaBench(g.Header) {
		t.std, tool = "sample", llamaBench
	}
	before := len(r.f.List)
	rows := t.rows()
	if len(r.f.List) == before {
		r.addTable(rows, t, tool)
	}
	return end
}

// collectRows adds the rows from line i on to g and returns the index of the
// line after the last one.
func (r *reader) collectRows(i int, g *scan.Grid, cols []column) int {
	const patience = 30 // lines of log that may stand between two rows
	label := indexOf(cols, testColumn)
	end := i
	for j := i; j < len(r.lines) && j < end+patience; j++ {
		l := r.lines[j]
		cells := g.CellsOf(l.Text)
		if scan.IsRule(cells) && j == end {
			end = j + 1
			continue
		}
		if r.endsTable(j, g) {
			break
		}
		if len(cells) < 2 {
			if g.Sep != scan.Pipes && strings.TrimSpace(l.Text) != "" && strings.ContainsRune(l.Text, rune(g.Sep)) {
				r.f.Add(l.No, "", "check the quotes", "the row cannot be split into cells")
			}
			if g.Sep != scan.Pipes {
				break
			}
			continue
		}
		if j > end {
			// After something else only a line that is certainly a row goes on.
			if len(cells) != len(g.Header) {
				continue
			}
			if _, ok := parseLabel(cells[label]); !ok {
				break
			}
			for _, between := range r.lines[end:j] {
				r.run().log.take(between, r.f)
			}
		}
		g.Rows = append(g.Rows, scan.GridRow{Line: l, Cells: cells})
		end = j + 1
	}
	return end
}

// endsTable reports whether line j opens something else.
func (r *reader) endsTable(j int, g *scan.Grid) bool {
	text := r.lines[j].Text
	if versionPattern.MatchString(text) || footPattern.MatchString(text) || buildPattern.MatchString(text) {
		return true
	}
	if _, _, header := findHeader(r.lines[j]); header {
		return true
	}
	return g.Sep == scan.Pipes && j+1 < len(r.lines) && scan.IsRule(g.CellsOf(r.lines[j+1].Text))
}

// nextText returns the next line from i on that is not blank.
func (r *reader) nextText(i int) string {
	for ; i < len(r.lines); i++ {
		if s := strings.TrimSpace(r.lines[i].Text); s != "" {
			return s
		}
	}
	return ""
}

// addTable turns rows into reports: one per model and, for llama-bench, per
// setting, since rows with the same label differ in them.
func (r *reader) addTable(rows []labelledRow, t tableReader, tool string) {
	for start := 0; start < len(rows); {
		end := start + 1
		for end < len(rows) && rows[end].model == rows[start].model &&
			(tool != llamaBench || slices.Equal(rows[end].extra, rows[start].extra)) {
			end++
		}
		group := rows[start:end]
		rep := Report{
			File:   r.file,
			Line:   t.grid.Line,
			Tool:   bundle.Tool{Name: tool},
			Model:  group[0].model,
			digits: t.digits,
		}
		if start > 0 {
			rep.Line = group[0].line
		}
		if !sameConcurrencyStyle(group) {
			r.f.Add(group[0].line, "test", "name the concurrency in every row, as in pp1024 (c1), or in none", "some rows name their concurrency and others do not")
		}
		if tool == llamaBench {
			rep.Settings = group[0].extra
		} else {
			rep.Notes = noteExtra(group, t.cols)
		}
		if t.mark == scan.Comma {
			rep.Notes = append(rep.Notes, bundle.NewNote(bundle.NoteDecimalComma, "example", t.example))
		}
		if found, read := t.repaired(); found != "" {
			rep.Notes = append(rep.Notes, bundle.NewNote(bundle.NoteEncodingRepaired, "found", found, "read", read))
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
func sameConcurrencyStyle(rows []labelledRow) bool {
	for _, row := range rows {
		if (row.label.concurrency == 0) != (rows[0].label.concurrency == 0) {
			return false
		}
	}
	return true
}

// noteExtra names the columns that mean nothing to the importer, with their
// value where all rows have the same.
func noteExtra(rows []labelledRow, cols []column) []bundle.Note {
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
		n := bundle.NewNote(bundle.NoteColumnIgnored, "column", privacy.Clean(name))
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
func (r *reader) checkStray(l scan.Line) {
	cells := scan.SplitCells(l.Text, scan.Pipes)
	if len(cells) < 3 {
		return
	}
	labelled, figure := false, false
	for _, cell := range cells {
		_, ok := parseLabel(cell)
		labelled = labelled || ok
		figure = figure || strings.Contains(cell, "±") && scan.NumberPattern.MatchString(cell)
	}
	if labelled && figure {
		r.f.Add(l.No, "", "include the header line of the table", "a row of figures without a header")
	}
}
