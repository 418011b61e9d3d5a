package content

// A State says how far a suggestion has come.
type State string

// The states, in the order in which a suggestion passes through them. Measured
// and Declined are final.
const (
	Proposed State = "proposed"
	Accepted State = "accepted"
	Queued   State = "queued"
	Measured State = "measured"
	Declined State = "declined"
)

// A Suggestion is somebody's wish to see a model measured: a file
// suggestions/<slug>.toml.
type Suggestion struct {
	Slug         string
	Model        string // Hugging Face id
	Quantisation string // empty: as published
	VLLMArgs     string // arguments for the server, empty for the defaults
	Why          string // in the proposer's language, plain text
	History      []Step // oldest first; the last one is the present state
}

// State returns the present state.
func (s Suggestion) State() State {
	if len(s.History) == 0 {
		return Proposed
	}
	return s.History[len(s.History)-1].State
}

// A Step is a change of state.
type Step struct {
	State  State
	Date   string // YYYY-MM-DD
	Bundle string // measured: SHA-256 of the bundle
	Reason string // declined: a reason code, see DeclineReasons
}
