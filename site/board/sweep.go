package board

// A Rung is one measured arrival rate of a sweep.
type Rung struct {
	Cell            int     // index into the test's cells
	Rate            float64 // configured, requests per second
	Achieved        Value   // completed requests per second
	TTFTP95         Value   // ms
	Output          Value   // tokens per second
	PeakConcurrency Value
	Success         Success
}

// A SweepResult is what a rate sweep says about capacity.
type SweepResult struct {
	Rungs      []Rung // ascending by rate
	Capacities []Capacity
}

// A Capacity is the highest rate of the contiguous prefix of rungs, ascending,
// whose p95 TTFT stays under LimitMS. Rate is unknown with Missing NoRung when
// not even the lowest rung does, and with NoData when nothing was measured.
type Capacity struct {
	LimitMS  int
	Rate     Value // configured, requests per second; AtLeast when no higher rung was measured
	Achieved Value
	Output   Value
	Peak     Value
	TTFTP95  Value // at that rung, ms
	Ended    End   // what ended the prefix
}

// An End says what ended the contiguous prefix of a capacity.
type End string

// The ends of a prefix.
const (
	EndLimit   End = "limit"   // the next rung exceeded the limit
	EndFailed  End = "failed"  // too many requests of the next rung failed
	EndGap     End = "gap"     // the next rung was not measured
	EndTop     End = "top"     // there is no higher rung
	EndUnknown End = "unknown" // the next rung reports no p95 TTFT
)
