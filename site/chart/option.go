package chart

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A layout is the column that a drawing is made for: its width and, for upright
// plots, the height of the plotting area, in pixels.
type layout struct {
	width, plot float64
	narrow      bool
}

var (
	wide   = layout{width: 640, plot: 256}
	narrow = layout{width: 328, plot: 200, narrow: true}
)

const (
	fontSize  = 12
	smallSize = 11
	rowHeight = 20.0 // of a line of legend, of tick labels, of an axis name
	nextLine  = 14.0 // of a second line of an axis name
)

// A drawing is what the chart library draws: see templates/echarts.entry.js.
type drawing struct {
	Width  float64        `json:"width"`
	Height float64        `json:"height"`
	Ticks  axisTexts      `json:"ticks"`
	Heads  []valueText    `json:"heads,omitempty"`
	Option map[string]any `json:"option"`
}

type axisTexts struct {
	X []valueText `json:"x"`
	Y []valueText `json:"y"`
}

// A valueText is the text that belongs to a value; in JSON a pair.
type valueText struct {
	value float64
	text  string
}

// MarshalJSON implements json.Marshaler.
func (t valueText) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]any{t.value, t.text})
}

// margins are the space around the plotting area, in pixels.
type margins struct{ left, top, right, bottom float64 }

func (m margins) grid() opts.Grid {
	px := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	return opts.Grid{Left: px(m.left), Top: px(m.top), Right: px(m.right), Bottom: px(m.bottom)}
}

// The types below add to go-echarts' own what they leave out.

type grid struct {
	opts.Grid
	OuterBoundsMode string `json:"outerBoundsMode"`
}

type nameStyle struct {
	Color      string     `json:"color"`
	FontSize   float64    `json:"fontSize"`
	LineHeight float64    `json:"lineHeight"`
	Align      string     `json:"align,omitempty"`
	Padding    [4]float64 `json:"padding"`
}

type axisLabel struct {
	opts.AxisLabel
	CustomValues []float64 `json:"customValues,omitempty"`
	LineHeight   float64   `json:"lineHeight,omitempty"`
	Interval     *int      `json:"interval,omitempty"`
}

type axisTick struct {
	opts.AxisTick
	CustomValues []float64 `json:"customValues,omitempty"`
	Length       float64   `json:"length,omitempty"`
}

type axisBase struct{ opts.XAxis }

// An axisOption is an axis of the plot. X and Y axes take the same options.
type axisOption struct {
	axisBase
	NameTextStyle   nameStyle `json:"nameTextStyle"`
	NameMoveOverlap bool      `json:"nameMoveOverlap"`
	AxisLabel       axisLabel `json:"axisLabel"`
	AxisTick        axisTick  `json:"axisTick"`
}

type seriesBase struct{ charts.SingleSeries }

type seriesOption struct {
	seriesBase
	more
}

// more is what a series has beyond go-echarts' fields, or instead of them.
type more struct {
	Z             int            `json:"z"`
	Silent        bool           `json:"silent,omitempty"`
	Clip          *bool          `json:"clip,omitempty"`
	ShowAllSymbol bool           `json:"showAllSymbol,omitempty"`
	ItemPayload   any            `json:"itemPayload,omitempty"`
	Style         map[string]any `json:"itemStyle,omitempty"`
	Encode        map[string]any `json:"encode,omitempty"`
	Emphasis      map[string]any `json:"emphasis,omitempty"`
	Cursor        string         `json:"cursor"`
}

// calm switches off what would change colours under the pointer.
func calm() map[string]any { return map[string]any{"disabled": true} }

type legendOption struct {
	opts.Legend
	SelectedMode bool           `json:"selectedMode"`
	TextStyle    map[string]any `json:"textStyle"`
}

type tooltipOption struct {
	opts.Tooltip
	RenderMode  string         `json:"renderMode"`
	Confine     bool           `json:"confine"`
	BorderWidth float64        `json:"borderWidth"`
	TextStyle   map[string]any `json:"textStyle"`
}

// A canvas collects the parts of one option. It is the visitor through which
// go-echarts hands over its own parts for completion.
type canvas struct {
	charts.BaseConfigurationVisitor
	margins margins
	x, y    axisOption
	more    []more
	legends []legendOption
	trigger string
}

// option assembles everything into the option of a go-echarts chart.
func (c *canvas) option(series []charts.SingleSeries) map[string]any {
	chart := charts.NewLine()
	chart.SetGlobalOptions(
		charts.WithGridOpts(c.margins.grid()),
		charts.WithAnimation(false),
		charts.WithTooltipOpts(opts.Tooltip{
			Show:            opts.Bool(true),
			Trigger:         c.trigger,
			BackgroundColor: ground,
			BorderColor:     rule,
			AxisPointer:     &opts.AxisPointer{Type: "line"},
		}),
	)
	chart.MultiSeries = series
	chart.Accept(c)
	chart.Validate()
	return chart.JSON()
}

// Visit implements charts.ConfigurationVisitor: it drops what is not in the
// chart library.
func (c *canvas) Visit(option map[string]any) {
	for _, key := range []string{"title", "toolbox", "color"} {
		delete(option, key)
	}
	option["textStyle"] = map[string]any{"color": ink}
}

// VisitGrid implements charts.ConfigurationVisitor.
func (c *canvas) VisitGrid(g []opts.Grid) any { return grid{g[0], "none"} }

// VisitXAxis implements charts.ConfigurationVisitor.
func (c *canvas) VisitXAxis([]opts.XAxis) any { return []axisOption{c.x} }

// VisitYAxis implements charts.ConfigurationVisitor.
func (c *canvas) VisitYAxis([]opts.YAxis) any { return []axisOption{c.y} }

// VisitLegendOpt implements charts.ConfigurationVisitor.
func (c *canvas) VisitLegendOpt(opts.Legend) any { return slices.Clone(c.legends) }

// VisitTooltipOpt implements charts.ConfigurationVisitor.
func (c *canvas) VisitTooltipOpt(t opts.Tooltip) any {
	style := map[string]any{"color": ink, "fontSize": fontSize, "lineHeight": 18}
	return tooltipOption{t, "richText", true, 1, style}
}

// VisitSeriesOpt implements charts.ConfigurationVisitor.
func (c *canvas) VisitSeriesOpt(all charts.MultiSeries) any {
	out := make([]seriesOption, len(all))
	for i, s := range all {
		out[i] = seriesOption{seriesBase{s}, c.more[i]}
	}
	return out
}
