package compat

import (
	"math"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/numpy"
)

// A BenchyRequest is what llama-benchy notes about one request. Moments are
// seconds on one clock; NaN is one that never came.
type BenchyRequest struct {
	Start         float64   // just before it is sent
	FirstResponse float64   // first chunk with a choice, text or not
	FirstToken    float64   // first chunk with text
	Tokens        []float64 // of every token, ascending
	TotalTokens   int       // generated, as BenchyTokenTimes counts them
	PromptTokens  int       // as the server counts them, 0 when it does not say
	Failed        bool      // left out of every figure
}

// A BenchyCell is one row of llama-benchy: batches of the same load.
type BenchyCell struct {
	Concurrency int

	// ExpectedTokens is how long the tool meant the prompt to be, context included
	// where it is sent for the first time. The server's count replaces it when the
	// two are less than a fifth apart.
	ExpectedTokens int

	Latency float64           // what the tool subtracts from a response time, in seconds
	Batches [][]BenchyRequest // measured ones, in order
}

// Figures computes the tool's figures, under the names of its result file and in
// its order. Each has the values behind it: one of a batch for what concerns a
// batch, one of a request for the rest. Deviations are those of a population. A
// figure without a single value is left out.
func (c BenchyCell) Figures() []bundle.Figure {
	var g gathered
	for _, batch := range c.Batches {
		c.gather(&g, batch)
	}
	if c.Concurrency == 1 {
		g.prefill, g.decode = g.prefillRequest, g.decodeRequest
	}
	return g.figures()
}

// gathered holds the values behind figures; times are seconds.
type gathered struct {
	prefill, prefillRequest, decode, decodeRequest, peak, peakRequest []float64
	firstResponse, promptTime, firstToken                             []float64
}

func (g gathered) figures() []bundle.Figure {
	var list []bundle.Figure
	for _, f := range []struct {
		name   string
		key    metric.Key
		values []float64
		factor float64 // to the metric's unit
	}{
		{"pp_throughput", metric.Prefill, g.prefill, 1}, // prompt tokens per second of a batch; of a request at concurrency 1
		{"pp_req_throughput", metric.PrefillRequest, g.prefillRequest, 1},
		{"tg_throughput", metric.Decode, g.decode, 1}, // generated tokens per second of a batch; of a request at concurrency 1
		{"tg_req_throughput", metric.DecodeRequest, g.decodeRequest, 1},
		{"peak_throughput", metric.Peak, g.peak, 1}, // most tokens within one second of a batch
		{"peak_req_throughput", metric.PeakRequest, g.peakRequest, 1},
		{"ttfr", metric.TTFR, g.firstResponse, 1000},
		{"est_ppt", metric.EstimatedPrefill, g.promptTime, 1000}, // the response time less Latency, 0 at least
		{"e2e_ttft", metric.TTFT, g.firstToken, 1000},
	} {
		if len(f.values) > 0 {
			list = append(list, summary(f.name, f.key, f.values, f.factor))
		}
	}
	return list
}

// summary sums values up, then multiplies by a factor.
func summary(name string, key metric.Key, values []float64, factor float64) bundle.Figure {
	scaled := make([]float64, len(values))
	for i, v := range values {
		scaled[i] = float64(v * factor)
	}
	f := figure(name, key)
	f.N, f.Values, f.StdKind = len(values), scaled, populationStd
	f.Mean, f.Std = new(float64(numpy.Mean(values)*factor)), new(float64(numpy.Std(values)*factor))
	return f
}

func (c BenchyCell) gather(g *gathered, batch []BenchyRequest) {
	valid := slices.DeleteFunc(slices.Clone(batch), func(r BenchyRequest) bool { return r.Failed })
	if len(valid) == 0 {
		return
	}
	var all []float64
	for _, r := range valid {
		c.gatherRequest(g, r)
		all = append(all, r.Tokens...)
	}
	slices.Sort(all)
	if len(all) > 0 {
		g.peak = append(g.peak, peak(all))
	}
	c.gatherBatch(g, valid)
}

