package model

import (
	"fmt"
	"slices"

	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// tests makes the sections of all tests.
func (w writer) tests() []render.Test {
	var out []render.Test
	for i := range w.run.Tests {
		out = append(out, w.test(&w.run.Tests[i]))
	}
	w.shorten(out)
	return out
}

// test makes the section of one test.
func (w writer) test(s *verdict.Test) render.Test {
	t := render.Test{
		ID:       "test-" + s.Slug,
		Number:   format.TestNumber(s.Number),
		Name:     format.TestName(w.p, s.Slug),
		About:    testAbout(w.p, s),
		Commands: w.commands(s),
	}
	t.Status, t.StatusClass = w.status(s)
	weighty, remarks := bySeverity(w.findingsAbout(s.Slug))
	t.Findings, t.Remarks = w.findingsAt(weighty), w.findingsAt(remarks)
	if len(t.Remarks) > 0 {
		t.RemarksFold = w.p.N("model.finding.remarks", len(t.Remarks))
	}
	t.Reasons = w.testReasons(s)
	if s.Test == nil || len(s.Test.Cells) == 0 {
		return t
	}
	t.Tables = w.tables(s)
	t.Charts = w.testCharts(s)
	for i := range t.Charts {
		t.Charts[i].ID = fmt.Sprintf("chart-%s-%d", s.Slug, i+1)
	}
	return t
}

// testAbout says what a test is about. Conversations are one only where the
// contract asks for turns.
func testAbout(p *i18n.Printer, s *verdict.Test) string {
	if s.Spec != nil && s.Spec.Turns() > 1 {
		return p.N("model.test.conversation", s.Spec.Turns())
	}
	if key := "test." + s.Slug + ".about"; p.Has(key) {
		return p.T(key)
	}
	return ""
}

// status writes what became of a test, with the class of its mark.
func (w writer) status(s *verdict.Test) (text, class string) {
	switch {
	case w.conf.Board.Contract == nil:
		return w.p.N("model.status.cells", len(s.Test.Cells)), ""
	case s.Completeness == contract.NoData:
		return w.p.T("status.no_data.name"), "none"
	case s.Completeness == contract.StoppedEarly:
		return w.p.T("model.status.stopped", "measured", s.Measured, "planned", s.Planned), "part"
	case !s.Counts:
		return w.p.T("status." + s.Reasons[0].Code + ".name"), "bad"
	}
	return w.p.T("status.complete.name"), ""
}

// testReasons says why a test stopped or does not count.
func (w writer) testReasons(s *verdict.Test) []string {
	var out []string
	if s.Stopped != nil {
		out = append(out, w.p.T("stop."+s.Stopped.Reason+".text"))
	}
	if s.Success.Known && s.Success.Completed < s.Success.Requests && s.Spec != nil && !s.Spec.SuccessCounts() {
		out = append(out, w.p.T("model.status.success_closed",
			"completed", s.Success.Completed, "requests", s.Success.Requests, "share", s.Success.Share))
	} else if s.Success.Known && s.Success.Completed < s.Success.Requests {
		out = append(out, w.p.T("model.status.success",
			"completed", s.Success.Completed, "requests", s.Success.Requests, "share", s.Success.Share, "threshold", s.Success.Threshold))
	}
	if s.Test != nil {
		for i := range s.Test.Cells {
			if c := &s.Test.Cells[i]; c.Error != "" {
				out = append(out, w.p.T("model.status.failed", "place", format.Point(w.p, audit.PointOf(c)), "error", c.Error))
			}
		}
	}
	return append(out, format.Notes(w.p, testNotes(s.Test))...)
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
