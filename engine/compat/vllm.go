package compat

import (
	"fmt"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
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
	PromptTokens int
	OutputTokens int // at least 1 in a success
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
	// without a choice has failed.
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

// A VLLMRun is a run of `vllm bench serve`.
type VLLMRun struct {
	Release     VLLMRelease
	Duration    float64 // seconds, from the start of the schedule to the last answer
	Outputs     []VLLMOutput
	Metrics     []string  // latencies that are reported: "ttft", "tpot", "itl", "e2el"
	Percentiles []float64 // within (0,100), ascending
}

// Figures computes the tool's figures, under the names of its result file, in the
// order of the metric table, as an import has them. The tool gives 0 for what has no
// samples. Latencies are milliseconds. A run that took no time has no figures.
func (r VLLMRun) Figures() ([]bundle.Figure, error) {
	if !(r.Duration > 0) {
		return nil, fmt.Errorf("compute figures: the run took %v s", r.Duration)
	}
	s := r.samples()
	var list []bundle.Figure
	for _, l := range []struct {
		name    string
		key     metric.Key
		samples []float64
	}{
		{"ttft", metric.TTFT, s.ttft},
		{"tpot", metric.TPOT, s.tpot},
		{"itl", metric.ITL, s.itl},
		{"e2el", metric.E2E, s.e2el},
	} {
		if slices.Contains(r.Metrics, l.name) {
			list = append(list, latency(l.name, l.key, l.samples, r.Percentiles))
		}
	}
	chunks, requests := r.peaks()
	for _, v := range []struct {
		name  string
		key   metric.Key
		value float64
	}{
		{"max_output_tokens_per_s", metric.Peak, chunks}, // most chunks in a second of the run: chunks, whatever the name says
		{"output_throughput", metric.Output, float64(s.output) / r.Duration},
		{"total_token_throughput", metric.Total, float64(s.input+s.output) / r.Duration},
		{"request_throughput", metric.RequestRate, float64(s.completed) / r.Duration},
		// Before 0.30 one more than there were, where a request ends and another starts
		// in the same second.
		{"max_concurrent_requests", metric.PeakConcurrency, float64(requests)},
		{"duration", metric.Duration, r.Duration},
	} {
		f := figure(v.name, v.key)
		f.Value = new(v.value)
		list = append(list, f)
	}
	return list, nil
}

// samples holds what figures are computed from: counts of the requests
// that succeeded and of their tokens, and their latencies in seconds. Requests of at most one
// token have no TPOT.
type samples struct {
	completed             int
	input, output         int
	ttft, tpot, itl, e2el []float64
}

func (r VLLMRun) samples() samples {
	var s samples
	for _, o := range r.Outputs {
		if !o.Success {
			continue
		}
		s.completed++
		s.input += o.PromptTokens
		s.output += o.OutputTokens
		if o.OutputTokens > 1 {
			s.tpot = append(s.tpot, (o.Latency-o.TTFT)/float64(o.OutputTokens-1))
		}
		s.itl = append(s.itl, o.ITL...)
		s.ttft = append(s.ttft, o.TTFT)
		s.e2el = append(s.e2el, o.Latency)
	}
	return s
}

// latency sums samples up in seconds, then goes to milliseconds.
func latency(name string, key metric.Key, samples, percentiles []float64) bundle.Figure {
	if len(samples) == 0 {
		samples = []float64{0}
	}
	sorted := slices.Sorted(slices.Values(samples))
	f := figure(name, key)
	f.Mean, f.Median = new(float64(numpy.Mean(samples)*1000)), new(float64(numpy.Median(sorted)*1000))
	f.Std, f.StdKind = new(float64(numpy.Std(samples)*1000)), populationStd
	for _, p := range percentiles {
		f.Percentiles = append(f.Percentiles, bundle.Percentile{P: p, Value: float64(numpy.Percentile(sorted, p) * 1000)})
	}
	return f
}
