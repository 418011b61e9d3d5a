package chart

import (
	"math"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"
)

// resolveY fixes the extent of a value axis. Limits are always in view.
func resolveY(a Axis, series []Series, limits []Limit, n int) span {
	var b bounds
	for _, s := range series {
		for _, p := range s.Points {
			for _, v := range []*float64{p.Y, p.Lo, p.Hi} {
				if v != nil {
					b.take(*v)
				}
			}
		}
	}
	for _, l := range limits {
		b.take(l.Value)
	}
	if a.Scale == Log {
		return withTicks(logarithmic(b, a, true), a)
	}
	return withTicks(linear(b, a, n, true), a)
}

// resolveX fixes the extent of the X axis over size pixels. Ticks stand at the
// given values where these are few and their labels fit.
func resolveX(a Axis, at []float64, series []Series, size float64, n int) span {
	if a.Scale == Category {
		return span{scale: Category, hi: float64(len(a.Categories)), size: size}
	}
	var b bounds
	for _, s := range series {
		for _, p := range s.Points {
			b.take(p.X)
		}
	}
	s := linear(b, a, n, false)
	if a.Scale == Log {
		s = logarithmic(b, a, false)
	}
	s.size = size
	if a.Ticks == nil && len(at) > 0 && len(at) <= 12 && fits(s, at, a) {
		s.ticks = at
		return s
	}
	s = withTicks(s, a)
	s.ticks = s.clear(s.ticks, a)
	return s
}

// withTicks prefers the ticks that the caller chose, as far as they are in view.
func withTicks(s span, a Axis) span {
	if a.Ticks == nil {
		return s
	}
	s.ticks = nil
	for _, v := range a.Ticks {
		if v >= s.lo && v <= s.hi {
			s.ticks = append(s.ticks, v)
		}
	}
	return s
}

// fits reports whether labels at these values would stand clear of each other.
func fits(s span, values []float64, a Axis) bool { return len(s.clear(values, a)) == len(values) }

// clear leaves out the values whose labels would run into the one before.
func (s span) clear(values []float64, a Axis) []float64 {
	var kept []float64
	edge := math.Inf(-1)
	for _, v := range values {
		half := textWidth(clean(a.Format(v)), fontSize) / 2
		if s.at(v)-half < edge+6 {
			continue
		}
		edge = s.at(v) + half
		kept = append(kept, v)
	}
	return kept
}

// texts are the labels of the ticks.
func (s span) texts(a Axis) []valueText {
	out := make([]valueText, len(s.ticks))
	for i, v := range s.ticks {
		out[i] = valueText{v, clean(a.Format(v))}
	}
	return out
}

func widest(texts []valueText) float64 {
	w := 0.0
	for _, t := range texts {
		w = math.Max(w, textWidth(t.text, fontSize))
	}
	return w
}

// extraLine is the height of the second line that a name needs in some room.
func extraLine(name string, room float64) float64 {
	return nextLine * float64(strings.Count(wrap(clean(name), room), "\n"))
}

// axisFor is what all axes have in common: a name, on two lines if need be, and
// quiet tick labels.
func axisFor(a Axis, s span, room float64) axisOption {
	o := axisOption{
		NameTextStyle: nameStyle{Color: muted, FontSize: fontSize, LineHeight: nextLine},
		AxisLabel: axisLabel{AxisLabel: opts.AxisLabel{
			Color: muted, FontSize: int(fontSize), Margin: 8,
		}},
	}
	o.Name = wrap(clean(a.Name), room)
	o.AxisTick.Show = opts.Bool(false)
	o.SplitLine = &opts.SplitLine{Show: opts.Bool(false)}
	o.AxisLine = &opts.AxisLine{Show: opts.Bool(false)}
	if a.Scale == Category {
		o.Type = "category"
		o.Data = cleanAll(a.Categories)
		every := 0
		o.AxisLabel.Interval = &every
		return o
	}
	o.Type = "value"
	if a.Scale == Log {
		o.Type = "log"
	}
	o.Min, o.Max = s.lo, s.hi
	o.AxisLabel.CustomValues = s.ticks
	o.AxisTick.CustomValues = s.ticks
	return o
}

// along lays an axis along the bottom of the plot, its name centred below it.
func (o *axisOption) along() {
	o.NameLocation = "middle"
	o.NameGap = 28
	o.AxisLine = &opts.AxisLine{Show: opts.Bool(true), OnZero: opts.Bool(false), LineStyle: &opts.LineStyle{Color: rule, Width: 1}}
	o.AxisTick.Show = opts.Bool(true)
	o.AxisTick.Length = 4
	o.AxisTick.AlignWithLabel = opts.Bool(true)
	o.AxisTick.LineStyle = &opts.LineStyle{Color: rule, Width: 1}
	o.AxisLabel.HideOverlap = opts.Bool(true)
}

// up stands an axis at the left of the plot, its name above it, flush with the
// edge of the picture.
func (o *axisOption) up(left float64) {
	o.NameLocation = "end"
	o.NameGap = 12
	o.NameTextStyle.Align = "left"
	o.NameTextStyle.Padding = [4]float64{0, 0, 0, -left}
	o.gridLines()
}

func (o *axisOption) gridLines() {
	o.SplitLine = &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: hair, Width: 1}}
}

func cleanAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = clean(s)
	}
	return out
}
