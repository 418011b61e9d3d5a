package content

import "example.org/arena/results/facts"

// A Retraction takes back a published bundle: a file retractions/<SHA-256>.toml.
// The bundle itself stays, marked.
type Retraction struct {
	Bundle     string // SHA-256 of the bundle, 64 hex digits
	Reason     string // a reason code, see RetractionReasons
	Date       string // YYYY-MM-DD
	Superseded string // SHA-256 of the bundle that takes its place, may be empty
	Text       facts.Words
}
