package chart

import (
	"math"
	"strings"
	"unicode"
)

// widths are the advances of printable ASCII in thousandths of the font size,
// as sans-serif system fonts have them on average, from ' ' to '~'.
var widths = [...]int{
	280, 290, 380, 580, 570, 860, 690, 230, 340, 340, 430, 590, 280, 360, 280, 330, // space to /
	570, 570, 570, 570, 570, 570, 570, 570, 570, 570, 290, 290, 590, 590, 590, 510, // 0 to ?
	960, 670, 670, 690, 730, 620, 580, 750, 740, 290, 500, 670, 560, 860, 750, 770, // @ to O
	640, 770, 680, 650, 620, 730, 670, 940, 650, 640, 620, 340, 330, 340, 500, 500, // P to _
	400, 560, 590, 530, 590, 560, 330, 590, 580, 250, 260, 530, 250, 870, 580, 590, // ` to o
	590, 590, 370, 510, 350, 580, 520, 760, 510, 520, 490, 370, 280, 370, 590, // p to ~
}

// textWidth estimates the width of one line of text, in pixels. The reader's
// font is unknown here, and the widest system fonts need an eighth more room
// than the average.
func textWidth(s string, size float64) float64 {
	sum := 0
	for _, r := range s {
		switch {
		case r >= ' ' && r <= '~':
			sum += widths[r-' ']
		case unicode.Is(unicode.Mn, r):
		case r == '\u00a0' || r == '\u202f' || r == '\u2009':
			sum += 280
		case r < 0x2e80:
			sum += 620
		default:
			sum += 1000
		}
	}
	return float64(sum) / 1000 * size * 1.12
}

// shorten cuts text so that it fits, with an ellipsis.
func shorten(s string, size, room float64) string {
	if textWidth(s, size) <= room {
		return s
	}
	r := []rune(s)
	for n := len(r) - 1; n > 0; n-- {
		if cut := strings.TrimRight(string(r[:n]), " -/_.") + "…"; textWidth(cut, size) <= room {
			return cut
		}
	}
	return "…"
}

// wrap breaks text into at most two lines that fit, as even as possible. Names
// of models break after a slash, a hyphen or an underscore.
func wrap(s string, room float64) string {
	if textWidth(s, fontSize) <= room {
		return s
	}
	best, width := "", math.Inf(1)
	for i, r := range s {
		if !strings.ContainsRune(" /-_", r) {
			continue
		}
		first, second := strings.TrimRight(s[:i+1], " "), s[i+1:]
		if first == "" || second == "" {
			continue
		}
		w := math.Max(textWidth(first, fontSize), textWidth(second, fontSize))
		if w < width {
			best, width = first+"\n"+second, w
		}
	}
	if width <= room {
		return best
	}
	return shorten(s, fontSize, room)
}
