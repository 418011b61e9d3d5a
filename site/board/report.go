package board

// A Deployment is a bundle that measured one load at rising concurrency.
type Deployment struct {
	Item
	Points []LoadPoint // ascending by concurrency
}

// A LoadPoint is what one concurrency measured. Nil means not reported.
type LoadPoint struct {
	Concurrency int
	Cell        int
	TTFT        Tail     // ms
	ITL         Tail     // ms
	Speed       Tail     // tokens per second of one request
	Latency     Tail     // s
	Rate        *float64 // requests per second, as printed
}

// A Tail is a mean with its 90th percentile. For a quantity that is better when
// higher the 90th percentile is the good tail.
type Tail struct {
	Mean *float64
	P90  *float64
}

// Limits are what a user will accept.
type Limits struct {
	TTFTMS float64 // at most, ms
	Speed  float64 // at least, tokens per second of one request
}

// Use says how the load is used: what one request generates and how long a user
// thinks between two requests.
type Use struct {
	OutputTokens int
	ThinkS       float64
	Limits       Limits
}

// A SpeedUp compares the speed of one request with and without speculation.
type SpeedUp struct {
	Concurrency   int
	Without, With float64 // tokens per second of one request
	Ratio         float64 // With / Without; above 1 speculation is faster
}

// A BreakEven is the concurrency at which speculation stops paying.
type BreakEven struct {
	Known        bool
	Concurrency  float64 // interpolated
	Below, Above int     // the measured concurrencies on either side
}

// An Aggregate is the output of a whole deployment at one concurrency. Nil
// means that what it is computed from was not reported.
type Aggregate struct {
	Concurrency int
	Printed     *float64 // mean speed of one request × concurrency, tokens per second
	Actual      *float64 // concurrency × output tokens / mean latency, tokens per second
}

// An SLOCell says whether limits are met at one concurrency. Nil means unknown.
type SLOCell struct {
	Concurrency int
	TTFT        *bool // p90 of TTFT within its limit
	SpeedP90    *bool // as printed: p90 of speed, which is the good tail
	SpeedSlow   *bool // output tokens / p90 of latency: the speed that nine of ten requests reach
	SlowSpeed   *float64
	SpeedMean   *bool
	TTFTMean    *bool
}

// A Basis says which statistic limits are checked against.
type Basis string

// The bases.
const (
	BasisP90  Basis = "p90"      // p90 of TTFT and, as printed, p90 of speed
	BasisMean Basis = "mean"     // means of both
	BasisSlow Basis = "slow_p90" // p90 of TTFT and the speed that nine of ten requests reach
)

// Users is the number of users that a deployment carries by Little's law.
type Users struct {
	Basis       Basis
	Known       bool    // false when not even the lowest concurrency meets the limits
	Concurrency int     // highest of the contiguous prefix that meets them
	LatencyS    float64 // mean latency there
	Users       float64 // Concurrency × (1 + think time / latency)
}

// A RateCheck compares the printed request rate with what the closed loop implies.
type RateCheck struct {
	Concurrency int
	Printed     *float64 // requests per second
	System      *float64 // concurrency / mean latency
	PerSlot     *float64 // 1 / mean latency
	Slots       *float64 // printed × mean latency: 1 when the printed rate is that of one slot
}

// A Consistency compares TTFT + (n−1)·ITL with the mean latency.
type Consistency struct {
	Concurrency int
	SumMS       *float64
	LatencyMS   *float64
	Ratio       *float64 // SumMS / LatencyMS
}
