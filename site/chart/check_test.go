package chart

import (
	"math"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(*Line)
		want  string
	}{
		{"title", func(l *Line) { l.Title = "" }, "the title is missing"},
		{"description", func(l *Line) { l.Description = "" }, "the description is missing"},
		{"axis name", func(l *Line) { l.X.Name = "" }, "X axis: the name is missing"},
		{"format", func(l *Line) { l.Y.Format = nil }, "Y axis: the tick format is missing"},
		{"seven series", func(l *Line) { l.Series = make([]Series, 7) }, "there are 7 series: a chart shows 1 to 6"},
		{"no series", func(l *Line) { l.Series = nil }, "there are 0 series"},
		{"same name", func(l *Line) { l.Series[1].Name = l.Series[0].Name }, "used twice"},
		{"same slot", func(l *Line) { l.Series[1].Slot = l.Series[0].Slot }, "slot 0 is outside 0 to 5 or used twice"},
		{"slot", func(l *Line) { l.Series[1].Slot = 6 }, "slot 6"},
		{"order", func(l *Line) { l.Series[0].Points[3].X = 1 }, "point 4: X 1 does not ascend"},
		{"not a number", func(l *Line) { l.Series[0].Points[0].Y = new(math.NaN()) }, "point 1: Y is not a finite number"},
		{"infinite", func(l *Line) { l.Limits = []Limit{{"l", math.Inf(1)}} }, `limit "l" is not a finite number`},
		{"log of zero", func(l *Line) { l.Series[0].Points[0].X = 0 }, "X is 0, which a log axis cannot show"},
		{"log spread", func(l *Line) { l.Y.Scale = Log; l.Series[0].Points[0].Lo = new(-1.0) }, "Lo is -1, which"},
		{"spread", func(l *Line) { l.Series[0].Points[0].Lo = new(1e9) }, "is above Hi"},
		{"spread alone", func(l *Line) { l.Series[0].Points[0].Y = nil }, "a spread without a value"},
		{"ends", func(l *Line) { l.Y.Min, l.Y.Max = new(3.0), new(3.0) }, "minimum 3 is not below maximum 3"},
		{"ticks", func(l *Line) { l.Y.Ticks = []float64{1, 1} }, "ticks do not ascend at 1"},
		{"limit name", func(l *Line) { l.Limits = []Limit{{"", 1}} }, "a limit has no name"},
		{"categories", func(l *Line) { l.X = Axis{Name: "x", Scale: Category} }, "there are no categories"},
		{"category", func(l *Line) { l.X = Axis{Name: "x", Scale: Category, Categories: []string{"a"}} }, "X 64 is no index into 1 categories"},
		{"Y category", func(l *Line) { l.Y = Axis{Name: "y", Scale: Category, Categories: []string{"a"}} }, "categories belong on the X axis"},
		{"scale", func(l *Line) { l.X.Scale = 9 }, "unknown scale 9"},
		{"nothing", func(l *Line) {
			for i := range l.Series {
				l.Series[i].Points = []Point{{X: 1}}
			}
		}, "no point was measured"},
	} {
		line := sampleConcurrency()
		c.spoil(&line)
		if err := check(line); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	for name, s := range sampleSpecs() {
		if err := check(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckSaysEverything(t *testing.T) {
	t.Parallel()
	bar := sampleBars()
	bar.Description, bar.X.Scale, bar.X.Name = "", Log, ""
	bar.Series[0].Points[1].X = bar.Series[0].Points[0].X
	err := check(bar)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"the description is missing", "X axis: the name is missing", "bars stand on categories",
		`series 1 "Four bits": two bars for category 0`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestCheckHeatmap(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(*Heatmap){
		"has 6 cells for 7 columns":            func(h *Heatmap) { h.Cells[1] = h.Cells[1][:6] },
		"3 rows of cells for 4 rows":           func(h *Heatmap) { h.Cells = h.Cells[:3] },
		"its state 2 has no name":              func(h *Heatmap) { delete(h.States, Missed) },
		"unknown state 4":                      func(h *Heatmap) { h.Cells[0][0].State = 4 },
		"the name of the rows or of the colum": func(h *Heatmap) { h.RowName = "" },
	} {
		h := sampleMatrix()
		spoil(&h)
		if err := check(h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