func (c BenchyCell) gatherRequest(g *gathered, r BenchyRequest) {
	if !math.IsNaN(r.FirstResponse) {
		g.firstResponse = append(g.firstResponse, r.FirstResponse-r.Start)
	}
	if !math.IsNaN(r.FirstToken) {
		g.firstToken = append(g.firstToken, r.FirstToken-r.Start)
		prompt := max(0, (r.FirstResponse-r.Start)-c.Latency)
		g.promptTime = append(g.promptTime, prompt)
		if prompt > 0 {
			g.prefillRequest = append(g.prefillRequest, float64(c.prompt(r))/prompt)
		}
	}
	if n := len(r.Tokens); n > 0 {
		g.peakRequest = append(g.peakRequest, peak(r.Tokens))
		span := r.Tokens[n-1] - r.Tokens[0]
		if after := afterFirst(r.Tokens); r.TotalTokens > 1 && n > 1 && after > 0 && span > 0 {
			g.decodeRequest = append(g.decodeRequest, float64(after)/span)
		}
	}
}

// gatherBatch adds the rates of a batch as a whole. They count from the first
// request to the last, without subtraction.
func (c BenchyCell) gatherBatch(g *gathered, valid []BenchyRequest) {
	first, last := math.Inf(1), math.Inf(-1) // first token of the first and of the last request
	start, end := math.Inf(1), math.Inf(-1)
	prompt, after := 0, 0
	for _, r := range valid {
		start = min(start, r.Start)
		if !math.IsNaN(r.FirstToken) {
			first, last = min(first, r.FirstToken), max(last, r.FirstToken)
			prompt += c.prompt(r)
		}
		if n := len(r.Tokens); n > 0 {
			end = max(end, r.Tokens[n-1])
			after += afterFirst(r.Tokens)
		}
	}
	if span := last - start; span > 0 {
		g.prefill = append(g.prefill, float64(prompt)/span)
	}
	if span := end - first; span > 0 && after > 0 {
		g.decode = append(g.decode, float64(after)/span)
	}
}

// prompt returns how many prompt tokens the tool takes a request to have.
func (c BenchyCell) prompt(r BenchyRequest) int {
	apart := math.Abs(float64(r.PromptTokens - c.ExpectedTokens))
	if r.PromptTokens > 0 && apart < float64(c.ExpectedTokens)*0.2 {
		return r.PromptTokens
	}
	return c.ExpectedTokens
}

// afterFirst counts the tokens that came later than the first.
func afterFirst(tokens []float64) int {
	same, _ := slices.BinarySearchFunc(tokens, tokens[0], func(t, first float64) int {
		if t > first {
			return 1
		}
		return -1
	})
	return len(tokens) - same
}

// window is the time over which the tool counts tokens, in seconds.
const window = 1.0

// peak returns the most tokens within a second, per second. Less than a second of
// tokens count as a rate; tokens that all came at once, as their number.
func peak(tokens []float64) float64 {
	n := len(tokens)
	if span := tokens[n-1] - tokens[0]; span > 0 && span < window {
		return float64(n) / span
	}
	most := 0.
	for _, p := range rateOverTime(tokens) {
		most = max(most, p.Rate)
	}
	return most
}

// A rateAt is a point of a rate over time.
type rateAt struct {
	Second float64 // since the first token
	Rate   float64 // tokens in the second before
}

// rateOverTime counts, for every token, those of the second that it ends.
func rateOverTime(tokens []float64) []rateAt {
	rates := make([]rateAt, len(tokens))
	oldest := 0
	for i, t := range tokens {
		for oldest < i && tokens[oldest] <= t-window {
			oldest++
		}
		rates[i] = rateAt{Second: t - tokens[0], Rate: float64(i-oldest+1) / window}
	}
	return rates
}
