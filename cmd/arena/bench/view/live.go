package view

import (
	"fmt"
	"io"
	"strings"
	"time"

	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine"
)

// A liveDisplay draws bars at the end of a terminal. What is finished scrolls by above
// them. Every drawing is a single write over the one before it, and one that would
// change nothing is left out.
type liveDisplay struct {
	w      io.Writer
	text   wording
	width  func() int
	colour bool
	meter  meter

	drawn   []string // the lines on the screen, without colours; none when there are no bars
	columns int      // of the terminal when they were drawn
	hidden  bool     // the cursor is
	last    engine.Snapshot
	known   bool // last was seen
}

// The control sequences.
const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	clearBelow = "\x1b[J"
	clearRight = "\x1b[K"
	green      = "\x1b[32m"
	red        = "\x1b[31m"
	yellow     = "\x1b[33m"
	uncoloured = "\x1b[0m"
)

// showEvent writes the line of an event above the bars.
func (v *liveDisplay) showEvent(e engine.Event) {
	line := v.text.line(e)
	if e.Kind == engine.Warning {
		line = v.paint(yellow, "warning:") + strings.TrimPrefix(line, "warning:")
	}
	var b strings.Builder
	switch e.Kind {
	case engine.CellStarted, engine.TestStarted, engine.TestDone:
		return // the bars say it
	case engine.Written:
		v.clear(&b)
	case engine.CellDone, engine.CellSkipped:
		v.last.Phase, v.last.Done, v.last.Repetition = engine.Idle, v.last.Requests, v.last.Repetitions
	default:
	}
	up := v.up(v.columnsNow())
	b.WriteString(up + clearBelow + line + "\n")
	v.drawn = nil
	if v.known && e.Kind != engine.Written {
		v.draw(&b, v.last, time.Now())
	}
	v.flush(&b)
}

// showSnapshot draws the bars.
func (v *liveDisplay) showSnapshot(s engine.Snapshot, now time.Time) {
	v.last, v.known = s, true
	var b strings.Builder
	v.draw(&b, s, now)
	v.flush(&b)
}

func (v *liveDisplay) close() {
	var b strings.Builder
	v.clear(&b)
	v.flush(&b)
}

// flush writes what was collected at once.
func (v *liveDisplay) flush(b *strings.Builder) {
	if b.Len() > 0 {
		_, _ = io.WriteString(v.w, b.String()) // a terminal that is gone is no fault of the run
	}
}

// clear takes the bars away and shows the cursor.
func (v *liveDisplay) clear(b *strings.Builder) {
	if len(v.drawn) > 0 {
		b.WriteString(v.up(v.columnsNow()) + clearBelow)
	}
	if v.hidden {
		b.WriteString(showCursor)
	}
	v.drawn, v.hidden, v.known = nil, false, false
}

// columnsNow is the width of the terminal, or what most have.
func (v *liveDisplay) columnsNow() int {
	if n := v.width(); n > 0 {
		return n
	}
	return 80
}

// up moves the cursor to where the bars begin. A terminal that has become narrower
// since has broken their lines.
func (v *liveDisplay) up(columns int) string {
	rows := 0
	for _, line := range v.drawn {
		rows += max(1, (terminal.Width(line)+columns-1)/columns)
	}
	if rows == 0 {
		return "\r"
	}
	return fmt.Sprintf("\r\x1b[%dA", rows)
}

// draw draws the bars over the old ones.
func (v *liveDisplay) draw(b *strings.Builder, s engine.Snapshot, now time.Time) {
	columns := v.columnsNow()
	lines := v.lines(s, now, max(columns-1, 10)) // the last column makes some terminals wrap
	cursor := ""
	// While the run stops, a second Ctrl-C may end the program at any moment.
	if hide := s.Phase != engine.Stopping; hide != v.hidden {
		v.hidden = hide
		cursor = showCursor
		if hide {
			cursor = hideCursor
		}
	}
	if columns == v.columns && strings.Join(lines, "\n") == strings.Join(v.drawn, "\n") {
		b.WriteString(cursor)
		return
	}
	b.WriteString(cursor + v.up(columns))
	if columns != v.columns {
		b.WriteString(clearBelow)
	}
	for _, line := range lines {
		b.WriteString(v.coloured(line) + clearRight + "\n")
	}
	if len(lines) < len(v.drawn) {
		b.WriteString(clearBelow)
	}
	v.drawn, v.columns = lines, columns
}

// lines writes the bars and what stands around them, each at most so many columns
// wide.
func (v *liveDisplay) lines(s engine.Snapshot, now time.Time, columns int) []string {
	cell, test, suite, known := shares(s, now)
	title := v.text.clean(s.Cell, columns)
	if p := phase(s); p != "" {
		title = terminal.Truncate(joinWith("  ", title, p), columns)
	}
	first := fmt.Sprintf("%3.0f%%", cell*100)
	if !known {
		first = "   ?"
	}
	if s.Requests > 0 {
		first += fmt.Sprintf("  %d of %d requests", s.Done, s.Requests)
	}
	lines := append([]string{title}, bars(columns, []bar{
		{"cell", cell, first},
		{"test", test, fmt.Sprintf("%3.0f%%  cell %d of %d", test*100, s.CellInTest, s.CellsOfTest)},
		{"suite", suite, fmt.Sprintf("%3.0f%%  cell %d of %d", suite*100, s.CellNumber, s.Cells)},
	})...)
	return append(lines, wrapped(v.text.state(s, &v.meter, now), columns)...)
}

func joinWith(between, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}

// A bar is a share with its name and what is said beside it.
type bar struct {
	name  string
	share float64
	text  string
}

// bars draws bars of the same length. Where there is no room for them only their
// texts stay.
func bars(columns int, list []bar) []string {
	texts := 0
	for _, b := range list {
		texts = max(texts, terminal.Width(b.text))
	}
	const name, around, least = 5, 4, 6 // "suite", " [" and "] ", the shortest bar
	inner := min(columns-name-around-texts, 60)
	var out []string
	for _, b := range list {
		line := fmt.Sprintf("%-*s ", name, b.name)
		if inner >= least {
			filled := int(b.share*float64(inner) + 1e-9)
			line += "[" + strings.Repeat("#", filled) + strings.Repeat(".", inner-filled) + "] "
		}
		out = append(out, terminal.Truncate(line+b.text, columns))
	}
	return out
}

// wrapped sets words in lines.
func wrapped(words []string, columns int) []string {
	var lines []string
	line := ""
	for _, w := range words {
		w = terminal.Truncate(w, columns)
		switch {
		case line == "":
			line = w
		case terminal.Width(line)+2+terminal.Width(w) > columns:
			lines = append(lines, line)
			line = w
		default:
			line += "  " + w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// paint colours a text.
func (v *liveDisplay) paint(colour, text string) string {
	if !v.colour || text == "" {
		return text
	}
	return colour + text + uncoloured
}

// coloured colours the filled part of a bar and the count of failures.
func (v *liveDisplay) coloured(line string) string {
	if !v.colour {
		return line
	}
	if head, rest, ok := strings.Cut(line, " ["); ok && strings.HasPrefix(rest, "#") {
		filled := len(rest) - len(strings.TrimLeft(rest, "#"))
		return head + " [" + v.paint(green, rest[:filled]) + rest[filled:]
	}
	words := strings.Split(line, "  ")
	for i, w := range words {
		if n, ok := strings.CutSuffix(w, " failed"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			words[i] = v.paint(red, w)
		}
	}
	return strings.Join(words, "  ")
}
