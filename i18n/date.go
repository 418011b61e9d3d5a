package i18n

import (
	"strconv"
	"time"
)

// Date writes the day of t in UTC: 14 augustus 2026 · 14 August 2026 · 14 août
// 2026, and 1er août 2026 for the first.
func (p *Printer) Date(t time.Time) string {
	t = t.UTC()
	key := "format.date"
	if t.Day() == 1 {
		key = "format.date_first"
	}
	return p.T(key, "day", strconv.Itoa(t.Day()), "month", p.month(t), "year", strconv.Itoa(t.Year()))
}

// MonthYear writes the month of t in UTC: augustus 2026 · August 2026 · août 2026.
func (p *Printer) MonthYear(t time.Time) string {
	t = t.UTC()
	return p.T("format.month_year", "month", p.month(t), "year", strconv.Itoa(t.Year()))
}

// DateTime writes the minute of t in UTC, and says that it is UTC: 14 augustus
// 2026, 09:05 UTC.
func (p *Printer) DateTime(t time.Time) string {
	return p.T("format.date_time", "date", p.Date(t), "time", t.UTC().Format("15:04"))
}

// month returns the name of the month of t.
func (p *Printer) month(t time.Time) string {
	return p.T("format.month." + strconv.Itoa(int(t.Month())))
}
