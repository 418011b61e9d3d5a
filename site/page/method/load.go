package method

import (
	"strings"

	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/site/format"
)

// lengths writes prompt and output length of a test.
func (w writer) lengths(t contract.Test) (prompt, output string) {
	if g, closed := t.Grid(); closed {
		return w.integers(g.PromptTokens), w.integers(g.OutputTokens)
	}
	a, _ := t.Arrivals()
	if a.InputTokens == 0 {
		return w.p.T("method.overview.natural"), w.p.T("method.overview.natural")
	}
	return w.p.T("value.approximate", "number", w.p.Integer(int64(a.InputTokens))),
		w.p.T("value.approximate", "number", w.p.Integer(int64(a.OutputTokens)))
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
	if g, closed := t.Grid(); closed && t.Turns() > 1 {
		return w.p.N("method.load.turns", t.Turns(), "concurrency", w.integers(g.Concurrency))
	} else if closed {
		return w.p.T("method.load.closed", "concurrency", w.integers(g.Concurrency))
	}
	a, _ := t.Arrivals()
	if a.MaxConcurrency > 0 {
		return w.p.T("method.load.capped", "rates", w.rates(a), "burstiness", a.Burstiness, "cap", a.MaxConcurrency)
	}
	return w.p.T("method.load.open", "rates", w.rates(a), "burstiness", a.Burstiness)
}

// rates writes the arrival rates of a test.
func (w writer) rates(a contract.Arrivals) string {
	return w.p.T("format.quantity", "number", w.rateNumbers(a), "unit", w.p.Unit(string(metric.RequestsPerS)))
}

// rateNumbers writes the arrival rates of a test without their unit.
func (w writer) rateNumbers(a contract.Arrivals) string {
	var out []string
	for _, r := range a.Rungs {
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
