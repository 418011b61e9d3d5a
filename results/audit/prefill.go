package audit

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// prefillKeys are the quantities that a tool computes from the estimated prefill
// time.
var prefillKeys = []metric.Key{metric.Prefill, metric.PrefillRequest, metric.EstimatedPrefill}

// largestSubtraction is the share of the response time that may be subtracted as
// latency before the remainder says more about the subtraction than about the
// prefill. At a quarter, an error of the probe of a tenth moves the prefill
// rate by more than three percent.
const largestSubtraction = 0.25

// latencySubtraction finds prefill rates of a single request whose time is to
// more than a quarter a subtracted latency. The probe that is subtracted itself
// contains a short prefill, so the remainder is too small and the rate too high.
// With several requests the tool subtracts nothing from its totals.
func latencySubtraction(in Input) []Finding {
	return eachCell(in, func(t *bundle.Test, c *bundle.Cell) []Finding {
		response, ok := mean(c, metric.TTFR)
		if !ok || response <= 0 || c.Concurrency > 1 || open(c) || !hasPrefill(c) {
			return nil
		}
		latency, ok := subtracted(t, c, response)
		if !ok || latency/response <= largestSubtraction {
			return nil
		}
		return one(Finding{Code: LatencySubtraction, Severity: Error, Metrics: prefillKeys, Args: []Arg{
			num("latency", latency, metric.Millisecond),
			num("response", response, metric.Millisecond),
			num("share", latency/response, metric.Ratio),
			num("threshold", largestSubtraction, metric.Ratio),
		}})
	})
}

// subtracted returns the latency that the tool took off the response time, in ms:
// as stated, else the difference of the two times that it prints.
func subtracted(t *bundle.Test, c *bundle.Cell, response float64) (float64, bool) {
	if t.LatencyMS != nil {
		return *t.LatencyMS, true
	}
	rest, ok := mean(c, metric.EstimatedPrefill)
	return response - rest, ok
}

func hasPrefill(c *bundle.Cell) bool {
	return c.Figure(metric.Prefill) != nil || c.Figure(metric.PrefillRequest) != nil
}

// missingPrefill finds cells of a tool that always prints a prefill rate where it
// did not: the subtracted latency was longer than the response took, so nothing
// was left to divide by.
func missingPrefill(in Input) []Finding {
	return eachCell(in, func(t *bundle.Test, c *bundle.Cell) []Finding {
		decoded := c.Figure(metric.Decode) != nil || c.Figure(metric.DecodeRequest) != nil
		if !in.printsPrefill(t) || open(c) || !decoded || hasPrefill(c) {
			return nil
		}
		f := Finding{Code: MissingPrefill, Severity: Warning, Metrics: prefillKeys}
		if t.LatencyMS != nil {
			f.Args = append(f.Args, num("latency", *t.LatencyMS, metric.Millisecond))
		}
		if response, ok := mean(c, metric.TTFR); ok {
			f.Args = append(f.Args, num("response", response, metric.Millisecond))
		}
		return one(f)
	})
}

// printsPrefill reports whether the test's tool prints a prefill rate per cell.
func (in Input) printsPrefill(t *bundle.Test) bool {
	if t.Tool != nil {
		return contract.Tool(t.Tool.Name).PrintsPrefill()
	}
	spec, ok := in.spec(t.Slug)
	return ok && spec.Tool().PrintsPrefill()
}
