package runner

import (
	"fmt"
	"math"
	"time"

	"example.org/arena/engine/compat"
	"example.org/arena/loadgen"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// ToolFigures returns the figures that the test's tool would have reported about a
// cell: its own formulas on our records, under the names that its result file has for
// them. LatencyMS is what llama-benchy subtracts from response times, in ms. Tests of
// Arena's own have no such figures.
//
// They need the time of every token, which a bundle does not keep, so they are
// computed once and stored.
func (m *Measured) ToolFigures(t contract.Test, latencyMS float64) ([]bundle.Figure, error) {
	switch k := t.Kind.(type) {
	case contract.Batches:
		return m.benchy(latencyMS), nil
	case contract.VLLMServe:
		return m.vllm(k)
	case contract.Own:
	}
	return nil, nil
}

func (m *Measured) benchy(latencyMS float64) []bundle.Figure {
	spec := m.Cell.Spec
	return compat.BenchyCell{
		Concurrency:    spec.Concurrency,
		ExpectedTokens: spec.DepthTokens + spec.PromptTokens,
		Latency:        latencyMS / 1000,
		Batches:        compat.BenchyBatches(m.Cell.Repetitions[0].Schedule, m.Runs[0].Records),
	}.Figures()
}

func (m *Measured) vllm(k contract.VLLMServe) ([]bundle.Figure, error) {
	records := m.Runs[0].Records
	run := compat.VLLMRun{
		Duration: compat.VLLMDuration(records),
		Outputs:  compat.VLLMOutputs(compat.VLLMLatest, records),
		Metrics:  k.PercentileMetrics,
	}
	for _, p := range k.Percentiles {
		run.Percentiles = append(run.Percentiles, float64(p))
	}
	figures, err := run.Figures()
	if err != nil {
		return nil, fmt.Errorf("figures of vllm bench serve: %w", err)
	}
	return figures, nil
}

// probes is how many short answers llama-benchy measures its latency with.
const probes = 3

// Latency measures what llama-benchy subtracts from response times, in ms: the
// mean time of three answers of one token, up to the first byte of the body. It is
// a poor estimate (it contains a prefill and a decoding step), and the tool's own.
// It is NaN when every probe failed.
func Latency(send func(body []byte) loadgen.Result, body []byte) float64 {
	var sum time.Duration
	n := 0
	for range probes {
		if r := send(body); r.Outcome == loadgen.OK && r.FirstByte != loadgen.Unknown {
			sum += r.FirstByte - r.Sent
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return float64(sum) / float64(n) / float64(time.Millisecond)
}
