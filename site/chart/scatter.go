package chart

import (
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A scatterItem is one point, with what its tooltip says: the label under the
// point's name, or after the series' name.
type scatterItem struct {
	opts.ScatterData
	Title string `json:"title,omitempty"`
	Tip   string `json:"tip,omitempty"`
}

func (c Scatter) text() (title, description string) { return clean(c.Title), clean(c.Description) }

func (c Scatter) check(f *faults) { f.plot(c.X, c.Y, c.Series, c.Limits) }

func (c Scatter) draw(l layout) drawing {
	list, rows := legend(entriesOf(c.Series, func(slot int) string { return markers[slot] }), l.width, true)
	p := newPlot(l, c.X, c.Y, nil, c.Series, c.Limits, rows, 0)
	p.legends = list
	p.trigger = "item"
	p.x.gridLines()
	p.limits(c.Limits, nil)
	room := newRoom(p, c.Series)
	for _, s := range c.Series {
		var data []scatterItem
		names := notePayload{Fill: inks[s.Slot], Size: smallSize, Halo: ground}
		for _, pt := range s.Points {
			if pt.Y == nil {
				continue
			}
			data = append(data, scatterItem{
				opts.ScatterData{Value: []any{pt.X, *pt.Y}}, clean(pt.Name), tip(pt, c.Y),
			})
			if n, ok := room.place(pt); ok {
				names.Items = append(names.Items, n)
			}
		}
		p.add(charts.SingleSeries{
			Name: clean(s.Name), Type: "scatter", Data: data,
			Symbol: markers[s.Slot], SymbolSize: symbolSize(s.Slot) + 2,
		}, more{Z: 4, Style: opaque(s.Slot), Emphasis: calm()})
		p.spread(s)
		p.notes(clean(s.Name), names)
	}
	return p.drawing(nil)
}

// A box is a rectangle in pixels from the left and the bottom of the plot.
type box struct{ left, bottom, right, top float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.bottom < o.top && o.bottom < b.top
}

// A room knows which parts of the plot are taken, and finds places for labels.
type room struct {
	p     *plot
	taken []box
}

func newRoom(p *plot, series []Series) *room {
	r := &room{p: p}
	for _, s := range series {
		for _, pt := range s.Points {
			if pt.Y != nil {
				x, y := p.xs.at(pt.X), p.ys.at(*pt.Y)
				r.taken = append(r.taken, box{x - 6, y - 6, x + 6, y + 6})
			}
		}
	}
	return r
}

// place finds a free place for the name of a point: right of it, left, above or
// below. Where none is free the point stays without a label.
func (r *room) place(pt Point) (note, bool) {
	name := clean(pt.Name)
	if name == "" {
		return note{}, false
	}
	x, y := r.p.xs.at(pt.X), r.p.ys.at(*pt.Y)
	w := textWidth(name, smallSize)
	for _, n := range []note{
		{DX: 8, Align: "left"},
		{DX: -8, Align: "right"},
		{DY: -12, Align: "center"},
		{DY: 12, Align: "center"},
		{DX: 6, DY: -11, Align: "left"},
		{DX: 6, DY: 11, Align: "left"},
		{DX: -6, DY: -11, Align: "right"},
		{DX: -6, DY: 11, Align: "right"},
	} {
		left := x + n.DX - map[string]float64{"left": 0, "right": w, "center": w / 2}[n.Align]
		b := box{left, y - n.DY - 6.5, left + w, y - n.DY + 6.5}
		if r.free(b) {
			r.taken = append(r.taken, b)
			n.X, n.Y, n.Text = pt.X, *pt.Y, name
			return n, true
		}
	}
	return note{}, false
}

func (r *room) free(b box) bool {
	if b.left < 2 || b.right > r.p.xs.size+r.p.margins.right || b.bottom < 2 || b.top > r.p.ys.size {
		return false
	}
	return !slices.ContainsFunc(r.taken, b.meets)
}

// opaque overrides the transparency that the library gives to points.
func opaque(slot int) map[string]any {
	return map[string]any{"color": strokes[slot], "opacity": 1}
}
