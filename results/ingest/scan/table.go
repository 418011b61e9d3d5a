package scan

import (
	"encoding/csv"
	"regexp"
	"strings"
)

var spaces = regexp.MustCompile(`\s+`)

// HeaderName lowers a header cell and makes its spaces single.
func HeaderName(cell string) string {
	return strings.ToLower(spaces.ReplaceAllString(strings.TrimSpace(cell), " "))
}

// A Separator is what stands between the cells of a table's rows.
type Separator rune

// The separators. Pipes may be box-drawing characters.
const (
	Pipes     Separator = '|'
	Tabs      Separator = '\t'
	Commas    Separator = ','
	Semicolon Separator = ';'
)

// A Grid is a table as found in a text: cleaned cells, nothing interpreted.
type Grid struct {
	Sep    Separator
	Line   int // of the header
	Header []string
	Rows   []GridRow
	Prefix bool // every row has log text before its first pipe
	Open   bool // no pipe ends the header, so that an empty last cell of a row looks like one
}

// A GridRow is one row of a grid.
type GridRow struct {
	Line  Line
	Cells []string
}

// Separators lists what may separate cells, most telling first.
var Separators = []Separator{Pipes, Tabs, Semicolon, Commas}

// BoxPipes turns what is drawn or read as a pipe into one.
var BoxPipes = strings.NewReplacer("│", "|", "┃", "|", "║", "|", "｜", "|", "â”‚", "|")

// SplitCells splits a line into cleaned cells. It returns nil when the line has
// no such separator.
func SplitCells(text string, sep Separator) []string {
	if sep == Pipes {
		return splitPipes(BoxPipes.Replace(text))
	}
	if !strings.ContainsRune(text, rune(sep)) {
		return nil
	}
	var cells []string
	if sep == Tabs {
		cells = strings.Split(text, "\t")
	} else {
		r := csv.NewReader(strings.NewReader(text))
		r.Comma = rune(sep)
		r.TrimLeadingSpace = true
		var err error
		if cells, err = r.Read(); err != nil {
			return nil
		}
	}
	for i := range cells {
		cells[i] = CleanCell(cells[i])
	}
	return cells
}

// splitPipes splits a Markdown row. The pipes around the row are not cells, and
// a pipe after a backslash is text.
func splitPipes(text string) []string {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(strings.TrimPrefix(text, ">")) // quoted in a mail or an issue
	if !strings.Contains(text, "|") {
		return nil
	}
	var cells []string
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '|':
			b.WriteByte('|')
			i++
		case text[i] == '|':
			cells = append(cells, b.String())
			b.Reset()
		default:
			b.WriteByte(text[i])
		}
	}
	cells = append(cells, b.String())
	if strings.TrimSpace(cells[0]) == "" {
		cells = cells[1:]
	}
	if n := len(cells); n > 0 && strings.TrimSpace(cells[n-1]) == "" {
		cells = cells[:n-1]
	}
	for i := range cells {
		cells[i] = CleanCell(cells[i])
	}
	return cells
}

// DropPrefix removes what a log writer put before the first pipe of a line.
func DropPrefix(text string) string {
	text = BoxPipes.Replace(text)
	if i := strings.IndexByte(text, '|'); i >= 0 {
		return text[i:]
	}
	return text
}

// IsRule reports whether the cells are the line between header and rows.
func IsRule(cells []string) bool {
	for _, c := range cells {
		if dashes := strings.Trim(c, ":"); dashes == "" || strings.Trim(dashes, "-─=") != "" {
			return false
		}
	}
	return len(cells) > 0
}

// CellsOf splits a line as a row of g, or returns nil.
func (g *Grid) CellsOf(text string) []string {
	if g.Prefix {
		text = DropPrefix(text)
	}
	return SplitCells(text, g.Sep)
}

// FirstNames returns the first names of a header, for messages.
func FirstNames(header []string) string {
	if len(header) > 8 {
		return strings.Join(header[:8], ", ") + ", …"
	}
	return strings.Join(header, ", ")
}
