package compat

import (
	"fmt"
	"math"
	"slices"

	"example.org/arena/results/numpy"
)

// A VLLMOutput is what `vllm bench serve` notes about one request. Moments and
// times are seconds.
type VLLMOutput struct {
	Success      bool
	Start        float64   // on any clock, the same for all
	TTFT         float64   // from Start to the first chunk with a choice; 0 when none came
	Latency      float64   // from Start to the last chunk that counts
	ITL          []float64 // between one chunk and the next
	QueueTime    float64   // before Start, waiting for a place
	PromptTokens int
	OutputTokens int // at least 1 in a success
	Text         string
	Error        string
}

// A VLLMRelease is a version of vLLM: 26 stands for 0.26. Zero stands for
// VLLMLatest.
type VLLMRelease int

// VLLMLatest is the latest release whose formulas are known here.
const VLLMLatest VLLMRelease = 29

// The releases with which figures changed.
const (
	// Prompts are counted as the server does, not as the dataset says.
	v20 VLLMRelease = 20
	// The latency ends at the last chunk with a choice, not at the usage; an answer
	// without a choice has failed; the wait for a place is reported.
	v29 VLLMRelease = 29
	// The peak of concurrency is exact. This was proposed and is in no release yet.
	v30 VLLMRelease = 30
)

func (v VLLMRelease) has(change VLLMRelease) bool {
	if v == 0 {
		v = VLLMLatest
	}
	return v >= change
}

// VLLMGoals are the limits that a good request keeps, in milliseconds. A nil one
// is not a goal.
type VLLMGoals struct{ TTFT, TPOT, E2EL *float64 }

// A VLLMRun is a run of `vllm bench serve`.
type VLLMRun struct {
	Release     VLLMRelease
	Duration    float64 // seconds, from the start of the schedule to the last answer
	Outputs     []VLLMOutput
	Metrics     []string  // latencies that are reported: "ttft", "tpot", "itl", "e2el", "client_queue_time", "e2el_including_client_queue"
	Percentiles []float64 // in [0,100]
	Goals       VLLMGoals

	// MaxConcurrency is the cap on requests in flight, 0 for none. Waits for a
	// place are reported only under a cap.
	MaxConcurrency int
	RequestRate    float64 // requests per second, +Inf for all at once
}

// VLLMFigures are the figures of `vllm bench serve`. The tool gives 0 for what has
// no samples.
type VLLMFigures struct {
	Duration              float64 // seconds
	Completed, Failed     int
	TotalInputTokens      int
	TotalOutputTokens     int
	RequestThroughput     float64  // requests per second
	RequestGoodput        *float64 // good requests per second, nil without goals
	OutputThroughput      float64  // tokens per second
	TotalTokenThroughput  float64  // tokens per second, those of prompts included
	MaxOutputTokensPerS   float64  // most chunks in a second of the run: chunks, whatever the tool's name for it says
	MaxConcurrentRequests int      // before 0.30 one more than there were where a request ends and another starts in the same second
	Latencies             []VLLMLatency
	OutputLens            []int // of each request, 0 for a failed one
}

// A VLLMLatency is what the tool reports about one latency, in milliseconds.
type VLLMLatency struct {
	Metric            string // "ttft" and so on
	Mean, Median, Std float64
	Percentiles       []VLLMPercentile
}

// A VLLMPercentile is one percentile, in milliseconds.
type VLLMPercentile struct{ P, Value float64 }

// Figures computes the tool's figures. A run that took no time has none.
func (r VLLMRun) Figures() (VLLMFigures, error) {
	if !(r.Duration > 0) {
		return VLLMFigures{}, fmt.Errorf("compute figures: the run took %v s", r.Duration)
	}
	f := VLLMFigures{Duration: r.Duration}
	s := r.samples(&f)
	f.RequestThroughput = float64(f.Completed) / r.Duration
	f.OutputThroughput = float64(f.TotalOutputTokens) / r.Duration
	f.TotalTokenThroughput = float64(f.TotalInputTokens+f.TotalOutputTokens) / r.Duration
	if good, ok := r.Goals.kept(s); ok {
		rate := float64(good) / r.Duration
		f.RequestGoodput = &rate
	}
	f.MaxOutputTokensPerS, f.MaxConcurrentRequests = r.peaks()
	for _, l := range []struct {
		metric  string
		samples []float64
		known   bool
	}{
		{"ttft", s.ttft, true},
		{"tpot", s.tpot, true},
		{"itl", s.itl, true},
		{"e2el", s.e2el, true},
		{"client_queue_time", s.queue, r.queues()},
		{"e2el_including_client_queue", s.queued, r.queues() && !math.IsInf(r.RequestRate, 1)},
	} {
		if l.known && slices.Contains(r.Metrics, l.metric) {
			f.Latencies = append(f.Latencies, latency(l.metric, l.samples, r.Percentiles))
		}
	}
	return f, nil
}

func (r VLLMRun) queues() bool { return r.MaxConcurrency > 0 && r.Release.has(v29) }

// samples holds the latencies of the requests that succeeded, in seconds. Those
// of at most one token have no TPOT; every has 0 for them.
type samples struct{ ttft, tpot, every, itl, e2el, queue, queued []float64 }

// samples collects latencies, and counts.
func (r VLLMRun) samples(f *VLLMFigures) samples {
	var s samples
	for _, o := range r.Outputs {
		if !o.Success {
			f.Failed++
			f.OutputLens = append(f.OutputLens, 0)
			continue
		}
		f.Completed++
		f.OutputLens = append(f.OutputLens, o.OutputTokens)
		f.TotalInputTokens += o.PromptTokens
		f.TotalOutputTokens += o.OutputTokens
		tpot := 0.
		if o.OutputTokens > 1 {
			tpot = (o.Latency - o.TTFT) / float64(o.OutputTokens-1)
			s.tpot = append(s.tpot, tpot)
		}
		s.every = append(s.every, tpot)
		s.itl = append(s.itl, o.ITL...)
		s.ttft = append(s.ttft, o.TTFT)
		s.e2el = append(s.e2el, o.Latency)
		s.queue = append(s.queue, o.QueueTime)
		s.queued = append(s.queued, o.Latency+o.QueueTime)
	}
	return s
}

// kept counts the requests that keep every goal. It is false without goals.
func (g VLLMGoals) kept(s samples) (int, bool) {
	good, goals := 0, false
	for i := range s.ttft {
		keeps := true
		for _, x := range []struct {
			goal  *float64
			value float64
		}{{g.TTFT, s.ttft[i]}, {g.TPOT, s.every[i]}, {g.E2EL, s.e2el[i]}} {
			keeps = keeps && (x.goal == nil || *x.goal/1000 >= x.value)
		}
		if keeps {
			good++
		}
	}
	goals = g.TTFT != nil || g.TPOT != nil || g.E2EL != nil
	return good, goals
}

// latency sums samples up in seconds, then goes to milliseconds.
func latency(metric string, samples, percentiles []float64) VLLMLatency {
	if len(samples) == 0 {
		samples = []float64{0}
	}
	sorted := slices.Sorted(slices.Values(samples))
	l := VLLMLatency{
		Metric: metric,
		Mean:   float64(numpy.Mean(samples) * 1000),
		Median: float64(numpy.Median(sorted) * 1000),
		Std:    float64(numpy.Std(samples) * 1000),
	}
	for _, p := range percentiles {
		l.Percentiles = append(l.Percentiles, VLLMPercentile{P: p, Value: float64(numpy.Percentile(sorted, p) * 1000)})
	}
	return l
}
