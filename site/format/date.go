package format

import (
	"time"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
)

// Date writes a date as exactly as it is stated: a day, or a month.
func Date(p *i18n.Printer, date string) string {
	if t, err := time.Parse("2006-01", date); err == nil {
		return p.MonthYear(t)
	}
	return p.T("board.date", "date", date)
}

// Measured writes when a bundle was measured, no more exactly than its source
// states it.
func Measured(p *i18n.Printer, b *bundle.Bundle) string { return Date(p, b.Measured()) }
