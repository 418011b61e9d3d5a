package runner

import (
	"errors"
	"fmt"
	"math"
	"time"

	"example.org/arena/engine/compat"
	"example.org/arena/loadgen"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
)

// Terms returns the figures that the test's tool would have reported about a cell:
// its own formulas on our records, read from a result file in its own form, so
// that they carry the names that an import has. LatencyMS is what llama-benchy
// subtracts from response times, in ms. Tests of Arena's own have no such figures.
//
// They need the time of every token, which a bundle does not keep, so they are
// computed once and stored.
func (m *Measured) Terms(t contract.Test, model string, latencyMS float64) ([]bundle.Figure, error) {
	switch k := t.Kind.(type) {
	case contract.Batches:
		return m.benchy(k, model, latencyMS)
	case contract.VLLMServe:
		return m.vllm(k, model)
	case contract.Refill, contract.Conversations, contract.OpenLoop:
	}
	return nil, nil
}

// errNotOne says that a result file of one cell was read as none, or as several.
var errNotOne = errors.New("the result file does not hold the one cell that was written to it")

func (m *Measured) benchy(k contract.Batches, model string, latencyMS float64) ([]bundle.Figure, error) {
	spec := m.Cell.Spec
	cell := compat.BenchyCell{
		Concurrency:    spec.Concurrency,
		ContextTokens:  spec.DepthTokens,
		PromptTokens:   spec.PromptTokens,
		ResponseTokens: spec.OutputTokens,
		ExpectedTokens: spec.DepthTokens + spec.PromptTokens,
		Latency:        latencyMS / 1000,
		Batches:        compat.BenchyBatches(m.Cell.Repetitions[0].Schedule, m.Runs[0].Records),
	}
	report := compat.BenchyReport{
		End:            m.End,
		LatencyMode:    k.LatencyMode,
		Latency:        latencyMS,
		Model:          model,
		MaxConcurrency: spec.Concurrency,
		Rows:           []compat.BenchyRow{{Cell: cell, Figures: cell.Figures()}},
	}
	data, err := report.JSON()
	if err != nil {
		return nil, fmt.Errorf("figures of llama-benchy: %w", err)
	}
	read, err := ingest.ParseLlamaBenchy(ingest.Input{Name: "figures", Data: data})
	if err == nil && (len(read.Reports) != 1 || len(read.Reports[0].Cells) != 1) {
		err = errNotOne
	}
	if err != nil {
		return nil, fmt.Errorf("figures of llama-benchy: %w", err)
	}
	return read.Reports[0].Cells[0].Reported, nil
}

func (m *Measured) vllm(k contract.VLLMServe, model string) ([]bundle.Figure, error) {
	records := m.Runs[0].Records
	run := compat.VLLMRun{
		Duration:       compat.VLLMDuration(records),
		Outputs:        compat.VLLMOutputs(compat.VLLMLatest, records),
		Metrics:        k.PercentileMetrics,
		MaxConcurrency: k.MaxConcurrency,
		RequestRate:    m.Cell.Spec.RequestRate,
	}
	for _, p := range k.Percentiles {
		run.Percentiles = append(run.Percentiles, float64(p))
	}
	figures, err := run.Figures()
	if err != nil {
		return nil, fmt.Errorf("figures of vllm bench serve: %w", err)
	}
	data, err := run.JSON(figures, compat.VLLMSetup{
		End: m.End, Backend: k.Backend, Model: model, Prompts: len(records), Burstiness: k.Burstiness,
	})
	if err != nil {
		return nil, fmt.Errorf("figures of vllm bench serve: %w", err)
	}
	read, err := ingest.ParseVLLMBench(ingest.Input{Name: "figures", Data: data})
	if err == nil && len(read.Results) != 1 {
		err = errNotOne
	}
	if err != nil {
		return nil, fmt.Errorf("figures of vllm bench serve: %w", err)
	}
	return read.Results[0].Cell.Reported, nil
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
