package model

import (
	"example.org/arena/i18n"
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
	"example.org/arena/site/format"
	"example.org/arena/site/render"
)

// client says how well the load generator kept up; nil where Arena did not send
// the requests.
func (w writer) client() *render.Client {
	out := &render.Client{}
	if requests, all := w.recorded(); requests > 0 {
		out.Lead = append(out.Lead, w.p.N("model.client.lead", requests))
		if !all {
			out.Lead = append(out.Lead, w.p.T("model.client.terms"))
		}
	}
	for _, t := range []*render.Table{w.calibration(), w.clientPerTest()} {
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
func (w writer) calibration() *render.Table {
	list := w.run.Bundle.Calibration
	if len(list) == 0 {
		return nil
	}
	ms := w.p.Unit(string(metric.Millisecond))
	t := &render.Table{
		Caption: w.p.T("model.client.calibration"),
		Head: []render.Head{
			{Label: w.p.T("model.client.when")},
			{Label: w.p.T("model.client.streams"), Numeric: true},
			{Label: w.p.T("method.parameter.requests"), Numeric: true},
			{Label: w.p.T("model.client.ttft_error"), Unit: ms, Numeric: true},
			{Label: w.p.T("model.client.itl_error"), Unit: ms, Numeric: true},
			{Label: w.p.T("model.client.late_p99"), Unit: ms, Numeric: true},
			{Label: w.p.T("model.client.late_max"), Unit: ms, Numeric: true},
		},
	}
	for _, k := range list {
		when := w.p.T("model.client.before")
		if k.When == "after" {
			when = w.p.T("model.client.after")
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: when},
			{Text: w.p.Integer(int64(k.Streams)), Class: "n"},
			{Text: w.p.Integer(int64(k.Requests)), Class: "n"},
			{Text: w.p.Number(float64(k.TTFTErrorUS)/1000, 2), Class: "n"},
			{Text: w.p.Number(float64(k.ITLErrorNS)/1e6, 3), Class: "n"},
			{Text: w.p.Number(float64(k.LateP99US)/1000, 2), Class: "n"},
			{Text: w.p.Number(float64(k.LateMaxUS)/1000, 2), Class: "n"},
		})
	}
	return t
}

// clientPerTest shows how the load generator kept up during each test, and what
// the server counted.
func (w writer) clientPerTest() *render.Table {
	ms := w.p.Unit(string(metric.Millisecond))
	t := &render.Table{
		Caption: w.p.T("model.client.caption"),
		Head: []render.Head{
			{Label: w.p.T("model.telemetry.test")},
			{Label: w.p.T("model.client.late_p99"), Unit: ms, Numeric: true},
			{Label: w.p.T("model.client.late_max"), Unit: ms, Numeric: true},
			{Label: w.p.T("model.client.held"), Numeric: true, Explain: w.p.T("model.client.held_text")},
			{Label: w.p.T("model.client.cache"), Numeric: true, Explain: w.p.T("model.client.cache_text")},
			{Label: w.p.T("model.client.preemptions"), Numeric: true, Explain: w.p.T("model.client.preemptions_text")},
			{Label: w.p.T("model.client.counted")},
		},
	}
	for _, s := range w.run.Tests {
		if s.Test == nil {
			continue
		}
		h := stat.HealthOf(s.Test)
		if !h.Known {
			continue
		}
		held, cache, preempted := format.Unknown(w.p), format.Unknown(w.p), format.Unknown(w.p)
		if h.Held != nil {
			held = render.Cell{Text: w.p.Percent(*h.Held, 1), Class: "n"}
		}
		if h.CountsHits {
			cache = render.Cell{Text: w.p.Percent(float64(h.HitTokens)/float64(max(h.QueryTokens, 1)), 1), Class: "n"}
		}
		if h.Preemptions != nil {
			preempted = render.Cell{Text: w.p.Integer(*h.Preemptions), Class: "n"}
		}
		var counted []string
		for _, way := range h.CountedBy {
			counted = append(counted, countedBy(w.p, way))
		}
		t.Rows = append(t.Rows, []render.Cell{
			{Text: format.TestName(w.p, s.Slug), URL: "#test-" + s.Slug},
			{Text: w.p.Number(float64(h.LateP99US)/1000, 2), Class: "n"},
			{Text: w.p.Number(float64(h.LateMaxUS)/1000, 2), Class: "n"},
			held, cache, preempted,
			{Text: w.p.List(counted...), Class: "note"},
		})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// countedBy says how tokens were counted; a way without words stays as it is.
func countedBy(p *i18n.Printer, way string) string {
	if text, ok := p.Try("model.counted." + way); ok {
		return text
	}
	return way
}
