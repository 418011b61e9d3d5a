package audit

import (
	"math"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// outputTokensMismatch finds cells whose requests generated other than the
// number of tokens that the contract's seed fixes: the test draws every length
// and forbids the model to stop early, so the sum is known before the run.
//
// What may be missing is what the success threshold allows for requests, one
// percent at 0.99. Beyond it the server did less work than the test asks for
// and the cell does not rank. Within it the finding says whether failed requests
// explain the gap (Info) or not (Warning: a stream broke off and counted as a
// success).
//
// Of a run of Arena's own every request says what it asked for: more than that is
// found here, less by shortOutput.
func outputTokensMismatch(in Input) []Finding {
	return append(longOutput(in), eachCell(in, func(t *bundle.Test, c *bundle.Cell) []Finding {
		spec, ok := in.spec(t.Slug)
		if !ok || c.Tokens == nil || c.Tokens.Output == nil || allFailed(c) {
			return nil
		}
		rung := rungOf(spec, c)
		want, ok := in.Contract.ExpectedOutputTokens(spec, rung)
		got := *c.Tokens.Output
		if !ok || want <= 0 || got == want {
			return nil
		}
		share := float64(got-want) / float64(want)
		completed, total, known := c.Requests.Ended(promptsOf(spec, c))
		f := Finding{Code: OutputTokensMismatch, Severity: Warning, Args: []Arg{
			num("tokens", float64(got), metric.Tokens),
			num("expected", float64(want), metric.Tokens),
			num("share", share, metric.Ratio),
		}}
		if known {
			f.Args = append(f.Args, num("failed", float64(total-completed), metric.Requests))
		}
		switch {
		case math.Abs(share) > 1-in.Contract.SuccessThreshold+slack:
			f.Severity = Error
		case known && completed < total && got < want:
			f.Severity = Info
		}
		return one(f)
	})...)
}

// rungOf returns the place of the cell's rate among the contract's rungs, or -1.
func rungOf(spec contract.Test, c *bundle.Cell) int {
	a, ok := spec.Arrivals()
	if !ok || c.RequestRate == nil {
		return -1
	}
	for i, r := range a.Rungs {
		if r.RequestRate == float64(*c.RequestRate) {
			return i
		}
	}
	return -1
}
