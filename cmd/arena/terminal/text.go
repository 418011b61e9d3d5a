package terminal

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// Printable replaces control characters but for those to keep, those that turn the
// direction of text and end lines included, and bytes that are no text: a bundle or a
// server's words may come from anyone, and a terminal obeys them.
func Printable(text string, keep ...rune) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !slices.Contains(keep, r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// OneLine returns a text as one line that can do nothing to a terminal, shortened to
// a number of columns: no control characters, no marks that turn the direction of
// text, are not seen or pile up on a letter, no bytes that are no text.
func OneLine(text string, columns int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Mn, unicode.Me):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	return Truncate(strings.Join(strings.Fields(text), " "), columns)
}

// measure measures texts as terminals do, wherever this one stands: the usual
// measure asks the environment for the language.
var measure = &runewidth.Condition{}

// Width returns how many columns a text takes.
func Width(text string) int { return measure.StringWidth(text) }

// Truncate shortens a text to a number of columns; what was cut off becomes "…".
func Truncate(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	return measure.Truncate(text, columns, "…")
}

// Counted returns "1 bundle", "2 bundles".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
