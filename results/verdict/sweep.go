package verdict

import (
	"cmp"
	"slices"

	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// A Rung is one arrival rate of a sweep.
type Rung struct {
	Rate     float64 // configured, requests per second
	Cell     int     // index into the test's cells; -1 when the rung was not measured
	Achieved Value   // completed requests per second
	TTFTP95  Value   // ms
	Output   Value   // tokens per second
	Peak     Value   // requests in flight at most
	Success  Success
}

// A Capacity is the highest rate of the contiguous prefix of rungs, ascending,
// whose p95 TTFT stays under a limit. A rung of which too many requests failed
// ends the prefix too: its p95 is that of the survivors.
//
// Rate is unknown with Missing NoRung when the lowest rung was measured and is
// already too slow, which is a result; with NoData when nothing was measured.
type Capacity struct {
	LimitMS int
	Rate    Value // configured, requests per second; AtLeast when nothing higher was measured
	Rung    *Rung // the rung at that rate; nil when there is none
	Ended   End   // what ended the prefix
}

// An End says what ended the contiguous prefix of a capacity.
type End string

// The ends of a prefix.
const (
	EndLimit   End = "limit"   // the next rung is too slow
	EndFailed  End = "failed"  // too many requests of the next rung failed
	EndGap     End = "gap"     // the next rung was not measured
	EndUnknown End = "unknown" // the next rung reports no p95 TTFT
	EndTop     End = "top"     // there is no higher rung
)

// Rungs returns the rungs of a sweep, ascending by rate: the contract's where it
// has the test, otherwise those that were measured.
func (t *Test) Rungs() []Rung {
	var out []Rung
	if t.Spec != nil && t.Spec.Open() {
		for i, want := range t.Spec.Cells() {
			out = append(out, t.rung(want.RequestRate, t.Cells[i], want.Prompts))
		}
	} else if t.Test != nil {
		for i := range t.Test.Cells {
			if c := &t.Test.Cells[i]; c.RequestRate != nil && measured(c) {
				out = append(out, t.rung(float64(*c.RequestRate), i, 0))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Rung) int { return cmp.Compare(a.Rate, b.Rate) })
	return out
}

func (t *Test) rung(rate float64, cell, prompts int) Rung {
	r := Rung{
		Rate: rate, Cell: cell,
		Achieved: t.Value(cell, metric.RequestRate, Single),
		TTFTP95:  t.Value(cell, metric.TTFT, P95),
		Output:   t.Value(cell, metric.Output, Single),
		Peak:     t.Value(cell, metric.PeakConcurrency, Single),
	}
	if cell >= 0 {
		r.Success = successOf(t.Test, []int{cell}, []contract.Cell{{Prompts: prompts}})
	}
	r.Success.Threshold = t.Success.Threshold
	return r
}

// Capacities returns the capacity under each limit, in ms.
func (t *Test) Capacities(limits []int) []Capacity {
	rungs := t.Rungs()
	var out []Capacity
	for _, limit := range limits {
		out = append(out, t.capacityOf(rungs, limit))
	}
	return out
}

func (t *Test) capacityOf(rungs []Rung, limitMS int) Capacity {
	c := Capacity{LimitMS: limitMS, Ended: EndTop}
	prefix := 0
	for prefix < len(rungs) {
		end, passes := rungs[prefix].under(limitMS)
		if !passes {
			c.Ended = end
			break
		}
		prefix++
	}
	at := Place{Test: t.Slug, Cell: -1, LimitMS: limitMS}
	if prefix == 0 {
		c.Rate = t.withholding(unknown(metric.Capacity, Single, at, noCapacity(rungs, c.Ended)))
		return c
	}
	c.Rung = &rungs[prefix-1]
	at.Cell = c.Rung.Cell
	at.RequestRate = c.Rung.Rate
	c.Rate = Value{Known: true, Bound: Exact, Number: c.Rung.Rate, Unit: metric.RequestsPerS, Metric: metric.Capacity, Statistic: Single, At: at}
	if c.Ended == EndGap || c.Ended == EndUnknown || c.Ended == EndTop {
		c.Rate.Bound = AtLeast
	}
	c.Rate.restOn(rungs[:prefix])
	c.Rate = t.withholding(c.Rate)
	return c
}

// under reports whether the rung belongs to the prefix under a limit, and how it
// ends the prefix when it does not.
func (r *Rung) under(limitMS int) (End, bool) {
	switch {
	case r.Cell < 0:
		return EndGap, false
	case r.Success.Known && r.Success.Share < r.Success.Threshold-slack:
		return EndFailed, false
	case !r.TTFTP95.Known:
		return EndUnknown, false
	case r.TTFTP95.Number >= float64(limitMS):
		return EndLimit, false
	}
	return "", true
}

// noCapacity returns why there is no capacity although a sweep was asked for.
func noCapacity(rungs []Rung, end End) Missing {
	switch {
	case !slices.ContainsFunc(rungs, func(r Rung) bool { return r.Cell >= 0 }):
		return NoData
	case end == EndGap:
		return NotMeasured
	case end == EndUnknown:
		return NotReported
	}
	return NoRung
}

// restOn adds what the audit says about the rungs that the capacity rests on: a
// rung that did less work than the test asks for proves nothing about it.
func (v *Value) restOn(prefix []Rung) {
	for _, r := range prefix {
		v.Findings = append(v.Findings, r.TTFTP95.Findings...)
		for _, reason := range r.TTFTP95.Excluded {
			if !slices.ContainsFunc(v.Excluded, func(have Reason) bool { return have.Code == reason.Code }) {
				v.Excluded = append(v.Excluded, reason)
			}
		}
	}
}
