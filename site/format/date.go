package format

import (
	"time"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
)

// month is the layout of a date that states no day.
const month = "2006-01"

// Date writes a date as exactly as it is stated: a day, or a month.
func Date(p *i18n.Printer, date string) string {
	if t, err := time.Parse(month, date); err == nil {
		return p.MonthYear(t)
	}
	return p.T("board.date", "date", date)
}

// Measured writes when a bundle was measured, no more exactly than its source
// states it.
func Measured(p *i18n.Printer, b *bundle.Bundle) string {
	for _, n := range b.Notes {
		if n.Code != bundle.NoteTimePrecision {
			continue
		}
		for _, a := range n.Args {
			if _, err := time.Parse(month, a.Value); err == nil {
				return Date(p, a.Value)
			}
		}
	}
	return p.T("board.date", "date", b.StartedAt)
}
