package content

import "example.org/arena/results/metric"

// A Preset is a named view of the leaderboard: the columns that answer one kind
// of question. Its words come from the language catalogs under "preset.<slug>".
type Preset struct {
	Slug    string
	Columns []Column // exactly one of them sorts
}

// A Column names one figure of each configuration: a test, one of its cells, a
// metric and a statistic.
type Column struct {
	Test         string // slug of the test
	Metric       metric.Key
	Statistic    string  // "mean", "median", "p95"; empty for single values
	PromptTokens int     // closed loop, where the test has several prompt lengths; 0 for its only one
	Concurrency  int     // closed loop
	RequestRate  float64 // open loop with several rungs, requests per second; 0 for the only one
	TTFTLimitMS  int     // capacity only: the limit on p95 TTFT, ms
	Sort         bool    // rows are sorted by this column, the better first
}
