package verdict

import (
	"slices"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// A Breach is a way in which a run did not do what its contract asks for.
type Breach struct {
	Test   string // slug; empty for the whole run
	Kind   BreachKind
	Status *Status    // of the test; nil for BreachFinding
	Code   audit.Code // for BreachFinding
}

// A BreachKind says what a breach is about.
type BreachKind string

// The kinds of breach.
const (
	BreachNoData   BreachKind = "no_data"  // nothing of the test was measured
	BreachCells    BreachKind = "cells"    // cells are missing, and the server's limit is not why
	BreachRequests BreachKind = "requests" // the test does not count
	BreachFinding  BreachKind = "finding"  // the audit says that the load was another one
)

// breaking are the findings that say that a run did not measure what its contract
// asks for. Others are about a tool's figures, or for readers to weigh.
var breaking = []audit.Code{
	audit.ShortOutput, audit.OutputTokensMismatch, audit.PromptTokensMismatch, audit.PrefixCacheHit, audit.ConcurrencyNotHeld,
}

// Breaches lists what of the tests in the bundle does not keep the contract, each
// once: tests in their order, then what the audit found.
func (r *Run) Breaches() []Breach {
	var out []Breach
	for i := range r.Tests {
		if kind := r.Tests[i].breach(); kind != "" {
			out = append(out, Breach{Test: r.Tests[i].Slug, Kind: kind, Status: &r.Tests[i].Status})
		}
	}
	for _, f := range r.Findings {
		b := Breach{Test: f.Test, Kind: BreachFinding, Code: f.Code}
		if f.Severity == audit.Error && slices.Contains(breaking, f.Code) && !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// breach returns how the test does not keep the contract, empty when it does. A
// test that the bundle does not have was not asked for.
func (t *Test) breach() BreachKind {
	switch {
	case t.Test == nil:
		return ""
	case t.Completeness == contract.NoData:
		return BreachNoData
	case t.Completeness == contract.StoppedEarly && (t.Stopped == nil || t.Stopped.Reason != bundle.StopSaturated):
		return BreachCells
	case !t.Counts:
		return BreachRequests
	}
	return ""
}

// Invalid returns the finding that says that the load generator could not hold the
// load, so that the run is no measurement; nil for a valid run.
func (r *Run) Invalid() *audit.Finding {
	i := slices.IndexFunc(r.Findings, func(f audit.Finding) bool {
		return f.Severity == audit.Error && f.Code == audit.ClientSaturated
	})
	if i < 0 {
		return nil
	}
	return &r.Findings[i]
}
