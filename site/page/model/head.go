package model

import (
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
	"example.org/arena/site/render"
)

// byline says where, by what rules and when it was measured, and by whom if not
// by this project.
func (w writer) byline() []string {
	b := w.run.Bundle
	parts := []string{w.site.PlatformName(b.Platform)}
	if w.conf.Board.Contract != nil {
		parts = append(parts, w.p.T("method.index.contract", "version", w.conf.Board.Contract.Version))
	}
	out := []string{strings.Join(append(parts, format.Date(w.p, w.conf.Shown().Measured)), " · ")}
	if b.Kind == bundle.Import {
		out = append(out, w.p.T("model.mark.imported", "credit", b.Credit))
	}
	return out
}

// Marks are the warnings that a reader must see before any number of a
// configuration.
func Marks(s *page.Site, c *page.Configuration, run *verdict.Run, p *i18n.Printer) []string {
	return writer{site: s, conf: c, run: run, p: p}.marks()
}

// marks are the warnings that a reader must see before any number.
func (w writer) marks() []string {
	var out []string
	if w.run.Bundle.Kind == bundle.Simulated {
		out = append(out, w.p.T("model.mark.simulated"))
	}
	if b := w.run.Bundle; b.Kind == bundle.Run && b.Engine.Dirty {
		out = append(out, w.p.T("model.mark.dirty"))
	}
	retraction, retracted := w.site.Content.Retraction(w.conf.Shown().ID)
	for _, r := range w.conf.Shown().Reasons {
		if r.Code != board.ReasonRetracted || !retracted {
			out = append(out, w.p.T("model.mark.not_current", "reason", format.Reason(w.p, r)))
		}
	}
	if retracted {
		out = append(out, w.p.T("model.mark.retracted", "date", retraction.Date,
			"reason", w.p.T("retraction.reason."+retraction.Reason), "text", retraction.Text[string(w.p.Lang())]))
	}
	return out
}

// figures are the numbers at the head of the page.
func (w writer) figures() []render.Number {
	var out []render.Number
	add := func(column, label string, note func(verdict.Value) string) {
		v, ok := w.conf.Value(column)
		if !ok {
			return
		}
		n := render.Number{Label: w.p.T(label)}
		if v.Known {
			n.Text, n.Note = format.Quantity(w.p, v), note(v)
			if s := format.Spread(w.p, v); s != "" {
				n.Unit = s
			}
		} else {
			n.Text, n.Note = format.Missing(w.p, v), format.WhyMissing(w.p, v)
		}
		out = append(out, n)
	}
	add(board.ColumnOneUser, "board.column.one_user", func(verdict.Value) string { return w.p.T("model.figure.one_user") })
	add(board.ColumnManyUsers, "model.figure.throughput", func(v verdict.Value) string { return w.p.N("model.figure.many_users", v.At.Concurrency) })
	add(board.ColumnTTFT, "board.column.ttft", func(verdict.Value) string { return w.p.T("model.figure.ttft") })
	if limit := w.limit(); limit > 0 {
		add(board.CapacityColumn(limit), "board.column.capacity", func(verdict.Value) string {
			return w.p.T("model.figure.capacity", "limit", format.ExactMilliseconds(w.p, float64(limit)))
		})
	}
	if mem := w.conf.Row.Memory; mem.Known {
		note := w.p.T("model.figure.weights")
		if mem.Nominal {
			note = w.p.T("model.figure.weights_nominal")
		}
		out = append(out, render.Number{Label: w.p.T("board.column.weights"), Text: w.p.Bytes(mem.WeightBytes), Note: note})
	}
	return out
}

// testsLead says how many of the contract's tests are complete.
func (w writer) testsLead() string {
	if w.conf.Board.Contract == nil {
		if pin := w.run.Bundle.Contract; pin != nil {
			return w.p.T("model.tests.lead_unknown_contract", "version", pin.Version)
		}
		return w.p.T("model.tests.lead_no_contract")
	}
	complete := 0
	for _, s := range w.run.Tests {
		if s.Completeness == contract.Complete && s.Counts {
			complete++
		}
	}
	return w.p.T("model.tests.lead", "contract", w.conf.Board.Contract.Version, "complete", complete, "all", len(w.conf.Board.Contract.Tests))
}
