package chart

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// faults collects what is wrong with a specification, all of it at once.
type faults struct{ list []error }

func (f *faults) add(format string, args ...any) {
	f.list = append(f.list, fmt.Errorf(format, args...))
}

func check(s Spec) error {
	var f faults
	title, description := s.text()
	if title == "" {
		f.add("the title is missing")
	}
	if description == "" {
		f.add("the description is missing")
	}
	s.check(&f)
	if len(f.list) == 0 {
		return nil
	}
	return fmt.Errorf("chart %q: %w", title, errors.Join(f.list...))
}

func (f *faults) axis(which string, a Axis) {
	if a.Name == "" {
		f.add("%s axis: the name is missing", which)
	}
	switch a.Scale {
	case Category:
		if len(a.Categories) == 0 {
			f.add("%s axis: there are no categories", which)
		}
	case Linear, Log:
		if a.Format == nil {
			f.add("%s axis: the tick format is missing", which)
		}
		f.ends(which, a)
	default:
		f.add("%s axis: unknown scale %d", which, a.Scale)
	}
}

func (f *faults) ends(which string, a Axis) {
	for _, v := range a.Ticks {
		f.value(which+" axis: tick", a.Scale, v)
	}
	for i := 1; i < len(a.Ticks); i++ {
		if a.Ticks[i] <= a.Ticks[i-1] {
			f.add("%s axis: ticks do not ascend at %v", which, a.Ticks[i])
		}
	}
	for _, end := range []*float64{a.Min, a.Max} {
		if end != nil {
			f.value(which+" axis: end", a.Scale, *end)
		}
	}
	if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
		f.add("%s axis: minimum %v is not below maximum %v", which, *a.Min, *a.Max)
	}
}

func (f *faults) value(what string, s Scale, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		f.add("%s is not a finite number", what)
	} else if s == Log && v <= 0 {
		f.add("%s is %v, which a log axis cannot show", what, v)
	}
}

// plot checks what charts with two axes have in common.
func (f *faults) plot(x, y Axis, series []Series, limits []Limit) {
	f.axis("X", x)
	f.axis("Y", y)
	if y.Scale == Category {
		f.add("Y axis: categories belong on the X axis")
	}
	if len(series) == 0 || len(series) > MaxSeries {
		f.add("there are %d series: a chart shows 1 to %d", len(series), MaxSeries)
	}
	names, slots, measured := map[string]bool{}, map[int]bool{}, false
	for i, s := range series {
		what := fmt.Sprintf("series %d %q", i+1, s.Name)
		if s.Name == "" || names[s.Name] {
			f.add("%s: the name is missing or used twice", what)
		}
		if s.Slot < 0 || s.Slot >= MaxSeries || slots[s.Slot] {
			f.add("%s: slot %d is outside 0 to %d or used twice", what, s.Slot, MaxSeries-1)
		}
		names[s.Name], slots[s.Slot] = true, true
		for j, p := range s.Points {
			f.point(fmt.Sprintf("%s: point %d", what, j+1), x, y, p)
			measured = measured || p.Y != nil
		}
	}
	if !measured && len(series) > 0 {
		f.add("no point was measured")
	}
	for _, l := range limits {
		if l.Name == "" {
			f.add("a limit has no name")
		}
		f.value(fmt.Sprintf("limit %q", l.Name), y.Scale, l.Value)
	}
}

func (f *faults) point(what string, x, y Axis, p Point) {
	f.value(what+": X", x.Scale, p.X)
	if x.Scale == Category {
		if p.X != math.Trunc(p.X) || p.X < 0 || p.X >= float64(len(x.Categories)) {
			f.add("%s: X %v is no index into %d categories", what, p.X, len(x.Categories))
		}
	}
	for i, v := range []*float64{p.Y, p.Lo, p.Hi} {
		if v != nil {
			f.value(what+": "+[]string{"Y", "Lo", "Hi"}[i], y.Scale, *v)
		}
	}
	if p.Lo != nil && p.Hi != nil && *p.Lo > *p.Hi {
		f.add("%s: Lo %v is above Hi %v", what, *p.Lo, *p.Hi)
	}
	if p.Y == nil && (p.Lo != nil || p.Hi != nil) {
		f.add("%s: a spread without a value", what)
	}
}

// ascending checks that the points of every series move along X.
func (f *faults) ascending(series []Series) {
	for i, s := range series {
		for j := 1; j < len(s.Points); j++ {
			if !(s.Points[j].X > s.Points[j-1].X) {
				f.add("series %d %q: point %d: X %v does not ascend", i+1, s.Name, j+1, s.Points[j].X)
			}
		}
	}
}

func (f *faults) heatmap(h Heatmap) {
	if h.RowName == "" || h.ColumnName == "" {
		f.add("the name of the rows or of the columns is missing")
	}
	if len(h.Rows) == 0 || len(h.Columns) == 0 || len(h.Cells) != len(h.Rows) {
		f.add("there are %d rows of cells for %d rows and %d columns", len(h.Cells), len(h.Rows), len(h.Columns))
	}
	for i, row := range h.Cells {
		if len(row) != len(h.Columns) {
			f.add("row %d has %d cells for %d columns", i+1, len(row), len(h.Columns))
		}
		for j, c := range row {
			if c.State < Met || c.State > Unmeasured {
				f.add("row %d, column %d: unknown state %d", i+1, j+1, c.State)
			} else if h.States[c.State] == "" {
				f.add("row %d, column %d: its state %d has no name", i+1, j+1, c.State)
			}
		}
	}
}

// clean makes text fit for one line of XML: no control characters, no line
// breaks, no invalid UTF-8.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029':
			return ' '
		case r == 0xfffe || r == 0xffff:
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
