package verdict

import (
	"math"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// ofBatch pairs the quantities of one request with those of a whole batch: with one
// request at a time they are the same, and older tools print only the latter.
var ofBatch = map[metric.Key]metric.Key{
	metric.DecodeRequest:  metric.Decode,
	metric.PrefillRequest: metric.Prefill,
	metric.PeakRequest:    metric.Peak,
	metric.OutputRequest:  metric.Output,
}

// unknown returns a value that is not known, with its reason.
func unknown(key metric.Key, stat Statistic, at Place, why Missing) Value {
	m, _ := metric.Lookup(key)
	return Value{Unit: m.Unit, Metric: key, Statistic: stat, At: at, Missing: why}
}

// Value returns one statistic of one quantity of a cell of the bundle's test, by
// the cell's index there, with what the audit says about it.
func (t *Test) Value(cell int, key metric.Key, stat Statistic) Value {
	at := Place{Test: t.Slug, Cell: -1}
	if t.Test == nil || cell < 0 || cell >= len(t.Test.Cells) {
		return unknown(key, stat, at, NotMeasured)
	}
	c := &t.Test.Cells[cell]
	at.Cell, at.Point = cell, audit.PointOf(c)
	v := reported(c, key, stat, at)
	if v.Missing == NotReported {
		v = derived(c, v)
	}
	if completed, _, ok := c.Requests.Ended(0); ok && completed == 0 {
		v = unknown(key, stat, at, AllFailed)
	}
	v.judge(t.findings)
	return v
}

// judge adds what the audit says about the value, and why it does not rank.
func (v *Value) judge(findings []audit.Finding) {
	for _, f := range findings {
		about := f.Concerns(v.At.Test, v.At.Cell, v.Metric) ||
			v.Derived != "" && f.Concerns(v.At.Test, v.At.Cell, v.Derived)
		if !about {
			continue
		}
		v.Findings = append(v.Findings, f)
		if v.Known && f.Severity == audit.Error {
			v.Excluded = append(v.Excluded, Reason{Code: string(f.Code), Args: f.Args})
		}
	}
}

// reported returns a statistic as the source reports it, in the metric's unit.
func reported(c *bundle.Cell, key metric.Key, stat Statistic, at Place) Value {
	v := unknown(key, stat, at, NotReported)
	f := c.Figure(key)
	if f == nil && c.Concurrency == 1 {
		f = c.Figure(ofBatch[key])
	}
	if f == nil {
		return v
	}
	number, ok := statistic(f, stat)
	scale, convertible := f.Scale(v.Unit)
	if !ok || !convertible || math.IsNaN(number) || math.IsInf(number, 0) {
		return v
	}
	v.Known, v.Bound, v.Missing = true, Exact, ""
	v.Number, v.N, v.Approximate = float64(number*scale), f.N, f.Approximate
	if stat == Mean && f.Std != nil {
		v.Spread = &Spread{Number: float64(*f.Std * scale), Kind: f.StdKind, Of: Requests}
		if audit.OverRuns(c, f.Metric) {
			v.Spread.Of = Repetitions
		}
	}
	return v
}

// derived returns the median speed of a request from its median time per token,
// where v asks for it and the source prints only the latter. The one is the
// inverse of the other by definition, and what turns every value over turns the
// median over. Other values come back as they are.
func derived(c *bundle.Cell, v Value) Value {
	if v.Metric != metric.DecodeRequest || v.Statistic != P50 {
		return v
	}
	tpot := reported(c, metric.TPOT, P50, v.At)
	if !tpot.Known || tpot.Number <= 0 {
		return v
	}
	v.Known, v.Bound, v.Missing, v.Derived = true, Exact, "", metric.TPOT
	v.Number, v.N, v.Approximate = 1000/tpot.Number, tpot.N, tpot.Approximate
	return v
}

// percents maps the statistics that are percentiles to their percent.
var percents = map[Statistic]float64{P50: 50, P90: 90, P95: 95, P99: 99}

// statistic returns a statistic of a figure and whether the source reports it.
func statistic(f *bundle.Figure, stat Statistic) (float64, bool) {
	if p, ok := percents[stat]; ok {
		return f.Percentile(p)
	}
	v := f.Value
	if stat == Mean {
		v = f.Mean
	}
	if v == nil {
		return 0, false
	}
	return *v, true
}
