package site

import (
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
	"example.org/arena/site/board"
	"example.org/arena/site/chart"
	"example.org/arena/site/render"
)

// What only runs of Arena's own have: figures that follow from recorded requests,
// repetitions, and how well the load generator kept up.

// ownColumns are the columns of a closed loop whose figures Arena computed, in
// order.
var ownColumns = []tableColumn{
	{metric.DecodeRequest, board.Mean},
	{metric.Decode, board.Mean},
	{metric.Output, board.Mean},
	{metric.TTFT, board.Mean},
	{metric.TTFT, board.P95},
	{metric.TPOT, board.Mean},
	{metric.E2E, board.Mean},
	{metric.Prefill, board.Mean},
	{metric.AcceptanceLength, board.Single},
	{metric.Energy, board.Single},
}

// computed reports whether the figures of a test follow from requests that its
// bundle records, and how many those are.
func (m modelWriter) computed(slug string) (requests int, ok bool) {
	t := m.item.Bundle.Test(slug)
	if t == nil {
		return 0, false
	}
	for i := range t.Cells {
		if c := &t.Cells[i]; stat.Derives(c) {
			requests += c.Records.Len()
			ok = true
		}
	}
	return requests, ok
}

// recorded counts the requests that figures of the page follow from, and says
// whether all tests with cells have such figures.
func (m modelWriter) recorded() (requests int, all bool) {
	all = true
	for i := range m.item.Bundle.Tests {
		t := &m.item.Bundle.Tests[i]
		n, ok := m.computed(t.Slug)
		requests += n
		all = all && (ok || len(t.Cells) == 0)
	}
	return requests, all
}

// repetitions shows the decode throughput of each repetition of a closed loop,
// with the interval of their mean; nil without repetitions.
func (m modelWriter) repetitions(s *board.TestStatus) *render.Table {
	most := 0
	for i := range s.Test.Cells {
		if f := s.Test.Cells[i].Figure(metric.Decode); f != nil {
			most = max(most, len(f.Values))
		}
	}
	if most < 2 {
		return nil
	}
	name := m.T("metric." + string(metric.Decode) + ".name")
	t := &render.Table{
		Caption: m.T("model.repetition.caption", "metric", name),
		Head:    []render.Head{{Label: m.T("model.table.cell")}},
	}
	t.Label = m.tableName(s, t.Caption)
	unit := m.Unit(string(metric.TokensPerS))
	for n := range most {
		t.Head = append(t.Head, render.Head{Label: m.T("model.repetition.number", "number", n+1), Unit: unit, Numeric: true})
	}
	t.Head = append(t.Head, render.Head{Label: m.T("model.repetition.interval"), Unit: unit, Numeric: true, Explain: m.T("model.repetition.interval_text")})
	for i := range s.Test.Cells {
		f := s.Test.Cells[i].Figure(metric.Decode)
		if f == nil || len(f.Values) == 0 {
			continue
		}
		row := []render.Cell{{Text: m.point(pointOf(s, i))}}
		for n := range most {
			if n < len(f.Values) {
				row = append(row, render.Cell{Text: m.Number(f.Values[n], 1), Class: "n"})
			} else {
				row = append(row, m.unknown())
			}
		}
		interval := m.unknown()
		if x := stat.FromFigure(*f).Interval; x != nil {
			interval = render.Cell{Text: m.T("model.repetition.range", "low", m.Number(max(0, x.Low), 1), "high", m.Number(x.High, 1)), Class: "n"}
		}
		t.Rows = append(t.Rows, append(row, interval))
	}
	return t
}

