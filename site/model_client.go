package site

import (
	"slices"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

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
		held, cache, preempted := format.Unknown(m.Printer), format.Unknown(m.Printer), format.Unknown(m.Printer)
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
			counted = append(counted, countedBy(m.Printer, way))
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: format.TestName(m.Printer, s.Slug), URL: "#test-" + s.Slug},
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
func countedBy(w *i18n.Printer, way string) string {
	if text, ok := w.Try("model.counted." + way); ok {
		return text
	}
	return way
}
