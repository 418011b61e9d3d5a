package bundle

import "time"

// Measured is when the bundle was measured, no more exactly than its source states
// it: StartedAt, or the month as YYYY-MM.
func (b *Bundle) Measured() string {
	for _, n := range b.Notes {
		if n.Code != NoteTimePrecision {
			continue
		}
		for _, a := range n.Args {
			if _, err := time.Parse("2006-01", a.Value); err == nil {
				return a.Value
			}
		}
	}
	return b.StartedAt
}
