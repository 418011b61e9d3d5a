package chart

// The colours that charts contain. They stand for roles: css/chart.css maps each
// of them, by attribute selector, to the value for a light or a dark page. No
// two roles share a colour.
const (
	ground = "#ffffff" // the page behind the chart
	ink    = "#1b1b1b" // category names, text in cells
	muted  = "#5c5c5c" // tick labels, axis names
	hair   = "#e2e2e0" // grid lines
	rule   = "#b4b4b0" // axis lines, pointer
	bound  = "#7a7a78" // limit lines
)

// strokes are the Okabe-Ito colours that show on white, in the order of slots.
var strokes = [MaxSeries]string{
	"#0072b2", // blue
	"#d55e00", // vermilion
	"#009e73", // bluish green
	"#cc79a7", // reddish purple
	"#000000", // black
	"#e69f00", // orange
}

// inks are the same hues, dark enough for text.
var inks = [MaxSeries]string{"#00598c", "#a84a00", "#00704f", "#96447a", "#010101", "#8a5a00"}

// tints are the same hues, light enough to fill an outlined bar.
var tints = [MaxSeries]string{"#cce3f0", "#f7dfcc", "#ccece3", "#f5e4ed", "#d9d9d8", "#faeccc"}

// markers are the points of each slot, so that colour is never alone.
var markers = [MaxSeries]string{"circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect"}

// states are the fill and the symbol of each state of a cell.
var states = [...]struct{ fill, symbol string }{
	Met:        {"#d7e8f3", "✓"},
	Near:       {"#f6ecc9", "≈"},
	Missed:     {"#f9dccb", "✗"},
	Unmeasured: {"#f4f4f2", "–"},
}
