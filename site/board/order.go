package board

import "example.org/arena/results/metric"

// A Column is a quantity that a board shows for every row.
type Column struct {
	ID        string // "one_user", "capacity_5000", "rag-8k/decode_tok_per_s"
	Test      string // slug
	Metric    metric.Key
	Statistic Statistic
	Pick      Pick
	LimitMS   int // for capacities
}

// A Pick says which cell of a test a column shows.
type Pick string

// The picks. Prompt and depth are always the largest of the test.
const (
	LowestConcurrency  Pick = "lowest_concurrency" // must be 1 for a column about one user
	HighestConcurrency Pick = "highest_concurrency"
	WholeTest          Pick = "whole_test"
)

// The ids of the columns that every board has, beside those of each test.
const (
	ColumnOneUser     = "one_user"      // decode speed of one request, alone on the server
	ColumnManyUsers   = "many_users"    // decode throughput at the highest concurrency of chat
	ColumnTTFT        = "ttft"          // median TTFT of the office baseline
	ColumnTTFTTail    = "ttft_tail"     // p95 TTFT of the office baseline
	ColumnTTFTOneUser = "ttft_one_user" // mean TTFT of chat at concurrency 1
)

// A SortKey is one key of an order.
type SortKey struct {
	Column string           // id of a column, or "date", "model", "profile", "id"
	Better metric.Direction // Neutral: ascending by text
}

// A Group is a run of rows that share a rank: no two of them can be told apart.
type Group struct {
	Rank       int
	Rows       []int // indices into the ranking's rows
	ByMethod   bool  // some pair is held together only by the method's own ±2 %
	BySpread   bool  // some pair is held together only by overlapping spreads
	Separation *Separation
}

// A Separation is what keeps a group apart from the one above it: the first
// pair of rows, one of each, that can be told apart.
type Separation struct {
	Above, Below int     // rows
	Difference   float64 // in the unit of the column, positive
	Tolerance    float64 // what the difference would have to stay within
}
