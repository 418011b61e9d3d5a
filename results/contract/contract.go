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
// date), seed, success_threshold, cold_cache and ttft_limits_ms at its top; a table for each
// tool with what all tests share, [llama-benchy] and [vllm-bench-serve]; and a
// [[test]] for each test, in order. The n-th request_rate of a test sends the
// n-th number of prompts. Parse says which keys there are.
//
// Units: token counts are tokens, rates are requests per second, limits are
// milliseconds, ratios lie in [0,1].
package contract

import (
	"example.org/arena/results/metric"
	"example.org/arena/results/tomlfile"
)

// A Loop says how a test offers its load.
type Loop string

// The two kinds of load.
const (
	Closed Loop = "closed" // a slot sends its next request when the last one finished
	Open   Loop = "open"   // arrivals do not wait for answers
)

// A Tool names the program whose command line a contract prints for a test.
type Tool string

// The tools of the contracts so far.
const (
	LlamaBenchy Tool = "llama-benchy"
	VLLMBench   Tool = "vllm-bench-serve"
	Native      Tool = "arena" // the load generator of Arena itself: no other program has the loops it asks for
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

// A Test is one of the contract's tests. Exactly one of ClosedLoop and OpenLoop is set.
type Test struct {
	Slug            string // identity across versions: "chat", "rate-sweep"
	Number          int    // position in this version, from 1; differs between versions
	Loop            Loop
	Tool            Tool
	Primary         []metric.Key // the quantities that answer the test's question
	TTFTPercentiles []int        // percentiles of TTFT that the test asks for, ascending, in (0,100)
	ClosedLoop      *ClosedLoop
	OpenLoop        *OpenLoop
}

// ClosedLoop holds the parameters of a closed-loop test. Its cells are every
// combination of the lists, prompt outermost and concurrency innermost.
type ClosedLoop struct {
	ToolVersion  string // pinned version of the tool, empty when the contract pins none
	BaseURL      string // of the endpoint, with its version path
	PromptTokens []int
	OutputTokens []int
	DepthTokens  []int // context before the prompt
	Concurrency  []int
	Runs         int    // measured batches per cell; repetitions of the whole cell for Native
	LatencyMode  string // how the tool estimates the latency it subtracts; not for Native
	Format       string // output format of the tool; not for Native

	// Native only. Before a cell each slot sends a request with an answer of
	// WarmupTokens that is not measured; 0 sends none. Then each slot sends its next request as soon as the last one ended,
	// and sends Rounds of them in a repetition: requests, or conversations of Turns
	// turns.
	Rounds         int
	WarmupTokens   int
	Texts          []string // names of the texts that prompts are taken from, in turn
	Turns          int      // turns of a conversation, 1 without conversations
	QuestionTokens int      // tokens by which the prompt grows per turn beyond the answer before it; 0 without conversations
}

// OpenLoop holds the parameters of an open-loop test: one cell per rung.
type OpenLoop struct {
	Container         string  // Docker container that the tool runs in
	Backend           string  // the tool's name for the kind of endpoint
	BaseURL           string  // of the endpoint, without a path
	Endpoint          string  // path of the endpoint
	Dataset           string  // Random or ShareGPT; FromTexts or ShareGPT for Native
	DatasetPath       string  // of the dataset file, empty for Random and FromTexts
	InputTokens       int     // mean prompt length, not for ShareGPT
	OutputTokens      int     // mean output length, not for ShareGPT
	RangeRatio        float64 // half width of the spread of lengths around their mean, in [0,1), not for ShareGPT
	Burstiness        float64 // shape of the gamma arrivals: 1 is Poisson, lower is burstier
	MaxConcurrency    int     // cap on requests in flight, 0 for none
	PercentileMetrics []string
	Percentiles       []int
	ResultDir         string // folder the tool saves its result in, empty when it saves none
	ResultFile        string // name the tool saves its result under, empty when it saves none; {rate} stands for the rate
	RateDigits        int    // fewest decimals of a rate in commands and file names
	Rungs             []Rung

	// Native only.
	WarmupTokens int      // answers of the requests that are sent before a cell and not measured; 0 sends none
	Texts        []string // names of the texts that prompts of Texts are taken from, in turn
	StopP95TTFT  int      // ms: no rung is measured after one whose p95 TTFT is above it; 0 when all are
}

// The datasets that open-loop tests take their prompts from.
const (
	Random    = "random"   // made-up tokens of random lengths
	FromTexts = "texts"    // windows of named texts, of the lengths that Random has for the same seed
	ShareGPT  = "sharegpt" // recorded conversations
)

// A Rung is one arrival rate of an open-loop test.
type Rung struct {
	RequestRate float64 // requests per second
	Prompts     int     // requests sent
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

// Cells lists the test's cells in the order in which they are measured.
func (t Test) Cells() []Cell {
	if t.OpenLoop != nil {
		return t.OpenLoop.cells()
	}
	if t.ClosedLoop != nil {
		return t.ClosedLoop.cells()
	}
	return nil
}

func (l *ClosedLoop) cells() []Cell {
	var cells []Cell
	for _, prompt := range l.PromptTokens {
		for _, output := range l.OutputTokens {
			for _, depth := range l.DepthTokens {
				for _, c := range l.Concurrency {
					cells = append(cells, Cell{PromptTokens: prompt, OutputTokens: output, DepthTokens: depth, Concurrency: c})
				}
			}
		}
	}
	return cells
}

func (l *OpenLoop) cells() []Cell {
	var cells []Cell
	for _, r := range l.Rungs {
		cells = append(cells, Cell{
			PromptTokens: l.InputTokens,
			OutputTokens: l.OutputTokens,
			RequestRate:  r.RequestRate,
			Prompts:      r.Prompts,
		})
	}
	return cells
}
