package site

import (
	"fmt"
	"slices"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// tests makes the sections of all tests.
func (m modelWriter) tests() []render.Test {
	var out []render.Test
	for i := range m.row.Tests {
		out = append(out, m.test(&m.row.Tests[i]))
	}
	m.shorten(out)
	return out
}

// shorten refers to the first test where a remark would repeat one in full.
func (m modelWriter) shorten(tests []render.Test) {
	first := map[render.Finding]string{}
	for _, t := range tests {
		for _, list := range [][]render.Finding{t.Findings, t.Remarks} {
			for i, f := range list {
				if at, seen := first[f]; seen {
					list[i].Text = m.T("model.finding.see", "test", at)
				} else {
					first[f] = strings.TrimSpace(t.Number + " " + t.Name)
				}
			}
		}
	}
}

// test makes the section of one test.
func (m modelWriter) test(s *board.TestStatus) render.Test {
	t := render.Test{
		ID:       "test-" + s.Slug,
		Number:   format.TestNumber(s.Number),
		Name:     format.TestName(m.Printer, s.Slug),
		About:    testAbout(m.Printer, s),
		Commands: m.commands(s),
	}
	t.Status, t.StatusClass = m.status(s)
	weighty, remarks := bySeverity(m.about(s.Slug))
	t.Findings, t.Remarks = m.findingsAt(weighty), m.findingsAt(remarks)
	if len(t.Remarks) > 0 {
		t.RemarksFold = m.N("model.finding.remarks", len(t.Remarks))
	}
	t.Reasons = m.testReasons(s)
	if s.Test == nil || len(s.Test.Cells) == 0 {
		return t
	}
	t.Tables = m.tables(s)
	t.Charts = m.testCharts(s)
	for i := range t.Charts {
		t.Charts[i].ID = fmt.Sprintf("chart-%s-%d", s.Slug, i+1)
	}
	return t
}

// testAbout says what a test is about. Conversations are one only where the
// contract asks for turns.
func testAbout(w *i18n.Printer, s *board.TestStatus) string {
	if s.Spec != nil && s.Spec.ClosedLoop != nil && s.Spec.ClosedLoop.Turns > 1 {
		return w.N("model.test.conversation", s.Spec.ClosedLoop.Turns)
	}
	slug := s.Slug
	if key := "test." + slug + ".about"; w.Has(key) {
		return w.T(key)
	}
	return ""
}

// status writes what became of a test, with the class of its mark.
func (m modelWriter) status(s *board.TestStatus) (text, class string) {
	switch {
	case m.board.Contract == nil:
		return m.N("model.status.cells", len(s.Test.Cells)), ""
	case s.Completeness == contract.NoData:
		return m.T("status.no_data.name"), "none"
	case s.Completeness == contract.StoppedEarly:
		return m.T("model.status.stopped", "measured", s.Measured, "planned", s.Planned), "part"
	case !s.Counts:
		return m.T("status." + s.Reasons[0].Code + ".name"), "bad"
	}
	return m.T("status.complete.name"), ""
}

// testReasons says why a test stopped or does not count.
func (m modelWriter) testReasons(s *board.TestStatus) []string {
	var out []string
	if s.Stopped != nil {
		out = append(out, m.T("stop."+s.Stopped.Reason+".text"))
	}
	if s.Success.Known && s.Success.Completed < s.Success.Requests && s.Spec != nil && s.Spec.Loop == contract.Closed {
		out = append(out, m.T("model.status.success_closed",
			"completed", s.Success.Completed, "requests", s.Success.Requests, "share", s.Success.Share))
	} else if s.Success.Known && s.Success.Completed < s.Success.Requests {
		out = append(out, m.T("model.status.success",
			"completed", s.Success.Completed, "requests", s.Success.Requests, "share", s.Success.Share, "threshold", s.Success.Threshold))
	}
	if s.Test != nil {
		for i := range s.Test.Cells {
			if c := &s.Test.Cells[i]; c.Error != "" {
				out = append(out, m.T("model.status.failed", "place", format.Point(m.Printer, audit.PointOf(c)), "error", c.Error))
			}
		}
	}
	return append(out, format.Notes(m.Printer, testNotes(s.Test))...)
}

// about returns the findings about a test, or about the bundle for "".
func (m modelWriter) about(slug string) []audit.Finding {
	var out []audit.Finding
	for _, f := range m.row.Findings {
		if f.Test == slug {
			out = append(out, f)
		}
	}
	return out
}

// bySeverity parts the findings that weigh on a number from those that only help
// to read it.
func bySeverity(all []audit.Finding) (weighty, remarks []audit.Finding) {
	for _, f := range all {
		if f.Severity == audit.Info {
			remarks = append(remarks, f)
		} else {
			weighty = append(weighty, f)
		}
	}
	return weighty, remarks
}

// findingsAt writes the findings of a test: each code once, at the first point
// where it was found, with the number of further ones.
func (m modelWriter) findingsAt(all []audit.Finding) []render.Finding {
	var out []render.Finding
	index := map[audit.Code]int{}
	more := map[audit.Code]int{}
	for _, f := range all {
		if _, seen := index[f.Code]; seen {
			more[f.Code]++
			continue
		}
		index[f.Code] = len(out)
		r := format.Finding(m.Printer, f)
		if f.Cell != audit.WholeTest {
			r.Text = m.T("model.finding.at", "place", format.Point(m.Printer, f.At), "text", r.Text)
		}
		out = append(out, r)
	}
	for code, n := range more {
		r := &out[index[code]]
		r.Text += " " + m.N("model.finding.more", n)
	}
	return out
}

// commands shows the command of a test: as recorded, or reconstructed from the
// contract and the metadata of the run.
func (m modelWriter) commands(s *board.TestStatus) []render.Command {
	if s.Test != nil && s.Test.Command != nil {
		return []render.Command{{
			ID:   "command-" + s.Slug,
			Kind: m.T("model.command.recorded"),
			Note: m.deviations(s),
			Text: shell(s.Test.Command.Argv),
		}}
	}
	if s.Spec == nil || m.board.Contract == nil {
		return nil
	}
	b := m.row.Bundle
	var out []render.Command
	for i, c := range m.board.Contract.Commands(*s.Spec, contract.Names{Model: b.Model.ID, ServedName: b.Model.ServedName}) {
		out = append(out, render.Command{
			ID:   fmt.Sprintf("command-%s-%d", s.Slug, i+1),
			Kind: m.T("model.command.reconstructed"),
			Note: c.Comment,
			Text: c.Shell(),
		})
	}
	return out
}

// deviations says in which parameters a recorded command differs from the
// contract's.
func (m modelWriter) deviations(s *board.TestStatus) string {
	if s.Spec == nil || m.board.Contract == nil {
		return ""
	}
	var parts []string
	for _, d := range m.board.Contract.Deviations(*s.Spec, s.Test.Command.Argv) {
		switch d.Kind {
		case contract.Extra:
			parts = append(parts, m.T("model.deviation.extra", "parameter", d.Parameter))
		case contract.Missing:
			parts = append(parts, m.T("model.deviation.missing", "parameter", d.Parameter))
		default:
			parts = append(parts, m.T("model.deviation.changed", "parameter", d.Parameter, "contract", d.Contract, "recorded", d.Recorded))
		}
	}
	if len(parts) == 0 {
		return m.T("model.command.as_contract")
	}
	return m.T("model.command.deviates", "list", m.List(parts...))
}

// shell writes an argv as a command line that can be pasted.
func shell(argv []string) string {
	return contract.Command{Argv: argv}.Shell()
}

// A tableColumn is a column of a test's table.
type tableColumn struct {
	key  metric.Key
	stat board.Statistic
}

// closedColumns are the columns of a closed loop, in order.
var closedColumns = []tableColumn{
	{metric.DecodeRequest, board.Mean},
	{metric.Decode, board.Mean},
	{metric.OutputRequest, board.Mean},
	{metric.OutputRequest, board.P90},
	{metric.TTFT, board.Mean},
	{metric.TTFT, board.P90},
	{metric.ITL, board.Mean},
	{metric.ITL, board.P90},
	{metric.E2E, board.Mean},
	{metric.E2E, board.P90},
	{metric.TPOT, board.Mean},
	{metric.Prefill, board.Mean},
	{metric.Output, board.Single},
	{metric.Total, board.Single},
	{metric.RequestRate, board.Single},
}

// sweepColumns are the columns of a rate sweep, in order.
var sweepColumns = []tableColumn{
	{metric.RequestRate, board.Single},
	{metric.TTFT, board.P50},
	{metric.TTFT, board.P95},
	{metric.TTFT, board.P99},
	{metric.TTFTScheduled, board.P95},
	{metric.Output, board.Single},
	{metric.PeakConcurrency, board.Single},
}

// tables makes the tables of a test.
func (m modelWriter) tables(s *board.TestStatus) []*render.Table {
	switch {
	case isOpen(s) && len(s.Test.Cells) == 1 && !isSweep(s):
		return m.openTables(s)
	case isOpen(s):
		tables := []*render.Table{m.cellTable(s, sweepColumns)}
		if len(m.limits()) > 0 {
			tables = append(tables, m.capacityTable(s))
		}
		return tables
	}
	if _, ok := m.computed(s.Slug); ok {
		tables := []*render.Table{m.cellTable(s, ownColumns)}
		for _, t := range []*render.Table{m.turns(s), m.repetitions(s)} {
			if t != nil {
				tables = append(tables, t)
			}
		}
		return tables
	}
	return []*render.Table{m.cellTable(s, closedColumns)}
}

// pointOf is the identity of a cell of a test.
func pointOf(s *board.TestStatus, cell int) audit.Point { return audit.PointOf(&s.Test.Cells[cell]) }

func isOpen(s *board.TestStatus) bool {
	if s.Spec != nil {
		return s.Spec.Loop == contract.Open
	}
	return s.Test.Cells[0].RequestRate != nil
}

func isSweep(s *board.TestStatus) bool {
	return s.Spec != nil && s.Spec.OpenLoop != nil && len(s.Spec.OpenLoop.Rungs) > 1
}

// cellTable has a row per cell. Columns without a single value are left out.
func (m modelWriter) cellTable(s *board.TestStatus, columns []tableColumn) *render.Table {
	t := &render.Table{Label: m.tableName(s, m.T("model.table.label")), Head: []render.Head{{Label: m.T("model.table.cell")}}}
	rows := make([][]render.Cell, len(s.Test.Cells))
	for i := range s.Test.Cells {
		rows[i] = []render.Cell{{Text: format.Point(m.Printer, audit.PointOf(&s.Test.Cells[i]))}}
	}
	for _, col := range columns {
		values := make([]board.Value, len(s.Test.Cells))
		known := false
		for i := range s.Test.Cells {
			values[i] = board.CellValue(s.Test, i, col.key, col.stat, m.row.Findings)
			known = known || values[i].Known
		}
		if !known {
			continue
		}
		t.Head = append(t.Head, format.Head(m.Printer, col.key, col.stat))
		for i, v := range values {
			rows[i] = append(rows[i], format.Cell(m.Printer, v))
		}
	}
	t.Rows = rows
	t.GatherMarks()
	if m.requestsKnown(s) {
		t.Head = append(t.Head, render.Head{Label: m.T("model.table.completed"), Explain: m.T("model.table.requests"), Numeric: true})
		for i := range s.Test.Cells {
			rows[i] = append(rows[i], m.requests(&s.Test.Cells[i]))
		}
	}
	if runs := s.Test.Cells[0].Runs; runs > 0 && hasSpread(rows) {
		t.Caption = m.N("model.table.runs", runs)
	}
	return t
}

// tableName names a table of a test among all tables of the page.
func (m modelWriter) tableName(s *board.TestStatus, text string) string {
	return m.T("model.finding.at", "place", format.TestName(m.Printer, s.Slug), "text", text)
}

// hasSpread reports whether any value is shown with its spread.
func hasSpread(rows [][]render.Cell) bool {
	for _, row := range rows {
		for _, c := range row {
			if c.Spread != "" {
				return true
			}
		}
	}
	return false
}

func (m modelWriter) requestsKnown(s *board.TestStatus) bool {
	for i := range s.Test.Cells {
		if r := s.Test.Cells[i].Requests; r != nil && r.Completed != nil {
			return true
		}
	}
	return false
}

// requests says how the requests of a cell ended.
func (m modelWriter) requests(c *bundle.Cell) render.Cell {
	completed, total, ok := audit.Outcome(c, 0)
	if !ok {
		return format.Unknown(m.Printer)
	}
	return render.Cell{Text: m.T("model.table.of", "completed", completed, "total", total), Class: "n"}
}

// latencies and totals are the rows of an open loop's tables, in order.
var (
	latencies = []metric.Key{
		metric.TTFT, metric.TTFTScheduled, metric.Queue, metric.TPOT, metric.ITL, metric.E2E, metric.E2EScheduled,
	}
	totals = []metric.Key{
		metric.Output, metric.RequestRate, metric.PeakConcurrency, metric.Duration, metric.AcceptanceLength, metric.Energy,
	}
)

// openTables show an open-loop test with one rate: latencies with their
// percentiles, and the figures of the whole test.
func (m modelWriter) openTables(s *board.TestStatus) []*render.Table {
	stats := []board.Statistic{board.Mean, board.P50, board.P90, board.P95, board.P99}
	lat := &render.Table{Caption: m.T("model.table.latencies"), Head: []render.Head{{Label: m.T("model.table.quantity")}}}
	lat.Label = m.tableName(s, lat.Caption)
	for _, st := range stats {
		lat.Head = append(lat.Head, render.Head{Label: m.T("statistic." + string(st) + ".name"), Numeric: true})
	}
	for _, key := range latencies {
		row := []render.Cell{{Text: m.T("metric." + string(key) + ".name")}}
		known := false
		for _, st := range stats {
			v := board.CellValue(s.Test, 0, key, st, m.row.Findings)
			v.Spread = nil // a spread over requests that differ by design says nothing about repetition
			c := format.Cell(m.Printer, v)
			if v.Known {
				known = true
				c.Text = m.Milliseconds(v.Number)
			}
			row = append(row, c)
		}
		if known {
			lat.Rows = append(lat.Rows, row)
		}
	}
	whole := &render.Table{Caption: m.T("model.table.whole"), Head: []render.Head{{Label: m.T("model.table.quantity")}, {Label: m.T("model.table.value"), Numeric: true}}}
	whole.Label = m.tableName(s, whole.Caption)
	for _, key := range totals {
		v := board.CellValue(s.Test, 0, key, board.Single, m.row.Findings)
		if v.Known {
			c := format.Cell(m.Printer, v)
			c.Text = format.Quantity(m.Printer, v)
			whole.Rows = append(whole.Rows, []render.Cell{{Text: m.T("metric." + string(key) + ".name")}, c})
		}
	}
	lat.GatherMarks()
	whole.GatherMarks()
	if c := &s.Test.Cells[0]; c.Requests != nil {
		whole.Rows = slices.Insert(whole.Rows, 0, []render.Cell{{Text: m.T("model.table.requests")}, m.requests(c)})
	}
	return []*render.Table{lat, whole}
}

// capacityTable shows the capacity of a sweep under each limit.
func (m modelWriter) capacityTable(s *board.TestStatus) *render.Table {
	t := &render.Table{
		Caption: m.T("model.capacity.caption"),
		Head: []render.Head{
			{Label: m.T("model.capacity.limit")},
			{Label: m.T("board.column.capacity"), Unit: m.Unit(string(metric.RequestsPerS)), Numeric: true},
			format.Head(m.Printer, metric.RequestRate, board.Single),
			format.Head(m.Printer, metric.TTFT, board.P95),
			format.Head(m.Printer, metric.Output, board.Single),
			format.Head(m.Printer, metric.PeakConcurrency, board.Single),
		},
	}
	for _, c := range s.Capacities(m.limits(), m.row.Findings) {
		row := []render.Cell{{Text: format.ExactMilliseconds(m.Printer, float64(c.LimitMS))}, format.Cell(m.Printer, c.Rate)}
		if c.Rung != nil {
			for _, v := range []board.Value{c.Rung.Achieved, c.Rung.TTFTP95, c.Rung.Output, c.Rung.Peak} {
				row = append(row, format.Cell(m.Printer, v))
			}
		} else {
			for range 4 {
				row = append(row, format.Unknown(m.Printer))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.GatherMarks()
	return t
}

// testNotes returns the notes on a test and on its cells.
func testNotes(t *bundle.Test) []bundle.Note {
	if t == nil {
		return nil
	}
	all := slices.Clone(t.Notes)
	for _, c := range t.Cells {
		all = append(all, c.Notes...)
	}
	return all
}
