package chart

import (
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A barLayout tells the library where the bars of a group stand.
type barLayout struct {
	Count       int    `json:"count"`
	Gap         string `json:"barGap"`
	CategoryGap string `json:"barCategoryGap"`
	MaxWidth    string `json:"barMaxWidth"`
}

// A whisker is what the library's "errorBar" series needs beyond data values:
// half the width of its caps and, among bars, which bar of the group it is on.
type whisker struct {
	Cap    float64    `json:"cap"`
	Bar    int        `json:"bar"`
	Layout *barLayout `json:"layout,omitempty"`
}

// encode names the dimensions of whisker data.
func encode() map[string]any {
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
	p := newPlot(l, c.X, c.Y, nil, c.Series, c.Limits, rows, 0)
	p.x.AxisTick.Show = opts.Bool(false)
	p.legends = list
	p.trigger = "item"
	p.limits(c.Limits, nil)
	for i, s := range c.Series {
		c.bars(p, s, i)
	}
	return p.drawing(headings(c.X, c.Series))
}

func (c Bar) layout() *barLayout {
	return &barLayout{Count: len(c.Series), Gap: "12%", CategoryGap: "32%", MaxWidth: "34"}
}

// bars draws one series. Every second slot is outlined instead of filled, so
// that neighbours differ without colour. Where nothing was measured a dash
// stands in place of the bar.
func (c Bar) bars(p *plot, s Series, index int) {
	at := c.layout()
	var bars []barItem
	var spreads []opts.CustomData
	texts := notePayload{Fill: muted, Size: smallSize, Bar: index, Layout: at}
	some := false
	for _, pt := range s.Points {
		bars = append(bars, barItem{opts.BarData{Value: []any{pt.X, number(pt.Y)}}, tip(pt, c.Y)})
		spreads = append(spreads, opts.CustomData{Value: []any{pt.X, number(pt.Lo), number(pt.Hi)}})
		some = some || pt.Lo != nil || pt.Hi != nil
		if n, ok := c.note(pt); ok {
			texts.Items = append(texts.Items, n)
		}
	}
	color := strokes[s.Slot]
	style := map[string]any{"color": color, "borderColor": color, "borderWidth": 0}
	if s.Slot%2 == 1 {
		style = map[string]any{"color": tints[s.Slot], "borderColor": color, "borderWidth": 1.25}
	}
	p.add(charts.SingleSeries{
		Name: clean(s.Name), Type: "bar", Data: bars,
		BarGap: at.Gap, BarCategoryGap: at.CategoryGap, BarMaxWidth: at.MaxWidth,
	}, more{Z: 3, Style: style, Emphasis: calm()})
	if some {
		p.add(charts.SingleSeries{
			Name: clean(s.Name), Type: "custom", RenderItem: "errorBar", Data: spreads,
		}, more{Z: 5, Silent: true, Style: map[string]any{"color": ink}, Encode: encode(), ItemPayload: whisker{Cap: 4, Bar: index, Layout: at}})
	}
	p.notes(clean(s.Name), texts)
}

// note is the text at the end of a bar, beyond its whisker.
func (c Bar) note(pt Point) (note, bool) {
	n := note{X: pt.X, DY: -9, Align: "center", Text: clean(pt.Name)}
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
