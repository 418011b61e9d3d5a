package chart

import (
	"math"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A barLayout tells the library where the bars of a group stand.
type barLayout struct {
	Count       int    `json:"count"`
	Gap         string `json:"barGap"`
	CategoryGap string `json:"barCategoryGap"`
	MaxWidth    string `json:"barMaxWidth"`
	Width       string `json:"barWidth,omitempty"`
}

// A whisker is what the library's "errorBar" series needs beyond data values:
// half the width of its caps and, among bars, which bar of the group it is on.
type whisker struct {
	Cap    float64    `json:"cap"`
	Flat   bool       `json:"flat,omitempty"`
	Bar    int        `json:"bar"`
	Layout *barLayout `json:"layout,omitempty"`
}

// encode names the dimensions of whisker data.
func encode(flat bool) map[string]any {
	if flat {
		return map[string]any{"y": 0, "x": []int{1, 2}}
	}
	return map[string]any{"x": 0, "y": []int{1, 2}}
}

// A barItem is one bar, with what its tooltip says.
type barItem struct {
	opts.BarData
	Tip string `json:"tip,omitempty"`
}

func (c Bar) text() (title, description string) { return clean(c.Title), clean(c.Description) }

func (c Bar) check(f *faults) {
	f.plot(c.X, c.Y, c.Series, c.Limits)
	if c.X.Scale != Category || c.Y.Scale != Linear {
		f.add("bars stand on categories and have a linear length")
	}
	for i, s := range c.Series {
		seen := map[float64]bool{}
		for _, p := range s.Points {
			if seen[p.X] {
				f.add("series %d %q: two bars for category %v", i+1, s.Name, p.X)
			}
			seen[p.X] = true
		}
	}
}

func (c Bar) draw(l layout) drawing {
	list, rows := legend(entriesOf(c.Series, func(int) string { return "rect" }), l.width, false)
	var p *plot
	if c.Horizontal {
		p = c.lying(l, rows)
	} else {
		p = newPlot(l, c.X, c.Y, nil, c.Series, c.Limits, rows, 0)
		p.x.AxisTick.Show = opts.Bool(false)
	}
	p.legends = list
	p.trigger = "item"
	if c.Horizontal {
		p.limitsAcross(c.Limits)
	} else {
		p.limits(c.Limits, nil)
	}
	for i, s := range c.Series {
		c.bars(p, s, i)
	}
	return p.drawing(headings(c.X, c.Series))
}

// barWidth is the width of a lying bar in pixels.
const barWidth = 16

// lying resolves the plot of horizontal bars. Its height follows from their
// number. In a narrow column the names stand above the bars.
func (c Bar) lying(l layout, legendRows int) *plot {
	p := &plot{layout: l, xAxis: c.Y, yAxis: c.X}
	group := 1.12 * barWidth * float64(len(c.Series))
	steps, row, labels := 5, group+14, 0.0
	if l.narrow {
		steps, row = 3, row+rowHeight-4
	} else {
		labels = nameRoom(c.X.Categories, 0.38*l.width)
		row = math.Max(row, 34)
	}
	p.xs = resolveY(c.Y, c.Series, c.Limits, steps)
	p.margins = margins{
		left:   labels + 10,
		top:    float64(legendRows)*rowHeight + 6,
		right:  math.Max(14, c.noteRoom()),
		bottom: 2*rowHeight + 6,
	}
	if l.narrow {
		// The label of the first tick stands centred below the left edge.
		p.margins.left = math.Ceil(widest(p.xs.texts(c.Y)[:1])/2) + 1
	}
	if len(c.Limits) > 0 {
		p.margins.top += rowHeight
	}
	p.xs.size = l.width - p.margins.left - p.margins.right
	p.margins.bottom += extraLine(c.Y.Name, p.xs.size)
	p.height = p.margins.top + p.margins.bottom + row*float64(len(c.X.Categories))
	p.ys = resolveX(c.X, nil, nil, p.height-p.margins.top-p.margins.bottom, 0)
	p.x, p.y = axisFor(c.Y, p.xs, p.xs.size), axisFor(c.X, p.ys, l.width)
	p.x.along()
	p.x.AxisLine.Show = opts.Bool(false)
	p.x.AxisTick.Show = opts.Bool(false)
	p.x.gridLines()
	p.y.downwards(c.X.Categories, labels)
	p.y.Name = ""
	p.y.AxisLine = &opts.AxisLine{Show: opts.Bool(true), OnZero: opts.Bool(false), LineStyle: &opts.LineStyle{Color: rule, Width: 1}}
	if l.narrow {
		p.y.AxisLabel.Show = opts.Bool(false)
		p.above(c.X.Categories, -group/2-8)
	}
	return p
}

// nameRoom is the room for names at the left of a plot.
func nameRoom(names []string, most float64) float64 {
	w := 0.0
	for _, name := range names {
		w = math.Max(w, textWidth(clean(name), fontSize))
	}
	return math.Ceil(math.Min(w, most))
}

// downwards makes an axis of names that run from top to bottom.
func (o *axisOption) downwards(names []string, room float64) {
	o.Inverse = opts.Bool(true)
	o.AxisLabel.Color = ink
	o.AxisLabel.LineHeight = 14
	lines := make([]string, len(names))
	for i, name := range names {
		lines[i] = wrap(clean(name), fontSize, room)
	}
	o.Data = lines
}

// above writes names over their rows, flush left, dy pixels from the middle.
func (p *plot) above(names []string, dy float64) {
	texts := notePayload{Fill: ink, Size: fontSize, Halo: ground, Flat: true}
	for i, name := range names {
		texts.Items = append(texts.Items, note{
			X: float64(i), Y: p.xs.lo, DX: 3, DY: dy, Align: "left", Edge: "left",
			Text: shorten(clean(name), fontSize, p.xs.size+p.margins.right-3),
		})
	}
	p.notes("", texts)
}

// noteRoom is the room that the texts at the ends of lying bars need.
func (c Bar) noteRoom() float64 {
	w := 0.0
	for _, s := range c.Series {
		for _, p := range s.Points {
			w = math.Max(w, textWidth(clean(p.Name), smallSize))
		}
	}
	return math.Ceil(w) + 8
}

func (c Bar) layout() *barLayout {
	at := &barLayout{Count: len(c.Series), Gap: "12%", CategoryGap: "32%", MaxWidth: "34"}
	if c.Horizontal {
		at.Width = strconv.Itoa(barWidth)
	}
	return at
}

// bars draws one series. Every second slot is outlined instead of filled, so
// that neighbours differ without colour. Where nothing was measured a dash
// stands in place of the bar.
func (c Bar) bars(p *plot, s Series, index int) {
	at := c.layout()
	var bars []barItem
	var spreads []opts.CustomData
	texts := notePayload{Fill: muted, Size: smallSize, Flat: c.Horizontal, Bar: index, Layout: at}
	some := false
	for _, pt := range s.Points {
		value := []any{pt.X, number(pt.Y)}
		if c.Horizontal {
			value = []any{number(pt.Y), pt.X}
		}
		bars = append(bars, barItem{opts.BarData{Value: value}, tip(pt, c.Y)})
		spreads = append(spreads, opts.CustomData{Value: []any{pt.X, number(pt.Lo), number(pt.Hi)}})
		some = some || pt.Lo != nil || pt.Hi != nil
		if n, ok := c.note(pt); ok {
			texts.Items = append(texts.Items, n)
		}
	}
	color := strokes[s.Slot]
	style := map[string]any{"color": color, "borderColor": color, "borderWidth": 0}
	if s.Slot%2 == 1 || s.Dashed {
		style = map[string]any{"color": tints[s.Slot], "borderColor": color, "borderWidth": 1.25}
	}
	if s.Dashed {
		style["borderType"] = "dashed"
	}
	p.add(charts.SingleSeries{
		Name: clean(s.Name), Type: "bar", Data: bars,
		BarGap: at.Gap, BarCategoryGap: at.CategoryGap, BarMaxWidth: at.MaxWidth, BarWidth: at.Width,
	}, more{Z: 3, Style: style, Emphasis: calm()})
	if some {
		p.add(charts.SingleSeries{
			Name: clean(s.Name), Type: "custom", RenderItem: "errorBar", Data: spreads,
		}, more{Z: 5, Silent: true, Style: map[string]any{"color": ink}, Encode: encode(c.Horizontal), ItemPayload: whisker{Cap: 4, Flat: c.Horizontal, Bar: index, Layout: at}})
	}
	p.notes(clean(s.Name), texts)
}

// note is the text at the end of a bar, beyond its whisker.
func (c Bar) note(pt Point) (note, bool) {
	n := note{X: pt.X, DY: -9, Align: "center", Text: clean(pt.Name)}
	if c.Horizontal {
		n.DX, n.DY, n.Align = 6, 0, "left"
	}
	if pt.Y == nil {
		if n.Text == "" {
			n.Text = states[Unmeasured].symbol
		}
		return n, true
	}
	n.Y = *pt.Y
	if pt.Hi != nil {
		n.Y = math.Max(n.Y, *pt.Hi)
	}
	return n, n.Text != ""
}

// limitsAcross draws limits of lying bars: upright lines, named above the plot.
func (p *plot) limitsAcross(limits []Limit) {
	if len(limits) == 0 {
		return
	}
	var data []opts.CustomData
	var items []note
	for _, l := range limits {
		data = append(data, opts.CustomData{Value: []any{l.Value, 0}})
		n := note{X: 0, Y: l.Value, Text: clean(l.Name), DY: -p.ys.at(0) - 10, Align: "center"}
		items = append(items, n)
	}
	p.add(charts.SingleSeries{Type: "custom", RenderItem: "limit", Data: data},
		more{Z: 1, Silent: true, ItemPayload: map[string]any{"stroke": bound, "flat": true}})
	p.notes("", notePayload{Items: items, Fill: muted, Size: smallSize, Halo: ground, Flat: true})
}
