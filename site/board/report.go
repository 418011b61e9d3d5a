package board

import (
	"cmp"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// A LoadCurve is what a bundle measured of one load at rising concurrency, as a
// closed loop.
type LoadCurve struct {
	Item
	Test   *bundle.Test // nil when no test measured more than one concurrency
	Points []LoadPoint  // ascending by concurrency
}

// A LoadPoint is what one concurrency measured. Nil means not reported.
type LoadPoint struct {
	Concurrency int
	Cell        int      // index into the test's cells
	TTFT        MeanP90  // ms
	ITL         MeanP90  // ms
	Speed       MeanP90  // output tokens per second of one request
	Latency     MeanP90  // s
	Rate        *float64 // requests per second, as printed
}

// A MeanP90 is a mean with its 90th percentile. Of a quantity that is better when
// higher the 90th percentile is the good tail: nine of ten requests lie below.
type MeanP90 struct {
	Mean *float64
	P90  *float64
}

// SLO is a service level objective, what the users of a load accept: the wait for
// a first token and the speed after it, with what the load is made of: what each
// request generates and how long a user thinks before the next one.
type SLO struct {
	OutputTokens int     // of every request
	ThinkS       float64 // s
	TTFTMS       float64 // longest wait for the first token, ms
	Speed        float64 // slowest output of one request, tokens per second
}

// LoadCurveOf reads the load curve of one test of a bundle. An empty slug means
// the first test that measured more than one concurrency.
func LoadCurveOf(it Item, slug string) LoadCurve {
	curve := LoadCurve{Item: it}
	if it.Bundle == nil {
		return curve
	}
	for i := range it.Bundle.Tests {
		t := &it.Bundle.Tests[i]
		if slug != "" && t.Slug != slug {
			continue
		}
		points := loadPoints(t)
		if slug == "" && len(points) < 2 {
			continue
		}
		curve.Test, curve.Points = t, points
		return curve
	}
	return curve
}

func loadPoints(t *bundle.Test) []LoadPoint {
	var out []LoadPoint
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Concurrency < 1 || c.RequestRate != nil || len(c.Reported) == 0 {
			continue
		}
		out = append(out, LoadPoint{
			Concurrency: c.Concurrency,
			Cell:        i,
			TTFT:        meanP90Of(c, metric.Millisecond, metric.TTFT),
			ITL:         meanP90Of(c, metric.Millisecond, metric.ITL),
			Speed:       meanP90Of(c, metric.TokensPerS, metric.OutputRequest, metric.DecodeRequest),
			Latency:     meanP90Of(c, metric.Millisecond, metric.E2E).seconds(),
			Rate:        meanP90Of(c, metric.RequestsPerS, metric.RequestRate).Mean,
		})
	}
	slices.SortStableFunc(out, func(a, b LoadPoint) int { return cmp.Compare(a.Concurrency, b.Concurrency) })
	return out
}

// meanP90Of returns the mean, or the single value, and the p90 of the first of the
// quantities that the cell reports.
func meanP90Of(c *bundle.Cell, unit metric.Unit, keys ...metric.Key) MeanP90 {
	for _, key := range keys {
		f := c.Figure(key)
		if f == nil {
			continue
		}
		scale, ok := f.Scale(unit)
		if !ok {
			return MeanP90{}
		}
		var t MeanP90
		if v := cmp.Or(f.Mean, f.Value); v != nil {
			t.Mean = new(float64(*v * scale))
		}
		if v, ok := f.Percentile(90); ok {
			t.P90 = new(float64(v * scale))
		}
		return t
	}
	return MeanP90{}
}

// seconds turns milliseconds into seconds. It divides, so that a latency that was
// stated in seconds comes out as it was stated.
func (t MeanP90) seconds() MeanP90 {
	if t.Mean != nil {
		t.Mean = new(*t.Mean / 1000)
	}
	if t.P90 != nil {
		t.P90 = new(*t.P90 / 1000)
	}
	return t
}

// An Aggregate is the output of a whole deployment at one concurrency. Nil means
// that what it follows from was not reported.
type Aggregate struct {
	Concurrency int
	// SpeedTimesC is mean speed of a request × concurrency, in tokens per second.
	// It is too high where requests differ in speed: the fast ones count as much
	// as the slow ones, although they hold their slot for a shorter time.
	SpeedTimesC *float64
	// Actual is concurrency × output tokens / mean latency, in tokens per second:
	// what a closed loop completes, by Little's law.
	Actual *float64
}

// Aggregates returns the output of the deployment at each concurrency.
func (curve LoadCurve) Aggregates(slo SLO) []Aggregate {
	var out []Aggregate
	for _, p := range curve.Points {
		a := Aggregate{Concurrency: p.Concurrency}
		c := float64(p.Concurrency)
		if p.Speed.Mean != nil {
			a.SpeedTimesC = new(c * *p.Speed.Mean)
		}
		if l := p.Latency.Mean; l != nil && *l > 0 {
			a.Actual = new(c * float64(slo.OutputTokens) / *l)
		}
		out = append(out, a)
	}
	return out
}

// Peaks returns the concurrencies at which the two aggregates are largest, 0
// where none is known; the lowest of several.
func Peaks(list []Aggregate) (speedTimesC, actual int) {
	var best, bestActual float64
	for _, a := range list {
		if a.SpeedTimesC != nil && *a.SpeedTimesC > best {
			best, speedTimesC = *a.SpeedTimesC, a.Concurrency
		}
		if a.Actual != nil && *a.Actual > bestActual {
			bestActual, actual = *a.Actual, a.Concurrency
		}
	}
	return speedTimesC, actual
}

// A RateCheck compares a printed request rate with what a closed loop completes.
type RateCheck struct {
	Concurrency int
	Printed     *float64 // requests per second
	PerSlot     *float64 // 1 / mean latency
	System      *float64 // concurrency / mean latency
	Slots       *float64 // printed × mean latency: about 1 when the printed rate is one slot's
}

// Rates checks the printed request rates.
func (curve LoadCurve) Rates() []RateCheck {
	var out []RateCheck
	for _, p := range curve.Points {
		r := RateCheck{Concurrency: p.Concurrency, Printed: p.Rate}
		if l := p.Latency.Mean; l != nil && *l > 0 {
			r.PerSlot = new(1 / *l)
			r.System = new(float64(p.Concurrency) / *l)
			if p.Rate != nil {
				r.Slots = new(*p.Rate * *l)
			}
		}
		out = append(out, r)
	}
	return out
}

// A Consistency compares what TTFT and ITL add up to with the latency.
type Consistency struct {
	Concurrency int
	SumMS       *float64 // mean TTFT + (output tokens − 1) × mean ITL
	LatencyMS   *float64 // mean
	Ratio       *float64 // SumMS / LatencyMS
}

// Consistencies checks each concurrency.
func (curve LoadCurve) Consistencies(slo SLO) []Consistency {
	var out []Consistency
	for _, p := range curve.Points {
		c := Consistency{Concurrency: p.Concurrency}
		if p.TTFT.Mean != nil && p.ITL.Mean != nil {
			gaps := float64(float64(slo.OutputTokens-1) * *p.ITL.Mean)
			c.SumMS = new(*p.TTFT.Mean + gaps)
		}
		if p.Latency.Mean != nil {
			c.LatencyMS = new(1000 * *p.Latency.Mean)
		}
		if c.SumMS != nil && c.LatencyMS != nil && *c.LatencyMS > 0 {
			c.Ratio = new(*c.SumMS / *c.LatencyMS)
		}
		out = append(out, c)
	}
	return out
}
