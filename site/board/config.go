package board

// A Configuration is one model in one precision with one set of server
// settings on one platform, wherever it was measured.
type Configuration struct {
	Key      ConfigKey
	Current  []RowRef    // the newest run on each board
	History  []RowRef    // older runs and withdrawn ones, newest first
	Siblings []ConfigKey // other configurations of the same model family, by platform, model and profile
}

// A RowRef finds a row: on a board, among its Rows or its History. Withdrawn
// bundles stand on no board and have Board -1.
type RowRef struct {
	ID      string
	Board   int
	Row     int // index into Rows, or into History when Older
	Older   bool
	Reasons []Reason // why it is not current
}

// A Pair is one configuration with speculative decoding and its counterpart
// without.
type Pair struct {
	Board       int
	Without     string // bundle id
	With        string // bundle id
	WithoutKey  ConfigKey
	WithKey     ConfigKey
	Differences []Difference // what else differs between the two: empty for a fair pair
}

// A Difference is a server setting that differs inside a pair beyond the
// speculation itself.
type Difference struct {
	Name    string
	Without string // empty when not set
	With    string // empty when not set
}
