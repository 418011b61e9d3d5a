package audit

import (
	"math"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// peaks pairs each peak with the means that it cannot lie below.
var peaks = []struct {
	peak  metric.Key
	means []metric.Key
}{
	{metric.Peak, []metric.Key{metric.Decode, metric.Output}},
	{metric.PeakRequest, []metric.Key{metric.DecodeRequest, metric.OutputRequest}},
}

// peakBelowMean finds a peak that lies below the mean, which no largest value
// can: the tool counted chunks, and one chunk carried several tokens.
func peakBelowMean(in Input) []Finding {
	return eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		var out []Finding
		for _, p := range peaks {
			peak, ok := mean(c, p.peak)
			if !ok || allFailed(c) {
				continue
			}
			for _, key := range p.means {
				if m, ok := mean(c, key); ok && peak < m {
					out = append(out, Finding{Code: PeakBelowMean, Severity: Error, Metrics: []metric.Key{p.peak}, Args: []Arg{
						text("metric", string(key)),
						num("peak", peak, metric.TokensPerS),
						num("mean", m, metric.TokensPerS),
					}})
					break
				}
			}
		}
		return out
	})
}

// mostGap is the ratio of chunk gap to time per token above which chunks carry
// several tokens. Both count the same time, but weigh requests differently: runs
// without speculation mostly lie between 0.75 and 1.2.
const mostGap = 1.25

// multiTokenChunks finds inter-token times that are times between chunks of
// several tokens: the gap between chunks is longer than the time per token. Where
// Arena measured, the time per token is its own figure and the gap bears its own
// name: that is only mentioned.
func multiTokenChunks(in Input) []Finding {
	return eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		gap, okGap := mean(c, metric.ITL)
		token, okToken := mean(c, metric.TPOT)
		if !okGap || !okToken || token <= 0 || gap/token <= mostGap {
			return nil
		}
		severity := Warning
		if c.Records != nil {
			severity = Info
		}
		return one(Finding{Code: MultiTokenChunks, Severity: severity, Metrics: []metric.Key{metric.ITL}, Args: []Arg{
			num("gap", gap, metric.Millisecond),
			num("token", token, metric.Millisecond),
			num("ratio", gap/token, metric.Dimensionless),
		}})
	})
}

// slotTolerance is how far rate × latency may lie from 1 for the rate to be one
// slot's. Rates are printed with two decimals, which moves 0.08 by 6 percent.
const slotTolerance = 0.15

// perSlotRate finds a request rate that is that of one slot. A closed loop with c
// slots completes c requests per latency (Little's law), so rate × latency must
// be about c; where it is 1 although c is larger, the rate is 1/latency.
func perSlotRate(in Input) []Finding {
	return eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		rate, okRate := mean(c, metric.RequestRate)
		latency, okLatency := mean(c, metric.E2E)
		if !okRate || !okLatency || latency <= 0 || open(c) || c.Concurrency < 2 {
			return nil
		}
		slots := rate * latency / 1000
		if math.Abs(slots-1) > slotTolerance {
			return nil
		}
		return one(Finding{Code: PerSlotRate, Severity: Error, Metrics: []metric.Key{metric.RequestRate}, Args: []Arg{
			num("rate", rate, metric.RequestsPerS),
			num("latency", latency, metric.Millisecond),
			num("slots", slots, metric.Dimensionless),
			num("concurrency", float64(c.Concurrency), metric.Requests),
			num("system_rate", 1000*float64(c.Concurrency)/latency, metric.RequestsPerS),
		}})
	})
}

// wrongTail finds high percentiles of a quantity that is better when higher,
// reported without a low one: nine of ten requests lie below the p90 of a rate,
// so it describes the luckiest, and the slow tail is not reported.
func wrongTail(in Input) []Finding {
	return eachTest(in, func(t *bundle.Test) []Finding {
		var out []Finding
		for _, m := range metric.All {
			if p, ok := upperTailOnly(t, m); ok {
				out = append(out, Finding{
					Code: WrongTail, Severity: Warning, Test: t.Slug, Cell: WholeTest, Metrics: []metric.Key{m.Key},
					Args: []Arg{text("metric", string(m.Key)), num("percentile", p, metric.Dimensionless)},
				})
			}
		}
		return out
	})
}

// upperTailOnly returns the highest percentile above the median that the test
// reports of a higher-is-better metric, and whether it reports none below.
func upperTailOnly(t *bundle.Test, m metric.Metric) (float64, bool) {
	if m.Better != metric.HigherIsBetter {
		return 0, false
	}
	var highest float64
	for i := range t.Cells {
		f := t.Cells[i].Figure(m.Key)
		if f == nil {
			continue
		}
		for _, q := range f.Percentiles {
			if q.P < 50 {
				return 0, false
			}
			highest = max(highest, q.P)
		}
	}
	return highest, highest > 50
}
