package ingest

import (
	"encoding/csv"
	"strings"
)

// A separator is what stands between the cells of a table's rows.
type separator rune

// The separators. Pipes may be box-drawing characters.
const (
	pipes     separator = '|'
	tabs      separator = '\t'
	commas    separator = ','
	semicolon separator = ';'
)

// A grid is a table as found in a text: cleaned cells, nothing interpreted.
type grid struct {
	sep    separator
	line   int // of the header
	header []string
	rows   []gridRow
	prefix bool // every row has log text before its first pipe
	open   bool // no pipe ends the header, so that an empty last cell of a row looks like one
}

// A gridRow is one row of a grid.
type gridRow struct {
	line  textLine
	cells []string
}

// separators lists what may separate cells, most telling first.
var separators = []separator{pipes, tabs, semicolon, commas}

var boxPipes = strings.NewReplacer("│", "|", "┃", "|", "║", "|", "｜", "|", "â”‚", "|")

// splitCells splits a line into cleaned cells. It returns nil when the line has
// no such separator.
func splitCells(text string, sep separator) []string {
	if sep == pipes {
		return splitPipes(boxPipes.Replace(text))
	}
	if !strings.ContainsRune(text, rune(sep)) {
		return nil
	}
	var cells []string
	if sep == tabs {
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
		cells[i] = cleanCell(cells[i])
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
		cells[i] = cleanCell(cells[i])
	}
	return cells
}

// dropPrefix removes what a log writer put before the first pipe of a line.
func dropPrefix(text string) string {
	text = boxPipes.Replace(text)
	if i := strings.IndexByte(text, '|'); i >= 0 {
		return text[i:]
	}
	return text
}

// isRule reports whether the cells are the line between header and rows.
func isRule(cells []string) bool {
	for _, c := range cells {
		if dashes := strings.Trim(c, ":"); dashes == "" || strings.Trim(dashes, "-─=") != "" {
			return false
		}
	}
	return len(cells) > 0
}

// cellsOf splits a line as a row of g, or returns nil.
func (g *grid) cellsOf(text string) []string {
	if g.prefix {
		text = dropPrefix(text)
	}
	return splitCells(text, g.sep)
}

// firstNames returns the first names of a header, for messages.
func firstNames(header []string) string {
	if len(header) > 8 {
		return strings.Join(header[:8], ", ") + ", …"
	}
	return strings.Join(header, ", ")
}
