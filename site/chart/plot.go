package chart

import (
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A plot is a canvas with two resolved axes: what Line, Bar and Scatter share.
type plot struct {
	canvas
	layout
	height       float64
	xAxis, yAxis Axis
	xs, ys       span
	series       []charts.SingleSeries
}

// newPlot resolves the axes of an upright plot with a legend of so many rows
// and so much room at the right for labels beside the plot. The X axis prefers
// ticks at the given values.
func newPlot(l layout, x, y Axis, at []float64, series []Series, limits []Limit, legendRows int, right float64) *plot {
	p := &plot{layout: l, xAxis: x, yAxis: y}
	steps := 5
	if l.narrow {
		steps = 4
	}
	p.ys = resolveY(y, series, limits, steps)
	p.margins = margins{
		left:   math.Ceil(widest(p.ys.texts(y))) + 10,
		top:    float64(legendRows)*rowHeight + rowHeight + 8 + extraLine(y.Name, l.width),
		right:  math.Max(right, 14),
		bottom: 2*rowHeight + 6,
	}
	size := l.width - p.margins.left - p.margins.right
	p.margins.bottom += extraLine(x.Name, size)
	p.ys.size = l.plot
	p.height = p.margins.top + p.ys.size + p.margins.bottom
	p.xs = resolveX(x, at, series, size, steps+1)
	p.x, p.y = axisFor(x, p.xs, size), axisFor(y, p.ys, l.width)
	p.x.along()
	p.y.up(p.margins.left)
	return p
}

func (p *plot) add(s charts.SingleSeries, m more) {
	m.Cursor = "default"
	p.series = append(p.series, s)
	p.more = append(p.more, m)
}

// drawing finishes the plot.
func (p *plot) drawing(heads []valueText) drawing {
	d := drawing{Width: p.width, Height: p.height, Heads: heads, Option: p.option(p.series)}
	d.Ticks.X = p.tickTexts(p.xAxis, p.xs)
	d.Ticks.Y = p.tickTexts(p.yAxis, p.ys)
	return d
}

func (p *plot) tickTexts(a Axis, s span) []valueText {
	if a.Scale == Category {
		return []valueText{}
	}
	return s.texts(a)
}

// headings are the first lines of tooltips: every X value that occurs.
func headings(a Axis, series []Series) []valueText {
	var out []valueText
	seen := map[float64]bool{}
	for _, s := range series {
		for _, p := range s.Points {
			if seen[p.X] {
				continue
			}
			seen[p.X] = true
			if a.Scale == Category {
				out = append(out, valueText{p.X, clean(a.Categories[int(p.X)])})
			} else {
				out = append(out, valueText{p.X, clean(a.Format(p.X))})
			}
		}
	}
	slices.SortFunc(out, func(a, b valueText) int {
		if a.value < b.value {
			return -1
		}
		return 1
	})
	return out
}

// A note is text beside a data value, moved by dx and dy pixels from it. With
// an edge, it stands at the value's height at the "left" or "right" of the plot.
type note struct {
	X     float64 `json:"-"`
	Y     float64 `json:"-"`
	Text  string  `json:"text"`
	DX    float64 `json:"dx"`
	DY    float64 `json:"dy"`
	Align string  `json:"align"`
	Edge  string  `json:"edge,omitempty"`
}

// A notePayload is what the library's "note" series needs beyond data values.
type notePayload struct {
	Items  []note     `json:"items"`
	Fill   string     `json:"fill"`
	Size   float64    `json:"size"`
	Halo   string     `json:"halo,omitempty"`
	Bar    int        `json:"bar"`
	Layout *barLayout `json:"layout,omitempty"`
}

// notes adds texts. They share the name of the series they belong to, so that
// the legend hides them with it.
func (p *plot) notes(name string, payload notePayload) {
	if len(payload.Items) == 0 {
		return
	}
	var data []opts.CustomData
	for _, n := range payload.Items {
		data = append(data, opts.CustomData{Value: []any{n.X, n.Y}})
	}
	p.add(charts.SingleSeries{Name: name, Type: "custom", RenderItem: "note", Data: data},
		more{Z: 6, Silent: true, Clip: opts.Bool(false), ItemPayload: payload})
}

// limits draws lines across the plot. Each name stands above its line, at the
// end where fewer data are in the way.
func (p *plot) limits(limits []Limit, series []Series) {
	if len(limits) == 0 {
		return
	}
	var data []opts.CustomData
	var items []note
	for _, l := range limits {
		data = append(data, opts.CustomData{Value: []any{p.first(), l.Value}})
		name := clean(l.Name)
		n := note{X: p.first(), Y: l.Value, Text: name, DX: 4, DY: -8, Align: "left", Edge: "left"}
		w := textWidth(name, smallSize)
		left := p.traffic(series, 0, w+8, l.Value)
		if right := p.traffic(series, p.xs.size-w-8, p.xs.size, l.Value); right < left {
			n.DX, n.Align, n.Edge = -4, "right", "right"
		}
		items = append(items, n)
	}
	p.add(charts.SingleSeries{Type: "custom", RenderItem: "limit", Data: data},
		more{Z: 1, Silent: true, ItemPayload: map[string]any{"stroke": bound}})
	p.notes("", notePayload{Items: items, Fill: muted, Size: smallSize, Halo: ground})
}

// first is the lowest value of the X axis.
func (p *plot) first() float64 {
	if p.xs.scale == Category {
		return 0
	}
	return p.xs.lo
}

// traffic counts how much of the data runs through the label of a limit
// between two distances from the left.
func (p *plot) traffic(series []Series, from, to, value float64) int {
	bottom := p.ys.at(value)
	count := 0
	for _, s := range series {
		for x := from; x <= to; x += 4 {
			if y, ok := p.lineAt(s, x); ok && y > bottom-4 && y < bottom+18 {
				count++
			}
		}
	}
	return count
}

// lineAt is the height of a series' line over the bottom of the plot at a
// distance from the left, where it has one.
func (p *plot) lineAt(s Series, x float64) (float64, bool) {
	for i := 1; i < len(s.Points); i++ {
		a, b := s.Points[i-1], s.Points[i]
		xa, xb := p.xs.at(a.X), p.xs.at(b.X)
		if a.Y == nil || b.Y == nil || x < xa || x > xb {
			continue
		}
		t := (x - xa) / (xb - xa)
		return p.ys.at(*a.Y)*(1-t) + p.ys.at(*b.Y)*t, true
	}
	return 0, false
}
