package verdict

import (
	"example.org/arena/results/audit"
	"example.org/arena/results/metric"
)

// A Value is one number of a run with everything needed to read it. An
// unknown value has Known false and says why in Missing: its Number is then
// meaningless, not zero.
type Value struct {
	Known       bool
	Number      float64 // in Unit
	Unit        metric.Unit
	Metric      metric.Key
	Statistic   Statistic
	Spread      *Spread    // nil when none is known
	N           int        // samples behind Number; 0 when the source does not say
	Derived     metric.Key // the reported quantity that Number was computed from; empty when it was reported itself
	At          Place
	Bound       Kind            // how a known number relates to its quantity: Exact, AtLeast, LastMeasured or Overloaded; empty when unknown
	Approximate bool            // the source marks the value as approximate
	Missing     Missing         // why the value is unknown; empty when it is known
	Excluded    []Reason        // why a known value does not rank; empty when it does
	Findings    []audit.Finding // everything the audit says about it, the reasons for exclusion included
}

// Ranks reports whether the value takes part in a ranking. That no rung of a
// sweep stays under a limit is a result: it ranks, behind every rate.
func (v Value) Ranks() bool {
	return (v.Known || v.Missing == NoRung) && len(v.Excluded) == 0
}

// A Statistic says which summary of the samples a value is.
type Statistic string

// The statistics. Percentiles are written p50, p90, p95, p99.
const (
	Single Statistic = "" // one number for the whole cell
	Mean   Statistic = "mean"
	P50    Statistic = "p50"
	P90    Statistic = "p90"
	P95    Statistic = "p95"
	P99    Statistic = "p99"
)

// A Spread is a standard deviation, in the unit of its value.
type Spread struct {
	Number float64
	Kind   string // "population" (n), "sample" (n−1) or empty when unknown
	// Of says what the samples are: only a spread over repetitions tells how far a
	// repeated measurement would move the value.
	Of SampleUnit
}

// A SampleUnit says what varied between the samples of a spread.
type SampleUnit string

// What samples may be.
const (
	Repetitions SampleUnit = "runs"     // of the whole cell
	Requests    SampleUnit = "requests" // of the same cell, which differ by design
)

// A Place is where a value was measured.
type Place struct {
	Test string // slug; empty for a value that belongs to no test
	Cell int    // index into the test's cells; -1 for a value of the whole test
	audit.Point
	LimitMS int // limit on p95 TTFT, for capacities
}

// A Kind says in a word what became of a value.
type Kind string

// The kinds.
const (
	Exact        Kind = "exact"         // the quantity itself; a capacity that no rung reaches is one too
	AtLeast      Kind = "at_least"      // nothing higher was measured
	LastMeasured Kind = "last_measured" // the run broke off there; no value is judged so yet
	Overloaded   Kind = "overloaded"    // it grows with the length of the test; no value is judged so yet
	Excluded     Kind = "excluded"      // a number that is not what its name says: Value.Excluded tells why
	Unmeasured   Kind = "not_measured"  // no number: Value.Missing tells why
)

// Kind returns what became of the value.
func (v Value) Kind() Kind {
	switch {
	case !v.Known && v.Missing != NoRung:
		return Unmeasured
	case len(v.Excluded) > 0:
		return Excluded
	case !v.Known:
		return Exact
	}
	return v.Bound
}

// A Missing says why a value is unknown.
type Missing string

// The reasons why a value is unknown.
const (
	NotInContract Missing = "not_in_contract"     // the contract asks for no such measurement
	NoContract    Missing = "no_contract"         // the bundle follows no contract, or one that is not at hand
	NoData        Missing = "no_data"             // the test was not measured
	NotMeasured   Missing = "not_measured"        // the test was, this cell was not
	NotReported   Missing = "not_reported"        // the cell was, the source gives no such figure
	AllFailed     Missing = "all_requests_failed" // zeros of a cell without one completed request
	NoRung        Missing = "no_rung"             // measured, and no rung stays under the limit: a result
)

// A Reason is why something does not rank. Code is an audit code, one of those
// below or one of a board's; its words come from the catalogs.
type Reason struct {
	Code string
	Args []audit.Arg
}

// The reasons why a test does not count.
const (
	ReasonNoContract     = "no_contract"             // follows no contract
	ReasonBelowThreshold = "below_success_threshold" // too many requests of the test failed
	ReasonSuccessUnknown = "success_unknown"         // the source does not say how many requests succeeded
	ReasonNoData         = "no_data"                 // nothing of the test was measured
)
