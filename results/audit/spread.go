package audit

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// mostVariation is the coefficient of variation over repetitions above which a
// mean of a few runs says little: a quarter of the mean.
const mostVariation = 0.25

// stddevExceedsMean finds a standard deviation larger than its mean. Over
// repetitions the cell did not repeat; over the requests of one load it says
// that a few of them dominate, mostly by waiting.
func stddevExceedsMean(in Input) []Finding {
	return eachSpread(in, func(c *bundle.Cell, f *bundle.Figure) []Finding {
		if *f.Std <= *f.Mean {
			return nil
		}
		severity := Info
		if OverRuns(c, f.Metric) {
			severity = Warning
		}
		return one(spreadFinding(StddevExceedsMean, severity, f))
	})
}

// highVariation finds means over repetitions whose standard deviation is more
// than a quarter of the mean. Larger ones are left to stddevExceedsMean, spreads
// over requests differ by design. How long a repetition took says nothing that the
// rates do not say, and less where requests failed.
func highVariation(in Input) []Finding {
	return eachSpread(in, func(c *bundle.Cell, f *bundle.Figure) []Finding {
		share := *f.Std / *f.Mean
		if !OverRuns(c, f.Metric) || f.Metric == metric.Duration || share <= mostVariation || share > 1 {
			return nil
		}
		return one(spreadFinding(HighVariation, Warning, f))
	})
}

// eachSpread calls check for every figure that has a mean above zero and a
// standard deviation.
func eachSpread(in Input, check func(*bundle.Cell, *bundle.Figure) []Finding) []Finding {
	return eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		var out []Finding
		for i := range c.Reported {
			f := &c.Reported[i]
			if f.Mean == nil || f.Std == nil || !(*f.Mean > 0) || !finite(*f.Std) {
				continue
			}
			out = append(out, check(c, f)...)
		}
		return out
	})
}

func spreadFinding(code Code, s Severity, f *bundle.Figure) Finding {
	args := []Arg{
		text("metric", string(f.Metric)),
		num("mean", *f.Mean, f.Unit),
		num("std", *f.Std, f.Unit),
		num("share", *f.Std / *f.Mean, metric.Ratio),
	}
	if f.N > 0 {
		args = append(args, num("n", float64(f.N), metric.Dimensionless))
	}
	return Finding{Code: code, Severity: s, Metrics: []metric.Key{f.Metric}, Args: args}
}
