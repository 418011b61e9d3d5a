package contract

import (
	"crypto/sha256"
	"encoding/hex"

	"example.org/arena/results/metric"
	"example.org/arena/results/tomlfile"
)

// Parse reads a contract file. Name is the file's name for messages. The error
// is tomlfile.Faults: a fault of syntax, or every unknown or missing key and every value
// of the wrong type. Whether the values make sense is for Validate to say.
func Parse(name string, data []byte) (*Contract, error) {
	top, err := tomlfile.Decode(name, data)
	if err != nil {
		return nil, err
	}
	c := &Contract{File: name, Digest: digest(data), lines: top.Lines()}
	top.Need("version", "date", "date_stated", "seed", "test")
	c.Version = top.Str("version")
	c.Date = top.Str("date")
	c.DateStated = top.Boolean("date_stated")
	c.Seed = top.Integer("seed")
	c.SuccessThreshold = top.Number("success_threshold")
	c.ColdCache = top.Boolean("cold_cache")
	c.TTFTLimits = top.Integers("ttft_limits_ms")
	tools := parseTools(top)
	for _, t := range top.Subs("test") {
		c.Tests = append(c.Tests, parseTest(t, tools))
	}
	tools.done()
	top.Done()
	if err := top.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// digest returns the SHA-256 of data in hex.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// toolNames lists the tools that a contract can use.
var toolNames = []Tool{LlamaBenchy, VLLMBench, Native}

// A toolset holds what all tests with one tool share: a table named after the tool.
type toolset struct {
	tables map[Tool]*tomlfile.Table
	used   map[Tool]bool // by a test
}

func parseTools(top *tomlfile.Table) toolset {
	tools := toolset{tables: map[Tool]*tomlfile.Table{}, used: map[Tool]bool{}}
	for _, tool := range toolNames {
		if top.Has(string(tool)) {
			tools.tables[tool] = top.Sub(string(tool))
		}
	}
	return tools
}

// use returns the shared keys of the test's tool, with a fault when the file has
// none.
func (s toolset) use(test *tomlfile.Table, tool Tool) *tomlfile.Table {
	s.used[tool] = true
	shared, ok := s.tables[tool]
	if !ok {
		test.Fault("tool", "no table [%s] in this file", tool)
		return tomlfile.Empty()
	}
	return shared
}

// done notes unknown keys, and tables that no test has used.
func (s toolset) done() {
	for _, tool := range toolNames {
		if shared, ok := s.tables[tool]; !ok {
			continue
		} else if !s.used[tool] {
			shared.Fault("", "no test uses this tool")
		} else {
			shared.Done()
		}
	}
}

func parseTest(t *tomlfile.Table, tools toolset) Test {
	t.Need("slug", "number", "loop", "tool", "primary")
	test := Test{
		Slug:            t.Str("slug"),
		Number:          int(t.Integer("number")),
		Loop:            Loop(t.Str("loop")),
		Tool:            Tool(t.Str("tool")),
		TTFTPercentiles: t.Integers("ttft_percentiles"),
	}
	for _, key := range t.Strs("primary") {
		test.Primary = append(test.Primary, metric.Key(key))
	}
	switch {
	case test.Loop == Closed && test.Tool == LlamaBenchy:
		test.ClosedLoop = parseClosedLoop(t, tools.use(t, LlamaBenchy))
	case test.Loop == Open && test.Tool == VLLMBench:
		test.OpenLoop = parseOpenLoop(t, tools.use(t, VLLMBench))
	case test.Loop == Closed && test.Tool == Native:
		test.ClosedLoop = parseNativeClosed(t, tools.use(t, Native))
	case test.Loop == Open && test.Tool == Native:
		test.OpenLoop = parseNativeOpen(t, tools.use(t, Native))
	default:
		t.Fault("tool", "no tool %q for loop %q: want %q for %q, %q for %q, or %q", test.Tool, test.Loop, LlamaBenchy, Closed, VLLMBench, Open, Native)
		return test // which keys belong to such a test is unknown
	}
	t.Done()
	return test
}

func parseClosedLoop(t, tool *tomlfile.Table) *ClosedLoop {
	t.Need("prompt_tokens", "output_tokens", "depth_tokens", "concurrency")
	tool.Need("base_url", "runs", "latency_mode", "format")
	return &ClosedLoop{
		ToolVersion:  tool.Str("version"),
		BaseURL:      tool.Str("base_url"),
		PromptTokens: t.Integers("prompt_tokens"),
		OutputTokens: t.Integers("output_tokens"),
		DepthTokens:  t.Integers("depth_tokens"),
		Concurrency:  t.Integers("concurrency"),
		Runs:         int(tool.Integer("runs")),
		LatencyMode:  tool.Str("latency_mode"),
		Format:       tool.Str("format"),
	}
}

func parseOpenLoop(t, tool *tomlfile.Table) *OpenLoop {
	t.Need("dataset", "burstiness", "request_rate", "prompts")
	tool.Need("container", "backend", "base_url", "endpoint", "percentile_metrics", "percentiles")
	loop := &OpenLoop{
		Container:         tool.Str("container"),
		Backend:           tool.Str("backend"),
		BaseURL:           tool.Str("base_url"),
		Endpoint:          tool.Str("endpoint"),
		Dataset:           t.Str("dataset"),
		Burstiness:        t.Number("burstiness"),
		MaxConcurrency:    int(t.Integer("max_concurrency")),
		PercentileMetrics: tool.Strs("percentile_metrics"),
		Percentiles:       tool.Integers("percentiles"),
		ResultDir:         tool.Str("result_dir"),
		ResultFile:        t.Str("result_file"),
		RateDigits:        int(tool.Integer("rate_digits")),
		Rungs:             parseRungs(t),
	}
	switch loop.Dataset {
	case Random:
		t.Need("mean_input_tokens", "mean_output_tokens", "range_ratio")
		loop.InputTokens = int(t.Integer("mean_input_tokens"))
		loop.OutputTokens = int(t.Integer("mean_output_tokens"))
		loop.RangeRatio = t.Number("range_ratio")
	case ShareGPT:
		t.Need("dataset_path")
		loop.DatasetPath = t.Str("dataset_path")
	}
	return loop
}

// parseRungs pairs the two lists: the n-th rate sends the n-th number of prompts.
func parseRungs(t *tomlfile.Table) []Rung {
	rates, prompts := t.Numbers("request_rate"), t.Integers("prompts")
	if len(rates) != len(prompts) {
		t.Fault("prompts", "want as many values as request_rate has: %d, not %d", len(rates), len(prompts))
		return nil
	}
	var rungs []Rung
	for i := range rates {
		rungs = append(rungs, Rung{RequestRate: rates[i], Prompts: prompts[i]})
	}
	return rungs
}
