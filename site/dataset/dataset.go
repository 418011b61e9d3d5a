// Package dataset holds the documents that the site publishes for programs: a
// configuration's figures with its findings, and all boards. They are derived
// from bundles and may be computed anew at any time; what was measured is in the
// bundles alone. Keys are in English and name their unit, numbers have a decimal
// point, and nothing is localised.
package dataset

// A Run is the newest measurement of one configuration: what became of each test,
// every statistic that was reported or follows from recorded requests, and what the
// audit remarks.
type Run struct {
	Bundle   string    `json:"bundle"`            // SHA-256 of the bundle
	Platform string    `json:"platform"`          // id of the platform
	Model    string    `json:"model"`             // Hugging Face id
	Profile  string    `json:"profile"`           // name of the configuration
	Contract string    `json:"contract,omitzero"` // version; absent without a contract
	Date     string    `json:"date"`              // of the first test, YYYY-MM-DD
	Kind     string    `json:"kind"`              // run, import or simulated
	Licence  string    `json:"licence"`           // SPDX identifier, or "none stated"
	Credit   string    `json:"credit"`            // whom to name
	Tests    []Test    `json:"tests"`             // in the order of the contract
	Figures  []Figure  `json:"figures"`           // every statistic that was reported or follows from recorded requests, in the order of the bundle
	Findings []Finding `json:"findings"`          // what the audit remarks
}

// A Test says what became of a test.
type Test struct {
	Test         string   `json:"test"`              // slug
	Completeness string   `json:"completeness"`      // complete, stopped_early or no_data
	Counts       bool     `json:"counts"`            // whether its values may rank
	Planned      int      `json:"cells_planned"`     // cells of the contract
	Measured     int      `json:"cells_measured"`    // of them, measured
	Reasons      []string `json:"reasons,omitempty"` // codes of why it does not count
}

// A Figure is one statistic of one quantity in one cell. A parameter that does
// not apply is absent.
type Figure struct {
	Test         string   `json:"test"`                        // slug
	PromptTokens int      `json:"prompt_tokens,omitzero"`      // tokens
	OutputTokens int      `json:"output_tokens,omitzero"`      // tokens
	DepthTokens  int      `json:"depth_tokens,omitzero"`       // tokens of context before the prompt
	Concurrency  int      `json:"concurrency,omitzero"`        // requests in flight
	RequestRate  *float64 `json:"request_rate_per_s,omitzero"` // arrivals per second
	Metric       string   `json:"metric"`                      // key of the quantity
	Statistic    string   `json:"statistic"`                   // value, mean, p50, p90, p95 or p99
	Unit         string   `json:"unit"`                        // of value and std
	Value        float64  `json:"value"`                       // in unit
	Std          *float64 `json:"std,omitzero"`                // standard deviation, as the source computes it
	N            int      `json:"n,omitzero"`                  // samples, where known
	Excluded     []string `json:"excluded,omitempty"`          // codes of what keeps the value out of rankings
}

// A Finding is a remark of the audit.
type Finding struct {
	Test     string `json:"test,omitzero"` // slug; absent when the finding is about the bundle
	Cell     int    `json:"cell"`          // index among the test's cells; -1 for the whole test
	Code     string `json:"code"`          // code of the rule
	Severity string `json:"severity"`      // info, warning or error; an error keeps values out of rankings
	Args     []Arg  `json:"args"`          // the numbers and names that triggered it
}

// An Arg is a number or a name that belongs to a finding.
type Arg struct {
	Name   string   `json:"name"`            // what it is
	Number *float64 `json:"number,omitzero"` // its value, when it is a number
	Unit   string   `json:"unit,omitzero"`   // of the number
	Text   string   `json:"text,omitzero"`   // its value, when it is a name
}

// A Leaderboard is every board with its rows.
type Leaderboard struct {
	Date   string  `json:"date"`   // of the site, YYYY-MM-DD
	Boards []Board `json:"boards"` // ranked boards first
}

// A Board is a list of comparable rows.
type Board struct {
	Contract string `json:"contract,omitzero"` // version; absent when the bundles follow none
	Platform string `json:"platform"`          // id of the platform
	Kind     string `json:"kind"`              // run, import or simulated
	Source   string `json:"source,omitzero"`   // of imports
	Ranked   bool   `json:"ranked"`            // whether rows are ranked
	Rows     []Row  `json:"rows"`              // in the default order
}

// A Row is a configuration on a board.
type Row struct {
	Rank    int     `json:"rank,omitzero"` // from 1, shared by rows that cannot be told apart; absent without one
	Bundle  string  `json:"bundle"`        // SHA-256 of the bundle
	Model   string  `json:"model"`         // Hugging Face id
	Profile string  `json:"profile"`       // name of the configuration
	Date    string  `json:"date"`          // of the first test, YYYY-MM-DD
	Values  []Value `json:"values"`        // one per column of the board
}

// A Value is one number of a board.
type Value struct {
	Column    string   `json:"column"`             // id of the column
	Metric    string   `json:"metric"`             // key of the quantity
	Statistic string   `json:"statistic,omitzero"` // value, mean, p50, p90, p95 or p99
	Unit      string   `json:"unit"`               // of value and std
	Value     *float64 `json:"value"`              // null when unknown: missing says why
	Std       *float64 `json:"std,omitzero"`       // standard deviation, as the source computes it
	AtLeast   bool     `json:"at_least,omitzero"`  // nothing higher was measured
	Missing   string   `json:"missing,omitzero"`   // why the value is unknown
	Excluded  []string `json:"excluded,omitempty"` // codes of what keeps the value out of rankings
}
