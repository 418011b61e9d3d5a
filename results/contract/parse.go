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
		TTFTPercentiles: t.Integers("ttft_percentiles"),
	}
	for _, key := range t.Strs("primary") {
		test.Primary = append(test.Primary, metric.Key(key))
	}
	loop, tool := Loop(t.Str("loop")), Tool(t.Str("tool"))
	for _, k := range kinds {
		if k.loop == loop && k.tool == tool {
			test.Kind = k.parse(t, tools.use(t, tool))
			t.Done()
			return test
		}
	}
	t.Fault("tool", "no tool %q for loop %q: want %q for %q, %q for %q, or %q", tool, loop, LlamaBenchy, Closed, VLLMBench, Open, Native)
	return test // which keys belong to such a test is unknown
}
