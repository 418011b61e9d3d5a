package chart

import (
	"math"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/opts"
)

const (
	legendLine = 22 // width of the sample of a line
	legendIcon = 12 // width of any other sample
	legendGap  = 20 // between entries
	legendText = 5  // between a sample and its name
)

// A legendEntry names a series. Without an icon, the sample is a piece of its
// line.
type legendEntry struct {
	name, icon string
}

func (e legendEntry) sample() int {
	if e.icon == "" {
		return legendLine
	}
	return legendIcon
}

func (e legendEntry) width() float64 {
	return float64(e.sample()+legendText) + textWidth(e.name, fontSize)
}

// legend places entries in rows and says how many rows there are. Every entry
// is a legend of its own, so that all stand where the layout puts them, however
// wide the library takes the text to be.
func legend(entries []legendEntry, width float64, selectable bool) (list []legendOption, rows int) {
	list = []legendOption{}
	x := math.Inf(1)
	for _, e := range entries {
		if x+e.width() > width {
			x = 0
			rows++
		}
		list = append(list, e.option(x, float64(rows-1)*rowHeight+3, width, selectable))
		x += math.Ceil(e.width()) + legendGap
	}
	return list, rows
}

func (e legendEntry) option(x, y, width float64, selectable bool) legendOption {
	px := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	style := map[string]any{"color": ink, "fontSize": fontSize}
	if room := width - float64(e.sample()+legendText); textWidth(e.name, fontSize) > room {
		style["width"], style["overflow"] = math.Floor(room/1.12), "truncate"
	}
	return legendOption{
		Legend: opts.Legend{
			Show:          opts.Bool(true),
			Type:          "plain",
			Left:          px(x),
			Top:           px(y),
			Padding:       0,
			ItemWidth:     e.sample(),
			ItemHeight:    9,
			InactiveColor: rule,
			Data:          []legendName{{e.name, e.icon}},
		},
		SelectedMode: selectable,
		TextStyle:    style,
	}
}

// A legendName is an entry as the library takes it.
type legendName struct {
	Name string `json:"name"`
	Icon string `json:"icon,omitempty"`
}

// entriesOf names series, with the icon that each slot has.
func entriesOf(series []Series, icon func(slot int) string) []legendEntry {
	if len(series) < 2 {
		return nil
	}
	var out []legendEntry
	for _, s := range series {
		out = append(out, legendEntry{clean(s.Name), icon(s.Slot)})
	}
	return out
}
