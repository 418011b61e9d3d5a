// Package chart turns finished numbers and finished words into charts: the
// options of an ECharts chart as JSON, and the same chart drawn as SVG at
// build time by ECharts itself, in a JavaScript engine written in Go.
//
// It computes no result, knows no language and reads no file. Every label in a
// specification is plain text, already in the reader's language; numbers are in
// the unit that the axis name states. A missing value is nil and becomes a gap
// or an empty cell, never zero.
package chart

// MaxSeries is the largest number of series that one chart may show.
const MaxSeries = 6

// A Spec is a chart to draw: a Line, Bar, Scatter or Heatmap.
type Spec interface {
	text() (title, description string)
	check(*faults)
	draw(layout) drawing
}

// A Scale is how an axis maps values to positions.
type Scale int

// The scales. On a Category axis, values are indexes into Axis.Categories. The
// Name of a Log axis says that it is one, in the reader's language.
const (
	Linear Scale = iota
	Log
	Category
)

// An Axis describes one axis. Linear and Log axes need Format; Category axes
// need Categories.
type Axis struct {
	Name       string   // with its unit, as "Time to first token (ms)"
	Scale      Scale    //
	Categories []string // labels in order; Category only

	// Format writes the label of a tick or of a point, given a value in the
	// axis unit. It must always answer the same for the same value.
	Format func(float64) string

	// Ticks are the values that get a tick and a label, ascending. Without any,
	// an X axis takes the X values of the data where they are few and fit, and
	// everything else round values: 1, 2 and 5 times a power of ten.
	Ticks []float64

	// Min and Max fix the ends. Without them a Linear axis starts at zero (or
	// below, for negative values) and a Log axis just outside the data.
	Min, Max *float64
}

// A Spread says how the uncertainty between Lo and Hi is drawn.
type Spread int

// The ways to draw a spread. A Band follows the line of a Line chart; bars and
// points of a Scatter always have Whiskers. No page shows a Band yet: it is there
// for load curves with many points, where whiskers would touch.
const (
	Whiskers Spread = iota
	Band
)

// A Series is one configuration's values. Slot is its colour and marker, in
// [0, MaxSeries): the same configuration keeps its slot on every chart of a
// page. Slots within one chart differ, and so do names.
type Series struct {
	Name   string
	Slot   int
	Spread Spread
	Points []Point
}

// A Point is one value. X is a value of the X axis or an index into its
// categories. Y is nil where nothing was measured. Lo and Hi are the ends of
// the spread in the unit of Y; either may be missing.
type Point struct {
	X      float64
	Y      *float64
	Lo, Hi *float64
	Label  string // what the tooltip says, as "412 ms (390 to 441)"; "" for the bare value
	Name   string // written beside a point of a Scatter or at the end of a bar; may be ""
}

// A Limit is a line across the plot at a value of the Y axis, as the largest
// accepted time to first token.
type Limit struct {
	Name  string
	Value float64
}

// A Line chart shows how values change along X, points ascending. Series are
// labelled at their ends where that fits, else in a legend.
type Line struct {
	Title, Description string
	X, Y               Axis
	Series             []Series
	Limits             []Limit
}

// A Bar chart compares values between categories: X.Scale must be Category and
// Y.Scale Linear.
type Bar struct {
	Title, Description string
	X, Y               Axis
	Series             []Series
	Limits             []Limit
}

// A Scatter plot relates two values. Points that have a Name are labelled where
// a label finds room. No page shows one yet: it is there for a map of quality
// against speed.
type Scatter struct {
	Title, Description string
	X, Y               Axis
	Series             []Series
	Limits             []Limit
}

// A State is what a cell of a Heatmap says, shown by symbol and by colour.
type State int

// The states of a cell, in the order in which the legend shows them.
const (
	Met State = iota
	Near
	Missed
	Unmeasured
)

// A Cell is one field of a Heatmap. Text is short and stands in the field after
// the state's symbol; Label is what the tooltip says.
type Cell struct {
	State State
	Text  string
	Label string
}

// A Heatmap is a matrix of states, as limits against concurrency. Cells holds
// one row per entry of Rows, first row on top, each as long as Columns.
type Heatmap struct {
	Title, Description  string
	RowName, ColumnName string
	Rows, Columns       []string
	Cells               [][]Cell

	// States names the states for the legend. A state that occurs must be named.
	States map[State]string
}
