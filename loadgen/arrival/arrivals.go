package arrival

import (
	"errors"
	"fmt"
	"math"

	"example.org/arena/results/numpy"
)

// Arrivals describes an open loop as `vllm bench serve` sends it: gaps drawn from
// a gamma distribution, one before each request, the first included.
type Arrivals struct {
	Seed       uint32  // of numpy's legacy generator
	Rate       float64 // requests per second, above 0; +Inf sends all at once
	Burstiness float64 // shape of the gaps, above 0: 1 is Poisson, lower is burstier, +Inf is constant
	Requests   int     // at least 0
	Ramp       *Ramp   // nil holds Rate
}

// A Ramp changes the rate from the first request to the last. Rate does not
// count then, and the arrivals are not fitted to it.
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

// longest is how many seconds a schedule may take: about 30 years.
const longest = 1e9

// Validate lists everything that makes arrivals impossible.
func (a Arrivals) Validate() error {
	var faults []error
	above0 := func(name string, x float64, infinite bool) {
		if !(x > 0) || math.IsInf(x, 1) && !infinite {
			faults = append(faults, fmt.Errorf("%s %v is not above 0", name, x))
		}
	}
	above0("burstiness", a.Burstiness, true)
	if a.Requests < 0 {
		faults = append(faults, fmt.Errorf("%d requests", a.Requests))
	}
	if a.Ramp == nil {
		above0("request rate", a.Rate, true)
		return errors.Join(faults...)
	}
	above0("start rate", a.Ramp.Start, false)
	above0("end rate", a.Ramp.End, false)
	if a.Ramp.Shape != Linear && a.Ramp.Shape != Exponential {
		faults = append(faults, fmt.Errorf("unknown ramp %q", a.Ramp.Shape))
	}
	return errors.Join(faults...)
}

// Seconds returns the moment of every request, in seconds after the start and
// ascending: the very floats that `vllm bench serve` computes from the same
// arguments.
//
// Without a ramp the moments are stretched so that the last request goes out
// after exactly Requests/Rate seconds, whatever the seed: the mean rate is met,
// and the first request does not go out at 0. With a ramp they stay as drawn.
func (a Arrivals) Seconds() ([]float64, error) {
	if err := a.Validate(); err != nil {
		return nil, fmt.Errorf("schedule arrivals: %w", err)
	}
	stream := numpy.NewLegacy(a.Seed)
	seconds := make([]float64, a.Requests)
	total := 0.
	for i := range seconds {
		total += gap(stream, a.RateAt(i), a.Burstiness)
		seconds[i] = total
	}
	if math.IsNaN(total) || total > longest {
		return nil, fmt.Errorf("schedule arrivals: the last of %d requests comes after %v s", a.Requests, total)
	}
	if a.Ramp == nil && total != 0 {
		stretch := float64(a.Requests) / a.Rate / total
		for i := range seconds {
			seconds[i] *= stretch
		}
	}
	return seconds, nil
}

// gap returns the seconds before a request.
func gap(stream *numpy.Legacy, rate, burstiness float64) float64 {
	switch {
	case math.IsInf(rate, 1):
		return 0
	case math.IsInf(burstiness, 1):
		return 1 / rate
	}
	return stream.Gamma(burstiness, 1/float64(rate*burstiness))
}

// RateAt returns the rate, in requests per second, at a request.
func (a Arrivals) RateAt(request int) float64 {
	if a.Ramp == nil {
		return a.Rate
	}
	progress := float64(request) / float64(max(a.Requests-1, 1))
	if a.Ramp.Shape == Linear {
		return a.Ramp.Start + float64((a.Ramp.End-a.Ramp.Start)*progress)
	}
	return a.Ramp.Start * numpy.Pow(a.Ramp.End/a.Ramp.Start, progress)
}

// Schedule returns the open loop of these arrivals; maxConcurrency 0 is no cap.
func (a Arrivals) Schedule(maxConcurrency int) (Schedule, error) {
	seconds, err := a.Seconds()
	if err != nil {
		return Schedule{}, err
	}
	return OpenLoop(seconds, maxConcurrency), nil
}
