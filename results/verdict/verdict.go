// Package verdict says what became of a run, of each of its tests and of each
// value: decided once, from the bundle, its contract, the figures that follow
// from recorded requests, and the findings of the audit. The exit code of a run,
// boards, pages, feeds and tables all take it from here.
//
// It knows no words and no language: a reason is a code with its numbers. It
// ranks nothing and compares no runs; that is for boards.
//
// Units: those of the metric package; shares lie in [0,1]; capacities are
// configured arrival rates in requests per second.
package verdict

import (
	"slices"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/facts"
	"example.org/arena/results/stat"
)

// A Run is what became of a bundle.
type Run struct {
	Source   *bundle.Bundle     // as it was recorded
	Bundle   *bundle.Bundle     // with the figures that follow from recorded requests
	Contract *contract.Contract // nil when the bundle follows none, or one that is not at hand
	Tests    []Test             // the contract's tests in its order, then others the bundle has
	Findings []audit.Finding    // in the order of the audit
}

// Of judges a bundle. Everything but the bundle may be nil, which means unknown;
// the contract is then not followed, and rules that need the others find nothing.
// The bundle is not changed.
func Of(b *bundle.Bundle, c *contract.Contract, p *facts.Platform, m *facts.Model) Run {
	r := Run{Source: b, Bundle: stat.WithFigures(b), Contract: c}
	r.Findings = audit.Audit(audit.Input{Bundle: r.Bundle, Contract: c, Platform: p, Model: m})
	r.Tests = r.tests()
	return r
}

// Test returns what became of a test, or nil when neither contract nor bundle has
// it.
func (r *Run) Test(slug string) *Test {
	i := slices.IndexFunc(r.Tests, func(t Test) bool { return t.Slug == slug })
	if i < 0 {
		return nil
	}
	return &r.Tests[i]
}

// Value returns what became of a quantity that a contract may ask for.
func (r *Run) Value(q Quantity) Value {
	if r.Contract == nil {
		return Unknown(q, NoContract)
	}
	if t := r.Test(q.Test); t != nil {
		return t.quantity(q)
	}
	return Unknown(q, NotInContract)
}

// Computed reports whether the figures of a cell follow from the requests that
// its bundle records.
func (r *Run) Computed(test, cell int) bool {
	return stat.HasRecordsOnly(&r.Source.Tests[test].Cells[cell])
}
