// Package audit checks measurements against what their contract, their model
// and plain arithmetic allow, and says what it found as data: a code, a
// severity, the place, and the numbers that triggered it. Words for readers
// come from the language catalogs under "finding.<code>".
//
// A rule never changes a number. A number is shown with its finding; when the
// finding is an Error the number is excluded from ranking as well, with the
// finding as its reason.
//
// Units: arguments carry their unit; shares and ratios lie in [0,1] unless a
// rule says otherwise.
package audit

import (
	"cmp"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/facts"
	"example.org/arena/results/metric"
)

// A Code names a finding. Codes are part of the command's interface.
type Code string

// The codes of the rules so far. Rules says what the findings of each carry.
const (
	SuccessBelowThreshold Code = "success_below_threshold"
	AllRequestsFailed     Code = "all_requests_failed"
	OutputTokensMismatch  Code = "output_tokens_mismatch"
	ZeroTTFT              Code = "zero_ttft"
	LatencySubtraction    Code = "latency_subtraction"
	MissingPrefill        Code = "missing_prefill"
	PeakBelowMean         Code = "peak_below_mean"
	MultiTokenChunks      Code = "multi_token_chunks"
	PerSlotRate           Code = "per_slot_rate"
	WrongTail             Code = "wrong_tail"
	StddevExceedsMean     Code = "stddev_exceeds_mean"
	HighVariation         Code = "high_variation"
	DepthIsTokens         Code = "depth_is_tokens"
	ContractDeviation     Code = "contract_deviation"
	TokenizerFallback     Code = "tokenizer_fallback"
	ProjectedValue        Code = "projected_value"
	PrefixCacheHit        Code = "prefix_cache_hit"
	ShortOutput           Code = "short_output"
	PromptTokensMismatch  Code = "prompt_tokens_mismatch"
	ClientSaturated       Code = "client_saturated"
	ConcurrencyNotHeld    Code = "concurrency_not_held"
	Throttled             Code = "throttled"
)

// A Severity says what a finding means for the numbers it concerns.
type Severity string

// The severities.
const (
	Info    Severity = "info"    // the number stands; here is how to read it
	Warning Severity = "warning" // the number stands and ranks, but is less certain or means less than its name says
	Error   Severity = "error"   // the number is not what its name says: shown, never ranked
)

// WholeTest is the Cell of a finding about a test as a whole.
const WholeTest = -1

// A Finding is one thing that a rule noticed.
type Finding struct {
	Code     Code
	Severity Severity
	Test     string       // slug of the test; empty when the finding is about the bundle
	Cell     int          // index into the test's cells, or WholeTest
	At       Point        // parameters of that cell; the zero Point for a whole test
	Metrics  []metric.Key // the quantities concerned; empty means every quantity of the place
	Args     []Arg        // the numbers that triggered it, in a fixed order per code
}

// An Arg is a number or a name that belongs to a finding.
type Arg struct {
	Name   string
	Number float64     // meaningful when Text is empty
	Unit   metric.Unit // of Number
	Text   string      // a flag, file or metric name: data, never localised
}

// A Point is the identity of a cell within its test.
type Point struct {
	PromptTokens int
	OutputTokens int
	DepthTokens  int
	Concurrency  int
	RequestRate  float64 // requests per second; 0 for a closed loop, +Inf for no pacing
	Phase        string
}

// Input is what a rule may look at. Everything but Bundle may be nil, which
// means unknown: a rule that needs it then finds nothing.
type Input struct {
	Bundle   *bundle.Bundle
	Contract *contract.Contract
	Platform *facts.Platform
	Model    *facts.Model
}

// Audit applies every rule. The rules see the figures that the bundle has: those
// that follow from recorded requests have to be in it already. Findings about the
// whole bundle come first, then those of each test in the bundle's order: the whole
// test, then its cells, each in the order of the rules.
func Audit(in Input) []Finding {
	if in.Bundle == nil {
		return nil
	}
	var all []Finding
	for _, r := range Rules {
		all = append(all, r.Check(in)...)
	}
	place := map[string]int{"": -1}
	for i, t := range in.Bundle.Tests {
		if _, seen := place[t.Slug]; !seen {
			place[t.Slug] = i
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(place[a.Test], place[b.Test]), cmp.Compare(a.Cell, b.Cell))
	})
	return all
}
