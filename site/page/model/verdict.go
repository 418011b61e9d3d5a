package model

import (
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/board"
	"example.org/arena/site/format"
	"example.org/arena/site/page"
)

// Verdict answers in a sentence or two what a configuration is good for.
func Verdict(c *page.Configuration, run *verdict.Run, p *i18n.Printer) string {
	return writer{conf: c, run: run, p: p}.verdict()
}

// verdict answers in a sentence or two what the configuration is good for.
func (w writer) verdict() string {
	var parts []string
	if v, ok := w.conf.Value(board.ColumnOneUser); ok && v.Known {
		parts = append(parts, w.p.T("model.verdict.one_user", "number", format.Quantity(w.p, v)))
	}
	if v, ok := w.conf.Value(board.ColumnManyUsers); ok && v.Known {
		parts = append(parts, w.p.N("model.verdict.many_users", v.At.Concurrency, "number", format.Quantity(w.p, v)))
	}
	limit := w.limit()
	if v, ok := w.conf.Value(board.CapacityColumn(limit)); ok {
		switch {
		case v.Known:
			parts = append(parts, w.p.T("model.verdict.capacity", "rate", format.Quantity(w.p, v), "limit", format.ExactMilliseconds(w.p, float64(limit))))
		case v.Missing == verdict.NoRung:
			parts = append(parts, w.p.T("model.verdict.no_rung", "limit", format.ExactMilliseconds(w.p, float64(limit))))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, w.loadVerdict()...)
	}
	if len(parts) == 0 {
		return w.p.T("model.verdict.none")
	}
	return strings.Join(parts, " ")
}

// loadVerdict speaks of a bundle without a contract: the speed at the lowest and
// the highest concurrency.
func (w writer) loadVerdict() []string {
	for _, s := range w.run.Tests {
		if s.Test == nil || len(s.Test.Cells) < 2 {
			continue
		}
		low := s.Value(0, metric.OutputRequest, verdict.Mean)
		high := s.Value(len(s.Test.Cells)-1, metric.OutputRequest, verdict.Mean)
		if low.Known && high.Known {
			return []string{w.p.T("model.verdict.load", "low", low.At.Concurrency, "low_speed", format.Quantity(w.p, low), "high", high.At.Concurrency, "high_speed", format.Quantity(w.p, high))}
		}
	}
	return nil
}

// limit is the limit on the first token that headlines use: the middle one of
// the contract.
func (w writer) limit() int {
	return page.MiddleLimit(w.conf.Limits())
}
