// Package contract describes a versioned benchmark contract: which tests are
// run, with which parameters, and what makes a result count.
//
// A contract is a TOML file. Parse reads its syntax, Validate checks its sense;
// both name file and line, and Validate reports every fault at once. A contract
// that has been published never changes: its identity is the SHA-256 of its
// bytes (Digest). What is found wrong with it later stands in an errata file
// beside it. The contract holds no prose: texts about tests belong to the site.
//
// The file has version, date, date_stated (whether the published text names the
// date), seed, success_threshold, cold_cache and ttft_limits_ms at its top; a
// table for each tool with what all its tests share, [llama-benchy],
// [vllm-bench-serve] or [arena]; and a [[test]] for each test, in order. Loop and
// tool of a test make its Kind, and the parser of the kind says which keys it has.
// The n-th request_rate of a test sends the n-th number of prompts.
//
// Units: token counts are tokens, rates are requests per second, limits are
// milliseconds, ratios lie in [0,1].
package contract

import (
	"example.org/arena/results/metric"
	"example.org/arena/results/tomlfile"
)

// A Contract is one version of the benchmark.
type Contract struct {
	Version          string  // "v2"
	Date             string  // date of publication, YYYY-MM-DD
	DateStated       bool    // the published text states Date; otherwise it is the earliest day that the evidence allows
	Seed             int64   // seed of arrivals, lengths and shuffles
	SuccessThreshold float64 // share of requests that must succeed in an open-loop test, in (0,1]; 0 when the contract sets none
	ColdCache        bool    // prompts must not be answered from a cache: the server's prefix cache is off
	TTFTLimits       []int   // limits on p95 TTFT for the rate sweep, ms, ascending; none without a sweep
	Tests            []Test  // in the order of their numbers

	File   string // name of the file, for messages
	Digest string // SHA-256 of the file's bytes, lower-case hex

	lines tomlfile.Lines // where each key stands, for messages
}

// A Test is one of the contract's tests.
type Test struct {
	Slug            string // identity across versions: "chat", "rate-sweep"
	Number          int    // position in this version, from 1; differs between versions
	Kind            Kind
	Primary         []metric.Key // the quantities that answer the test's question
	TTFTPercentiles []int        // percentiles of TTFT that the test asks for, ascending, in (0,100)
}

// A Cell is one measured point of a test. Closed-loop cells leave RequestRate
// and Prompts zero; open-loop cells leave DepthTokens and Concurrency zero, and
// their lengths too when the dataset decides them.
type Cell struct {
	PromptTokens int
	OutputTokens int
	DepthTokens  int
	Concurrency  int
	RequestRate  float64
	Prompts      int
}

// Test returns the test with the given slug and whether the contract has it.
func (c *Contract) Test(slug string) (Test, bool) {
	for _, t := range c.Tests {
		if t.Slug == slug {
			return t, true
		}
	}
	return Test{}, false
}

// Slugs lists the tests by their slugs, in order.
func (c *Contract) Slugs() []string {
	list := make([]string, len(c.Tests))
	for i, t := range c.Tests {
		list[i] = t.Slug
	}
	return list
}
