package arrival

// Arrivals describes an open loop whose gaps are drawn from a gamma distribution.
type Arrivals struct {
	Seed       uint32  // of numpy's legacy generator
	Rate       float64 // requests per second, above 0; +Inf sends all at once
	Burstiness float64 // shape of the gaps, above 0: 1 is Poisson, lower is burstier, +Inf is constant
	Requests   int
	Ramp       *Ramp // nil holds Rate
}

// A Ramp changes the rate from the first request to the last. Rate does not
// count then, and the times are not fitted to it.
type Ramp struct {
	Shape RampShape
	Start float64 // requests per second, above 0
	End   float64 // requests per second, above 0
}

// A RampShape says how a rate gets from Start to End.
type RampShape string

// The shapes. The rate is a function of the request's number, not of time.
const (
	Linear      RampShape = "linear"      // by the same amount from request to request
	Exponential RampShape = "exponential" // by the same factor
)
