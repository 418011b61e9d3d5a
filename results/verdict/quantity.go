package verdict

import (
	"slices"

	"example.org/arena/results/audit"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// A Quantity is a question to a run: one statistic of one metric in one cell of
// one test. Parameters that are zero do not choose: a test with one cell needs
// none.
type Quantity struct {
	Test         string // slug
	Metric       metric.Key
	Statistic    Statistic
	PromptTokens int     // closed loop
	Concurrency  int     // closed loop
	RequestRate  float64 // open loop with several rungs, requests per second
	LimitMS      int     // capacities only: limit on p95 TTFT
}

// Unknown returns the value of a quantity that is not known, with its reason.
func Unknown(q Quantity, why Missing) Value {
	return unknown(q.Metric, q.Statistic, Place{Test: q.Test, Cell: -1, LimitMS: q.LimitMS}, why)
}

// CellOf returns the place among the test's cells that a quantity is about: of
// those that fit, the one with the longest prompt and, then, the highest load. It
// is -1 when the contract asks for no such cell.
func CellOf(spec *contract.Test, q Quantity) int {
	best := -1
	cells := spec.Cells()
	for i, c := range cells {
		fits := (q.PromptTokens == 0 || q.PromptTokens == c.PromptTokens) &&
			(q.Concurrency == 0 || q.Concurrency == c.Concurrency) &&
			(q.RequestRate == 0 || q.RequestRate == c.RequestRate)
		if fits && (best < 0 || heavier(c, cells[best])) {
			best = i
		}
	}
	return best
}

func heavier(a, b contract.Cell) bool {
	if a.PromptTokens != b.PromptTokens {
		return a.PromptTokens > b.PromptTokens
	}
	return a.Concurrency > b.Concurrency || a.Concurrency == b.Concurrency && a.RequestRate > b.RequestRate
}

// quantity returns what became of a quantity of the test.
func (t *Test) quantity(q Quantity) Value {
	if t.Spec == nil {
		return Unknown(q, NotInContract)
	}
	if q.Metric == metric.Capacity {
		return t.Capacities([]int{q.LimitMS})[0].Rate
	}
	place := CellOf(t.Spec, q)
	switch {
	case place < 0:
		return Unknown(q, NotInContract)
	case t.Completeness == contract.NoData:
		return Unknown(q, NoData)
	case t.Cells[place] < 0:
		return Unknown(q, NotMeasured)
	}
	return t.withholding(t.Value(t.Cells[place], q.Metric, q.Statistic))
}

// withholding adds why the whole test does not count to a value of it.
func (t *Test) withholding(v Value) Value {
	if !v.Known && v.Missing != NoRung {
		return v
	}
	for _, r := range t.Reasons {
		said := slices.ContainsFunc(v.Excluded, func(have Reason) bool {
			return r.Code == ReasonBelowThreshold && have.Code == string(audit.SuccessBelowThreshold)
		})
		if !said {
			v.Excluded = append(v.Excluded, r)
		}
	}
	return v
}
