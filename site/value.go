package site

import (
	"math"
	"strconv"
	"time"

	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/site/board"
	"example.org/arena/site/render"
)

// number writes a value in its unit's digits, without the unit.
func (w *words) number(v board.Value) string {
	m, ok := metric.Lookup(v.Metric)
	if !ok {
		m.Digits = 1
	}
	text := w.Value(v.Number, m.Digits, string(v.Unit))
	switch {
	case v.Bound == board.AtLeast:
		return w.T("value.at_least", "number", text)
	case v.Approximate:
		return w.T("value.approximate", "number", text)
	}
	return text
}

// spread writes the standard deviation of a value, empty when none is known.
func (w *words) spread(v board.Value) string {
	if !v.Known || v.Spread == nil {
		return ""
	}
	m, _ := metric.Lookup(v.Metric)
	return w.T("value.spread", "std", w.Value(v.Spread.Number, m.Digits, string(v.Unit)))
}

// cell writes a value as a field of a table: the number, or why there is none.
func (w *words) cell(v board.Value) render.Cell {
	if !v.Known {
		return render.Cell{Text: w.T("missing." + string(v.Missing) + ".short"), Class: "n none"}
	}
	c := render.Cell{Text: w.number(v), Spread: w.spread(v), Class: "n"}
	if len(v.Excluded) > 0 {
		c.Mark = w.T("value.not_ranked")
	}
	return c
}

// why explains an unknown or excluded value in a sentence, empty for a plain one.
func (w *words) why(v board.Value) string {
	if !v.Known {
		return w.T("missing." + string(v.Missing) + ".text")
	}
	if len(v.Excluded) > 0 {
		return w.reason(v.Excluded[0])
	}
	return ""
}

// reason says why something does not rank. Codes of the audit share their words
// with the finding.
func (w *words) reason(r board.Reason) string {
	if key := "reason." + r.Code; w.Has(key) {
		return w.T(key, arguments(r.Args)...)
	}
	return w.T("finding."+r.Code+".text", arguments(r.Args)...)
}

// finding writes a remark of the audit.
func (w *words) finding(f audit.Finding) render.Finding {
	return render.Finding{
		Class: string(f.Severity),
		Name:  w.T("term.finding", "severity", string(f.Severity), "name", w.T("finding."+string(f.Code)+".name")),
		Text:  w.T("finding."+string(f.Code)+".text", arguments(f.Args)...),
	}
}

// findings writes several remarks. The same remark about several places is
// written once.
func (w *words) findings(all []audit.Finding) []render.Finding {
	var out []render.Finding
	seen := map[render.Finding]bool{}
	for _, f := range all {
		if r := w.finding(f); !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}

// arguments turns the numbers and names of a finding into name, value pairs.
func arguments(args []audit.Arg) []any {
	var out []any
	for _, a := range args {
		if a.Text != "" {
			out = append(out, a.Name, a.Text)
		} else {
			out = append(out, a.Name, i18n.Amount{Value: a.Number, Unit: string(a.Unit)})
		}
	}
	return out
}

// sortKey is the number that a column is sorted by, empty when there is none.
// "No rung" is a result, the lowest there is.
func sortKey(v board.Value) string {
	switch {
	case v.Known:
		return strconv.FormatFloat(v.Number, 'g', -1, 64)
	case v.Missing == board.NoRung:
		return "0"
	}
	return ""
}

// barLength is a value's share of the largest, in whole percent, at least 1 for
// a value above zero.
func barLength(v, most float64) string {
	if most <= 0 || v <= 0 {
		return "0"
	}
	return strconv.Itoa(max(1, int(math.Round(100*v/most))))
}

// exact writes a limit given in milliseconds with no more digits than it has:
// 5 s, 2.5 s, 800 ms.
func (w *words) exact(ms float64) string {
	if ms < 1000 {
		return w.Quantity(ms, 0, string(metric.Millisecond))
	}
	return w.T("format.quantity", "number", w.tick(ms/1000), "unit", w.Unit(string(metric.Second)))
}

// stated writes a date as exactly as it is stated: a day, or a month.
func (w *words) stated(date string) string {
	if t, err := time.Parse("2006-01", date); err == nil {
		return w.MonthYear(t)
	}
	return w.T("board.date", "date", date)
}

// measured writes when a bundle was measured, no more exactly than its source
// states it.
func (w *words) measured(b *bundle.Bundle) string {
	for _, n := range b.Notes {
		if n.Code != bundle.NoteTimePrecision {
			continue
		}
		for _, a := range n.Args {
			if _, err := time.Parse("2006-01", a.Value); err == nil {
				return w.stated(a.Value)
			}
		}
	}
	return w.T("board.date", "date", b.StartedAt)
}

// pointer returns a pointer to x.
func pointer(x float64) *float64 { return &x }
