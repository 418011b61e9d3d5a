package chart

import (
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A cellItem is one field, with what its tooltip says.
type cellItem struct {
	opts.HeatMapData
	Title string `json:"title,omitempty"`
	Tip   string `json:"tip,omitempty"`
}

func (c Heatmap) text() (title, description string) { return clean(c.Title), clean(c.Description) }

func (c Heatmap) check(f *faults) { f.heatmap(c) }

// draw makes one series per state, so that the legend explains the symbols.
func (c Heatmap) draw(l layout) drawing {
	columns := Axis{Name: c.ColumnName, Scale: Category, Categories: c.Columns}
	lines := Axis{Name: c.RowName, Scale: Category, Categories: c.Rows}
	p := &plot{layout: l, xAxis: columns, yAxis: lines}
	used := c.used()
	var names []legendEntry
	for _, s := range used {
		names = append(names, legendEntry{c.stateName(s), "rect"})
	}
	list, rows := legend(names, l.width, false)
	c.frame(p, rows)
	p.legends = list
	p.trigger = "item"
	for _, s := range used {
		c.state(p, s)
	}
	return p.drawing(nil)
}

func (c Heatmap) used() []State {
	var list []State
	for s := range states {
		for _, row := range c.Cells {
			for _, cell := range row {
				if cell.State == State(s) && (len(list) == 0 || list[len(list)-1] != State(s)) {
					list = append(list, State(s))
				}
			}
		}
	}
	return list
}

func (c Heatmap) stateName(s State) string { return states[s].symbol + " " + clean(c.States[s]) }

// frame resolves the axes. The height follows from the number of rows. In a
// narrow column the names of the rows stand above them.
func (c Heatmap) frame(p *plot, legendRows int) {
	row, labels := 36.0, nameRoom(c.Rows, 0.36*p.width)
	if p.narrow {
		row, labels = 27, 0
	}
	p.margins = margins{
		left:   labels + 12,
		top:    float64(legendRows)*rowHeight + rowHeight + 8,
		right:  2,
		bottom: 2*rowHeight + 6,
	}
	if p.narrow {
		p.margins.left = 2
		p.yAxis.Categories = spaced(c.Rows)
	}
	size := p.width - p.margins.left - p.margins.right
	p.margins.top += extraLine(c.RowName, p.width)
	p.margins.bottom += extraLine(c.ColumnName, size)
	n := float64(len(p.yAxis.Categories))
	p.height = p.margins.top + p.margins.bottom + row*n
	p.xs = resolveX(p.xAxis, nil, nil, size, 0)
	p.ys = resolveX(p.yAxis, nil, nil, row*n, 0)
	p.x, p.y = axisFor(p.xAxis, p.xs, size), axisFor(p.yAxis, p.ys, p.width)
	p.x.along()
	p.x.AxisLine.Show, p.x.AxisTick.Show = opts.Bool(false), opts.Bool(false)
	p.x.AxisLabel.Color = ink
	p.y.up(p.margins.left)
	p.y.NameLocation = "start" // the axis runs downwards
	p.y.SplitLine.Show = opts.Bool(false)
	p.y.downwards(p.yAxis.Categories, labels)
	if p.narrow {
		p.y.AxisLabel.Show = opts.Bool(false)
		p.names()
	}
}

// spaced leaves room for a name above each row.
func spaced(rows []string) []string {
	var out []string
	for _, r := range rows {
		out = append(out, "", r)
	}
	return out
}

// names writes the names of the rows into the rows left free for them.
func (p *plot) names() {
	texts := notePayload{Fill: ink, Size: fontSize}
	for i, name := range p.yAxis.Categories {
		if i%2 == 1 {
			texts.Items = append(texts.Items, note{
				X: 0, Y: float64(i - 1), DX: 2, DY: 4, Align: "left", Edge: "left",
				Text: shorten(clean(name), fontSize, p.xs.size),
			})
		}
	}
	p.notes("", texts)
}

// row is where a row of cells stands on the axis.
func (p *plot) row(i int) int {
	if p.narrow {
		return 2*i + 1
	}
	return i
}

func (c Heatmap) state(p *plot, s State) {
	var data []cellItem
	texts := notePayload{Fill: ink, Size: fontSize}
	if s == Unmeasured {
		texts.Fill = muted
	}
	room := p.xs.size/p.xs.hi - 6
	for i, row := range c.Cells {
		for j, cell := range row {
			if cell.State != s {
				continue
			}
			label := cell.Label
			if label == "" {
				label = c.States[s]
			}
			data = append(data, cellItem{
				opts.HeatMapData{Value: []any{j, p.row(i), int(s)}},
				clean(c.Rows[i] + " · " + c.Columns[j]), states[s].symbol + " " + clean(label),
			})
			texts.Items = append(texts.Items, note{
				X: float64(j), Y: float64(p.row(i)), Text: cellText(cell, room), Align: "center",
			})
		}
	}
	p.add(charts.SingleSeries{
		Name: c.stateName(s), Type: "heatmap", Data: data,
	}, more{Z: 3, Emphasis: calm(), Style: map[string]any{
		"color": states[s].fill, "borderColor": ground, "borderWidth": 2,
	}})
	p.notes(c.stateName(s), texts)
}

// cellText is the symbol and, where it fits, the text of a cell.
func cellText(cell Cell, room float64) string {
	symbol := states[cell.State].symbol
	text := symbol + " " + clean(cell.Text)
	if cell.Text == "" || textWidth(text, fontSize) > room {
		return symbol
	}
	return text
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
		lines[i] = wrap(clean(name), room)
	}
	o.Data = lines
}
