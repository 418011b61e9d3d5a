package method

import (
	"strings"

	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/site/format"
)

// lengths writes prompt and output length of a test.
func (w writer) lengths(t contract.Test) (prompt, output string) {
	if l := t.ClosedLoop; l != nil {
		return w.integers(l.PromptTokens), w.integers(l.OutputTokens)
	}
	if t.OpenLoop.InputTokens == 0 {
		return w.p.T("method.overview.natural"), w.p.T("method.overview.natural")
	}
	return w.p.T("value.approximate", "number", w.p.Integer(int64(t.OpenLoop.InputTokens))),
		w.p.T("value.approximate", "number", w.p.Integer(int64(t.OpenLoop.OutputTokens)))
}

// integers lists whole numbers.
func (w writer) integers(list []int) string {
	var out []string
	for _, n := range list {
		out = append(out, w.p.Integer(int64(n)))
	}
	return w.p.List(out...)
}

// load writes how a test's requests come.
func (w writer) load(t contract.Test) string {
	if l := t.ClosedLoop; l != nil && l.Turns > 1 {
		return w.p.N("method.load.turns", l.Turns, "concurrency", w.integers(l.Concurrency))
	} else if l != nil {
		return w.p.T("method.load.closed", "concurrency", w.integers(l.Concurrency))
	}
	l := t.OpenLoop
	if l.MaxConcurrency > 0 {
		return w.p.T("method.load.capped", "rates", w.rates(l), "burstiness", l.Burstiness, "cap", l.MaxConcurrency)
	}
	return w.p.T("method.load.open", "rates", w.rates(l), "burstiness", l.Burstiness)
}

// rates writes the arrival rates of a test.
func (w writer) rates(l *contract.OpenLoop) string {
	return w.p.T("format.quantity", "number", w.rateNumbers(l), "unit", w.p.Unit(string(metric.RequestsPerS)))
}

// rateNumbers writes the arrival rates of a test without their unit.
func (w writer) rateNumbers(l *contract.OpenLoop) string {
	var out []string
	for _, r := range l.Rungs {
		out = append(out, format.ExactNumber(w.p, r.RequestRate))
	}
	return w.p.List(out...)
}

// answers names the quantities that answer a test's question.
func (w writer) answers(t contract.Test) string {
	var out []string
	for _, key := range t.Primary {
		out = append(out, w.p.T("metric."+string(key)+".short"))
	}
	return strings.Join(out, " · ")
}

// limits writes the limits on the first token that the contract states.
func (w writer) limits() []string {
	var out []string
	for _, l := range w.contract.TTFTLimits {
		out = append(out, format.ExactMilliseconds(w.p, float64(l)))
	}
	return out
}
