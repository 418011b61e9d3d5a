package contract

import (
	"crypto/sha256"
	"encoding/hex"

	"example.org/arena/results/metric"
)

// Parse reads a contract file. Name is the file's name for messages. The error
// is Faults: a fault of syntax, or every unknown or missing key and every value
// of the wrong type. Whether the values make sense is for Validate to say.
func Parse(name string, data []byte) (*Contract, error) {
	top, err := decodeTOML(name, data)
	if err != nil {
		return nil, err
	}
	c := &Contract{File: name, Digest: digest(data), lines: top.report.lines}
	top.need("version", "date", "date_stated", "seed", "test")
	c.Version = top.str("version")
	c.Date = top.str("date")
	c.DateStated = top.boolean("date_stated")
	c.Seed = top.integer("seed")
	c.SuccessThreshold = top.number("success_threshold")
	c.TTFTLimits = top.integers("ttft_limits_ms")
	tools := parseTools(top)
	for _, t := range top.subs("test") {
		c.Tests = append(c.Tests, parseTest(t, tools))
	}
	tools.done()
	top.done()
	if err := top.report.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// digest returns the SHA-256 of data in hex.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Toolset holds what all tests with one tool share: a table named after the tool.
type toolset map[Tool]*table

func parseTools(top *table) toolset {
	tools := toolset{}
	for _, tool := range []Tool{LlamaBenchy, VLLMBench} {
		if top.has(string(tool)) {
			tools[tool] = top.sub(string(tool))
		}
	}
	return tools
}

// use returns the shared keys of the test's tool, with a fault when the file has
// none.
func (s toolset) use(test *table, tool Tool) *table {
	shared, ok := s[tool]
	if !ok {
		test.fault("tool", "no table [%s] in this file", tool)
		return newTable(&report{}, string(tool), nil)
	}
	return shared
}

// done notes unknown keys, and tables that no test has used.
func (s toolset) done() {
	for _, tool := range []Tool{LlamaBenchy, VLLMBench} {
		if shared, ok := s[tool]; !ok {
			continue
		} else if len(shared.used) == 0 {
			shared.report.add(shared.path, "no test uses this tool")
		} else {
			shared.done()
		}
	}
}

func parseTest(t *table, tools toolset) Test {
	t.need("slug", "number", "loop", "tool", "primary")
	test := Test{
		Slug:            t.str("slug"),
		Number:          int(t.integer("number")),
		Loop:            Loop(t.str("loop")),
		Tool:            Tool(t.str("tool")),
		TTFTPercentiles: t.integers("ttft_percentiles"),
	}
	for _, key := range t.strs("primary") {
		test.Primary = append(test.Primary, metric.Key(key))
	}
	switch {
	case test.Loop == Closed && test.Tool == LlamaBenchy:
		test.ClosedLoop = parseClosedLoop(t, tools.use(t, LlamaBenchy))
	case test.Loop == Open && test.Tool == VLLMBench:
		test.OpenLoop = parseOpenLoop(t, tools.use(t, VLLMBench))
	default:
		t.fault("tool", "no tool %q for loop %q: want %q for %q or %q for %q", test.Tool, test.Loop, LlamaBenchy, Closed, VLLMBench, Open)
		return test // which keys belong to such a test is unknown
	}
	t.done()
	return test
}

func parseClosedLoop(t, tool *table) *ClosedLoop {
	t.need("prompt_tokens", "output_tokens", "depth_tokens", "concurrency")
	tool.need("base_url", "runs", "latency_mode", "format")
	return &ClosedLoop{
		ToolVersion:  tool.str("version"),
		BaseURL:      tool.str("base_url"),
		PromptTokens: t.integers("prompt_tokens"),
		OutputTokens: t.integers("output_tokens"),
		DepthTokens:  t.integers("depth_tokens"),
		Concurrency:  t.integers("concurrency"),
		Runs:         int(tool.integer("runs")),
		LatencyMode:  tool.str("latency_mode"),
		Format:       tool.str("format"),
	}
}

func parseOpenLoop(t, tool *table) *OpenLoop {
	t.need("dataset", "burstiness", "request_rate", "prompts")
	tool.need("container", "backend", "base_url", "endpoint", "percentile_metrics", "percentiles")
	loop := &OpenLoop{
		Container:         tool.str("container"),
		Backend:           tool.str("backend"),
		BaseURL:           tool.str("base_url"),
		Endpoint:          tool.str("endpoint"),
		Dataset:           t.str("dataset"),
		Burstiness:        t.number("burstiness"),
		MaxConcurrency:    int(t.integer("max_concurrency")),
		PercentileMetrics: tool.strs("percentile_metrics"),
		Percentiles:       tool.integers("percentiles"),
		ResultDir:         tool.str("result_dir"),
		ResultFile:        t.str("result_file"),
		RateDigits:        int(tool.integer("rate_digits")),
		Rungs:             parseRungs(t),
	}
	switch loop.Dataset {
	case Random:
		t.need("mean_input_tokens", "mean_output_tokens", "range_ratio")
		loop.InputTokens = int(t.integer("mean_input_tokens"))
		loop.OutputTokens = int(t.integer("mean_output_tokens"))
		loop.RangeRatio = t.number("range_ratio")
	case ShareGPT:
		t.need("dataset_path")
		loop.DatasetPath = t.str("dataset_path")
	}
	return loop
}

// parseRungs pairs the two lists: the n-th rate sends the n-th number of prompts.
func parseRungs(t *table) []Rung {
	rates, prompts := t.numbers("request_rate"), t.integers("prompts")
	if len(rates) != len(prompts) {
		t.fault("prompts", "want as many values as request_rate has: %d, not %d", len(rates), len(prompts))
		return nil
	}
	var rungs []Rung
	for i := range rates {
		rungs = append(rungs, Rung{RequestRate: rates[i], Prompts: prompts[i]})
	}
	return rungs
}
