// Package stat turns samples into summaries: mean, sample standard deviation,
// percentiles and an interval for the mean, with warnings as data. Summaries know
// no metric, no unit and no words: numbers keep the unit of their samples, and a
// warning is a code that the language catalogs put into words. Figures computes
// the figures of a cell from the requests that its bundle records.
//
// The definitions, each pinned by a test:
//
//   - Mean: the sum divided by n.
//   - Std: the sample standard deviation, with n−1 in the divisor; unknown for
//     fewer than two samples.
//   - Median and Percentile: linear interpolation between the closest ranks, at
//     rank p/100·(n−1) (type 7 of Hyndman and Fan, Sample Quantiles in
//     Statistical Packages, The American Statistician 50, 1996). It is what
//     numpy.percentile computes by default.
//   - Interval: mean ± t·Std/√n, with t of Student's distribution at n−1 degrees
//     of freedom. It supposes independent samples of about normal shape; with
//     three runs that cannot be checked, so it is an orientation, not a proof.
//
// What is unknown is nil. No number is ever NaN or infinite.
package stat

import (
	"math"
	"slices"

	"example.org/arena/results/bundle"
	"github.com/montanaflynn/stats"
)

// PercentileMethod names the definition of Percentile and Median.
const PercentileMethod = "linear"

// Level is the confidence of Interval.
const Level = 0.95

// A Summary describes samples. A nil number is unknown.
type Summary struct {
	N        int      // samples behind the numbers; 0 when unknown
	Mean     *float64 // arithmetic mean
	Std      *float64 // sample standard deviation (n−1)
	Min      *float64
	Median   *float64
	Max      *float64
	Interval *Interval // of the mean
	Warnings []Warning

	sorted      []float64           // the samples, where they are known
	percentiles []bundle.Percentile // as reported, where the samples are not
}

// An Interval holds the mean with the given confidence.
type Interval struct {
	Low   float64
	High  float64
	Level float64 // in (0,1)
}

// A Warning is a doubt about a summary.
type Warning struct {
	Code  string
	Value float64 // what the code is about, see the constants
}

// The codes of warnings.
const (
	// NotFinite: samples were NaN or infinite and were left out; Value counts them.
	NotFinite = "not_finite"
	// SingleSample: there is one sample, so its spread is unknown; Value is 1.
	SingleSample = "single_sample"
	// HighVariation: Std is more than a quarter of the mean; Value is Std / Mean.
	HighVariation = "high_variation"
	// StdExceedsMean: Std is larger than the mean; Value is Std / Mean.
	StdExceedsMean = "stddev_exceeds_mean"
	// Overflow: a number was too large to compute and is unknown; Value is 0.
	Overflow = "overflow"
)

// variation is the ratio of standard deviation to mean above which a summary
// carries HighVariation.
const variation = 0.25

// Summarize describes samples. It leaves out those that are not finite and says
// so. The order of the samples does not matter, and they are not changed.
func Summarize(samples []float64) Summary {
	var s Summary
	finite := make([]float64, 0, len(samples))
	for _, x := range samples {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			finite = append(finite, x)
		}
	}
	if left := len(samples) - len(finite); left > 0 {
		s.warn(NotFinite, float64(left))
	}
	slices.Sort(finite)
	s.N, s.sorted = len(finite), finite
	if s.N == 0 {
		return s
	}
	s.Min, s.Max = new(finite[0]), new(finite[s.N-1])
	if m, ok := s.Percentile(50); ok {
		s.Median = &m
	}
	s.Mean = s.number(stats.Mean(finite))
	if s.Mean != nil {
		// Rounding may carry the mean of equal samples past them.
		s.Mean = new(min(max(*s.Mean, *s.Min), *s.Max))
	}
	switch {
	case s.N > 1 && *s.Min == *s.Max:
		s.Std = new(0.0) // not the rest of a rounded mean
	case s.N > 1:
		s.Std = s.number(stats.StandardDeviationSample(finite))
	}
	s.judge()
	return s
}

// Percentile returns the value below which p percent of the samples lie, for p
// in (0,100). It is false for other p, and when neither the samples nor that
// very percentile are known.
func (s Summary) Percentile(p float64) (float64, bool) {
	if !(0 < p && p < 100) {
		return 0, false
	}
	if len(s.sorted) > 0 {
		v, err := stats.Percentile(s.sorted, p)
		return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	for _, q := range s.percentiles {
		if q.P == p {
			return q.Value, true
		}
	}
	if p == 50 && s.Median != nil {
		return *s.Median, true
	}
	return 0, false
}

// judge adds the interval and the warnings that follow from the numbers.
func (s *Summary) judge() {
	if s.N == 1 {
		s.warn(SingleSample, 1)
	}
	if s.Mean == nil || s.Std == nil {
		return
	}
	if s.N > 1 {
		s.interval()
	}
	if *s.Mean <= 0 {
		return
	}
	switch ratio := *s.Std / *s.Mean; {
	case math.IsInf(ratio, 0):
		s.warn(Overflow, 0)
	case ratio > 1:
		s.warn(StdExceedsMean, ratio)
	case ratio > variation:
		s.warn(HighVariation, ratio)
	}
}

// interval sets the interval of the mean from Mean, Std and N.
func (s *Summary) interval() {
	half := studentT(s.N-1) * (*s.Std / math.Sqrt(float64(s.N)))
	low, high := *s.Mean-half, *s.Mean+half
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		s.warn(Overflow, 0)
		return
	}
	s.Interval = &Interval{Low: low, High: high, Level: Level}
}

// number returns v, or nil with a warning when it could not be computed.
func (s *Summary) number(v float64, err error) *float64 {
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		s.warn(Overflow, 0)
		return nil
	}
	return &v
}

func (s *Summary) warn(code string, value float64) {
	s.Warnings = append(s.Warnings, Warning{code, value})
}
