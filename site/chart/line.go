package chart

import (
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// A lineItem is one point of a line, with what its tooltip says.
type lineItem struct {
	opts.LineData
	Tip string `json:"tip,omitempty"`
}

// tip is what a tooltip says about a point.
func tip(p Point, y Axis) string {
	if p.Y == nil {
		return ""
	}
	if p.Label != "" {
		return clean(p.Label)
	}
	return clean(y.Format(*p.Y))
}

// number is a value in an option: null where nothing was measured.
func number(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

func (c Line) text() (title, description string) { return clean(c.Title), clean(c.Description) }

func (c Line) check(f *faults) {
	f.plot(c.X, c.Y, c.Series, c.Limits)
	f.ascending(c.Series)
}

// draw labels the series beside their ends where the labels fit, else in a
// legend.
func (c Line) draw(l layout) drawing {
	p, labels := c.direct(l)
	if labels == nil {
		list, rows := legend(entriesOf(c.Series, func(int) string { return "" }), l.width, true)
		p = newPlot(l, c.X, c.Y, measuredAt(c.Series), c.Series, c.Limits, rows, 0)
		p.legends = list
	}
	p.trigger = "axis"
	p.limits(c.Limits, c.Series)
	for _, s := range c.Series {
		p.line(s, c.Y)
	}
	for _, s := range c.Series {
		p.spread(s)
	}
	for i, n := range labels {
		s := c.Series[i]
		p.notes(clean(s.Name), notePayload{Items: []note{n}, Fill: inks[s.Slot], Size: fontSize, Halo: ground})
	}
	return p.drawing(headings(c.X, c.Series))
}

// measuredAt are the X values of the data, ascending.
func measuredAt(series []Series) []float64 {
	var values []float64
	for _, s := range series {
		for _, p := range s.Points {
			values = append(values, p.X)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// direct tries labels at the ends of the lines. Without room it answers none.
func (c Line) direct(l layout) (*plot, []note) {
	room := 0.0
	for _, s := range c.Series {
		room = math.Max(room, textWidth(clean(s.Name), fontSize))
	}
	if len(c.Series) < 2 || room > 0.3*l.width {
		return nil, nil
	}
	right := math.Ceil(room) + 14
	if c.X.Scale == Category {
		// Half a category lies between the last point and the end of the plot.
		right -= math.Floor((0.88*l.width - right) / float64(2*len(c.X.Categories)))
	}
	p := newPlot(l, c.X, c.Y, measuredAt(c.Series), c.Series, c.Limits, 0, right)
	if labels := p.endLabels(c.Series); labels != nil {
		return p, labels
	}
	return nil, nil
}

// An end is where a line stops: the pixels from the left and from the bottom,
// and where its label goes.
type end struct {
	series   int
	x, y, to float64
	point    Point
}

// endLabels places one label per line right of its last point, in the order of
// their heights, at least a line of text apart. It answers nil when a line
// stops before another does, or a label would end up far from its line.
func (p *plot) endLabels(series []Series) []note {
	const apart, far = 15.0, 26.0
	var ends []end
	for i, s := range series {
		last, ok := lastMeasured(s)
		if !ok || i > 0 && last.X != ends[0].point.X {
			return nil
		}
		y := p.ys.at(*last.Y)
		ends = append(ends, end{series: i, x: p.xs.at(last.X), y: y, to: y, point: last})
	}
	slices.SortStableFunc(ends, func(a, b end) int {
		if a.y < b.y {
			return -1
		}
		if a.y > b.y {
			return 1
		}
		return a.series - b.series
	})
	separate(ends, apart, p.ys.size)
	labels := make([]note, len(series))
	for _, e := range ends {
		if math.Abs(e.to-e.y) > far {
			return nil
		}
		labels[e.series] = note{
			X: e.point.X, Y: *e.point.Y, Text: clean(series[e.series].Name),
			DX: 9, DY: e.y - e.to, Align: "left",
		}
	}
	return labels
}

// separate moves ends apart, as little as it can: a run of crowded ends is
// spread around its middle.
func separate(ends []end, apart, top float64) {
	for range 2 * len(ends) {
		moved := false
		for i := 1; i < len(ends); i++ {
			if gap := ends[i].to - ends[i-1].to; gap < apart-0.01 {
				ends[i].to += (apart - gap) / 2
				ends[i-1].to -= (apart - gap) / 2
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	for i := range ends {
		low, high := float64(i)*apart, top-float64(len(ends)-1-i)*apart
		ends[i].to = math.Round(math.Max(low, math.Min(high, ends[i].to)))
	}
}

func lastMeasured(s Series) (Point, bool) {
	for _, p := range slices.Backward(s.Points) {
		if p.Y != nil {
			return p, true
		}
	}
	return Point{}, false
}

func (p *plot) line(s Series, y Axis) {
	data := make([]lineItem, len(s.Points))
	for i, pt := range s.Points {
		data[i] = lineItem{opts.LineData{Value: []any{pt.X, number(pt.Y)}}, tip(pt, y)}
	}
	style := &opts.LineStyle{Color: strokes[s.Slot], Width: 2}
	p.add(charts.SingleSeries{
		Name: clean(s.Name), Type: "line", Data: data,
		Symbol: markers[s.Slot], SymbolSize: symbolSize(s.Slot), ShowSymbol: opts.Bool(true),
		LineStyle: style,
	}, more{Z: 4, Clip: opts.Bool(p.beyond(s)), ShowAllSymbol: true, Style: fill(s.Slot), Emphasis: calm()})
}

// beyond reports whether a series leaves the plot, because the caller fixed the
// ends of an axis.
func (p *plot) beyond(s Series) bool {
	for _, pt := range s.Points {
		if p.xs.scale != Category && !p.xs.within(pt.X) {
			return true
		}
		for _, v := range []*float64{pt.Y, pt.Lo, pt.Hi} {
			if v != nil && !p.ys.within(*v) {
				return true
			}
		}
	}
	return false
}

// symbolSize evens out how large the markers look.
func symbolSize(slot int) int {
	switch markers[slot] {
	case "triangle", "diamond":
		return 8
	case "rect":
		return 6
	}
	return 7
}

// spread draws the uncertainty of a series: whiskers through its points, or a
// band along its line.
func (p *plot) spread(s Series) {
	var data []opts.CustomData
	some := false
	for _, pt := range s.Points {
		data = append(data, opts.CustomData{Value: []any{pt.X, number(pt.Lo), number(pt.Hi)}})
		some = some || pt.Lo != nil || pt.Hi != nil
	}
	if !some {
		return
	}
	clip := p.beyond(s)
	item, z := types.FuncStr("errorBar"), 3
	if s.Spread == Band {
		item, z = "band", 2
	}
	p.add(charts.SingleSeries{Name: clean(s.Name), Type: "custom", RenderItem: item, Data: data},
		more{Z: z, Silent: true, Clip: opts.Bool(clip), Style: fill(s.Slot), Encode: encode(), ItemPayload: whisker{Cap: 3}})
}

func fill(slot int) map[string]any { return map[string]any{"color": strokes[slot]} }