// turns shows the median time to first token of each turn of a test's
// conversations; nil without conversations.
func (m modelWriter) turns(s *board.TestStatus) *render.Table {
	t := &render.Table{Caption: m.T("model.turn.caption"), Head: []render.Head{{Label: m.T("model.table.cell")}}}
	t.Label = m.tableName(s, t.Caption)
	all, most := m.byTurn(s)
	if most < 2 {
		return nil
	}
	for n := range most {
		t.Head = append(t.Head, render.Head{Label: m.T("model.turn.number", "number", n+1), Unit: m.Unit(string(metric.Millisecond)), Numeric: true})
	}
	for i, turns := range all {
		row := []render.Cell{{Text: m.point(pointOf(s, i))}}
		for n := range most {
			if n < len(turns) && turns[n].Median != nil {
				row = append(row, render.Cell{Text: m.Number(*turns[n].Median, 0), Class: "n"})
			} else {
				row = append(row, m.unknown())
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// byTurn describes the first tokens of each turn, per cell of a test, and returns
// how many turns there are.
func (m modelWriter) byTurn(s *board.TestStatus) (all [][]stat.Summary, most int) {
	for i := range s.Test.Cells {
		turns := stat.TTFTByTurn(&s.Test.Cells[i])
		all, most = append(all, turns), max(most, len(turns))
	}
	return all, most
}

// turnChart shows the time to first token against the turn of a conversation, a
// line per concurrency.
func (m modelWriter) turnChart(s *board.TestStatus) []drawing {
	all, most := m.byTurn(s)
	if most < 2 {
		return nil
	}
	line := chart.Line{
		Title:       m.T("model.chart.turn.title", "test", m.testName(s.Slug)),
		Description: m.T("model.chart.turn.text"),
		X:           chart.Axis{Name: m.T("model.chart.turn_axis"), Format: m.tick},
		Y:           chart.Axis{Name: m.T("model.chart.ttft_seconds"), Format: m.tick},
	}
	for n := range most {
		line.X.Ticks = append(line.X.Ticks, float64(n+1))
	}
	for i, turns := range all {
		where := m.T("model.point.concurrency", "concurrency", s.Test.Cells[i].Concurrency)
		series := chart.Series{Name: where, Slot: i}
		for n, turn := range turns {
			p := chart.Point{X: float64(n + 1)}
			if turn.Median != nil {
				p.Y = pointer(*turn.Median / 1000)
				p.Label = m.T("model.chart.point", "where", where+", "+m.T("model.turn.number", "number", n+1), "value", m.Milliseconds(*turn.Median))
			}
			series.Points = append(series.Points, p)
		}
		if !empty(series) {
			line.Series = append(line.Series, series)
		}
	}
	if len(line.Series) == 0 {
		return nil
	}
	return []drawing{{m.T("model.chart.turn.caption"), line}}
}

// unknown is the field of a number that is not known.
func (w *words) unknown() render.Cell {
	return render.Cell{Text: w.T("missing.not_reported.short"), Class: "n none"}
}

// client says how well the load generator kept up; nil where Arena did not send
// the requests.
func (m modelWriter) client() *render.Client {
	out := &render.Client{}
	if requests, all := m.recorded(); requests > 0 {
		out.Lead = append(out.Lead, m.N("model.client.lead", requests))
		if !all {
			out.Lead = append(out.Lead, m.T("model.client.terms"))
		}
	}
	for _, t := range []*render.Table{m.calibration(), m.clientPerTest()} {
		if t != nil {
			out.Tables = append(out.Tables, t)
		}
	}
	if len(out.Lead)+len(out.Tables) == 0 {
		return nil
	}
	return out
}

// calibration shows how exact the load generator was against a server of known
// timing.
func (m modelWriter) calibration() *render.Table {
	list := m.row.Bundle.Calibration
	if len(list) == 0 {
		return nil
	}
	ms := m.Unit(string(metric.Millisecond))
	t := &render.Table{
		Caption: m.T("model.client.calibration"),
		Head: []render.Head{
			{Label: m.T("model.client.when")},
			{Label: m.T("model.client.streams"), Numeric: true},
			{Label: m.T("method.parameter.requests"), Numeric: true},
			{Label: m.T("model.client.ttft_error"), Unit: ms, Numeric: true},
			{Label: m.T("model.client.itl_error"), Unit: ms, Numeric: true},
			{Label: m.T("model.client.late_p99"), Unit: ms, Numeric: true},
			{Label: m.T("model.client.late_max"), Unit: ms, Numeric: true},
		},
	}
	for _, k := range list {
		when := m.T("model.client.before")
		if k.When == "after" {
			when = m.T("model.client.after")
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: when},
			{Text: m.Integer(int64(k.Streams)), Class: "n"},
			{Text: m.Integer(int64(k.Requests)), Class: "n"},
			{Text: m.Number(float64(k.TTFTErrorUS)/1000, 2), Class: "n"},
			{Text: m.Number(float64(k.ITLErrorNS)/1e6, 3), Class: "n"},
			{Text: m.Number(float64(k.LateP99US)/1000, 2), Class: "n"},
			{Text: m.Number(float64(k.LateMaxUS)/1000, 2), Class: "n"},
		})
	}
	return t
}

// A health sums up the load generator and the server's counters over the cells of
// a test: the worst of each.
type health struct {
	known            bool
	lateP99, lateMax int64
	held             *float64
	counted          []string // ways in which tokens were counted
	hits, queries    int64
	counts           bool // the server counts cache hits
	preemptions      *int64
}

func healthOf(t *bundle.Test) health {
	var h health
	for i := range t.Cells {
		if k := t.Cells[i].Client; k != nil {
			h.known = true
			h.lateP99, h.lateMax = max(h.lateP99, k.LateP99US), max(h.lateMax, k.LateMaxUS)
			if k.Held != nil && (h.held == nil || *k.Held < *h.held) {
				h.held = k.Held
			}
			if k.CountedBy != "" && !slices.Contains(h.counted, k.CountedBy) {
				h.counted = append(h.counted, k.CountedBy)
			}
		}
		k := t.Cells[i].Counters
		if k == nil {
			continue
		}
		if k.PrefixHitTokens != nil && k.PrefixQueryTokens != nil {
			h.counts = true
			h.hits, h.queries = h.hits+*k.PrefixHitTokens, h.queries+*k.PrefixQueryTokens
		}
		if k.Preemptions != nil {
			if h.preemptions == nil {
				h.preemptions = new(int64(0))
			}
			*h.preemptions += *k.Preemptions
		}
	}
	return h
}

// clientPerTest shows how the load generator kept up during each test, and what
// the server counted.
func (m modelWriter) clientPerTest() *render.Table {
	ms := m.Unit(string(metric.Millisecond))
	t := &render.Table{
		Caption: m.T("model.client.caption"),
		Head: []render.Head{
			{Label: m.T("model.telemetry.test")},
			{Label: m.T("model.client.late_p99"), Unit: ms, Numeric: true},
			{Label: m.T("model.client.late_max"), Unit: ms, Numeric: true},
			{Label: m.T("model.client.held"), Numeric: true, Explain: m.T("model.client.held_text")},
			{Label: m.T("model.client.cache"), Numeric: true, Explain: m.T("model.client.cache_text")},
			{Label: m.T("model.client.preemptions"), Numeric: true, Explain: m.T("model.client.preemptions_text")},
			{Label: m.T("model.client.counted")},
		},
	}
	for _, s := range m.row.Tests {
		if s.Test == nil {
			continue
		}
		h := healthOf(s.Test)
		if !h.known {
			continue
		}
		held, cache, preempted := m.unknown(), m.unknown(), m.unknown()
		if h.held != nil {
			held = render.Cell{Text: m.Percent(*h.held, 1), Class: "n"}
		}
		if h.counts {
			cache = render.Cell{Text: m.Percent(float64(h.hits)/float64(max(h.queries, 1)), 1), Class: "n"}
		}
		if h.preemptions != nil {
			preempted = render.Cell{Text: m.Integer(*h.preemptions), Class: "n"}
		}
		var counted []string
		for _, way := range h.counted {
			counted = append(counted, m.countedBy(way))
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: m.testName(s.Slug), URL: "#test-" + s.Slug},
			{Text: m.Number(float64(h.lateP99)/1000, 2), Class: "n"},
			{Text: m.Number(float64(h.lateMax)/1000, 2), Class: "n"},
			held, cache, preempted,
			{Text: m.List(counted...), Class: "note"},
		})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// countedBy says how tokens were counted; a way without words stays as it is.
func (w *words) countedBy(way string) string {
	if text, ok := w.Try("model.counted." + way); ok {
		return text
	}
	return way
}
