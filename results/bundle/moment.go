package bundle

import (
	"fmt"
	"strings"
	"time"
)

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

// Stamp writes a moment as bundles hold it, to the microsecond.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// parseTime reads a time in RFC 3339 that is written in UTC with a Z.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !strings.HasSuffix(s, "Z") || t.Year() < 1000 {
		return time.Time{}, fmt.Errorf("%q is not a UTC time like 2026-08-14T10:15:00Z", s)
	}
	return t, nil
}
