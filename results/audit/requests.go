package audit

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// slack keeps a share that equals its threshold from falling below it by the
// last bit of a division.
const slack = 1e-9

// successBelowThreshold finds open-loop cells of which fewer requests succeeded
// than the contract asks for: its figures describe only the survivors. With the
// threshold of 0.99, one failure in 200 or in 250 counts as a success.
func successBelowThreshold(in Input) []Finding {
	return eachCell(in, func(t *bundle.Test, c *bundle.Cell) []Finding {
		spec, ok := in.spec(t.Slug)
		if !ok || !spec.SuccessCounts() {
			return nil
		}
		completed, total, ok := c.Requests.Ended(promptsOf(spec, c))
		share := float64(completed) / float64(max(total, 1))
		if !ok || share >= in.Contract.SuccessThreshold-slack {
			return nil
		}
		return one(Finding{Code: SuccessBelowThreshold, Severity: Error, Args: []Arg{
			num("completed", float64(completed), metric.Requests),
			num("requests", float64(total), metric.Requests),
			num("share", share, metric.Ratio),
			num("threshold", in.Contract.SuccessThreshold, metric.Ratio),
		}})
	})
}

// promptsOf returns how many requests the contract sends at the cell's rate, or 0
// when it has no such rate.
func promptsOf(spec contract.Test, c *bundle.Cell) int {
	if rung := rungOf(spec, c); rung >= 0 {
		return spec.Cells()[rung].Prompts
	}
	return 0
}

// allRequestsFailed finds cells without one completed request. Tools print zeros
// for them: those are not measurements.
func allRequestsFailed(in Input) []Finding {
	return eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		if !allFailed(c) {
			return nil
		}
		_, total, _ := c.Requests.Ended(0)
		return one(Finding{Code: AllRequestsFailed, Severity: Error, Args: []Arg{
			num("requests", float64(total), metric.Requests),
		}})
	})
}

// zeroTTFT finds a time to first token of zero although requests completed: the
// client never saw a token arrive.
func zeroTTFT(in Input) []Finding {
	return eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		v, ok := mean(c, metric.TTFT)
		if !ok || v != 0 || allFailed(c) {
			return nil
		}
		f := Finding{Code: ZeroTTFT, Severity: Error, Metrics: []metric.Key{metric.TTFT}}
		if completed, _, ok := c.Requests.Ended(0); ok {
			f.Args = append(f.Args, num("completed", float64(completed), metric.Requests))
		}
		return one(f)
	})
}
