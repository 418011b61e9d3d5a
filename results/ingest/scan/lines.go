// Package scan reads the texts that tools print and people paste: lines, tables
// with their numbers, and JSON, each with its line for messages.
//
// It knows no tool and no bundle. What can be read in two ways is refused, with a
// hint on what to do. Lines count from 1; a number keeps the digits that it has in
// the text until it is stored.
package scan

import (
	"bytes"
	"encoding/binary"
	"html"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A Line is a line of a pasted text as a reader of the terminal saw it.
type Line struct {
	No    int // in the file, from 1
	Text  string
	Moved bool // cursor movements that cannot be replayed: the text may be out of order
}

// UTF8Hint says what to do about a text in another encoding.
const UTF8Hint = "save the file as UTF-8 and import it again"

// Lines turns bytes into lines: UTF-8, without byte order mark, terminal
// control codes and overwritten states. It reports a fault, and no lines, when
// the bytes are no text.
func Lines(data []byte, f *Faults) []Line {
	text, ok := Decode(data, f)
	if !ok {
		return nil
	}
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // line ends of old Macs
	}
	var lines []Line
	for i, raw := range strings.Split(text, "\n") {
		l := Line{No: i + 1, Text: strings.TrimRight(raw, "\r")}
		if strings.ContainsAny(l.Text, "\x1b\u009b\b") {
			l.Text, l.Moved = stripControls(l.Text)
		}
		l.Text = lastState(l.Text)
		lines = append(lines, l)
	}
	return lines
}

// Decode gives the text behind data. UTF-16 is read when its byte order
// mark says so; bytes that are no UTF-8 become U+FFFD, so that they cost only
// the line they stand in.
func Decode(data []byte, f *Faults) (string, bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		f.Add(0, "", UTF8Hint, "the file is UTF-32")
		return "", false
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return decodeUTF16(data[2:], binary.LittleEndian, f)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decodeUTF16(data[2:], binary.BigEndian, f)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(data, 0) >= 0 {
		f.Add(1+bytes.Count(data[:bytes.IndexByte(data, 0)], []byte("\n")), "", UTF8Hint,
			"the file holds zero bytes: it is binary, or UTF-16 without a byte order mark")
		return "", false
	}
	return strings.ToValidUTF8(string(data), "\ufffd"), true
}

func decodeUTF16(data []byte, order binary.ByteOrder, f *Faults) (string, bool) {
	if len(data)%2 != 0 {
		f.Add(0, "", UTF8Hint, "the file is UTF-16, but ends in half a character")
		return "", false
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units)), true
}

// lastState returns what a line that was rewritten with carriage returns shows
// in the end: what was written last.
func lastState(s string) string {
	for {
		i := strings.LastIndexByte(s, '\r')
		if i < 0 {
			return s
		}
		if i+1 < len(s) {
			return s[i+1:]
		}
		s = s[:i]
	}
}

// stripControls removes terminal control sequences and applies backspaces. It
// reports whether a sequence moved the cursor to another place.
func stripControls(s string) (text string, moved bool) {
	var out []rune
	rs := []rune(s)
	for i := 0; i < len(rs); i++ {
		switch r := rs[i]; {
		case r == '\b':
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		case r == '\x1b' && i+1 < len(rs) && rs[i+1] == '[', r == '\u009b':
			var final rune
			i, final = endOfCSI(rs, i)
			moved = moved || strings.ContainsRune("ABCDEFGHdfSTLMP@", final)
		case r == '\x1b' && i+1 < len(rs) && strings.ContainsRune("]PX^_", rs[i+1]):
			i = endOfString(rs, i)
		case r == '\x1b':
			i++ // a two-character sequence
		default:
			out = append(out, r)
		}
	}
	return string(out), moved
}

// endOfCSI returns the index of the last rune of the control sequence that
// starts at i, and that rune.
func endOfCSI(rs []rune, i int) (int, rune) {
	if rs[i] == '\x1b' {
		i++
	}
	for i++; i < len(rs); i++ {
		if rs[i] >= 0x40 && rs[i] <= 0x7e {
			return i, rs[i]
		}
	}
	return i, 0
}

// endOfString returns the index of the last rune of an operating system command
// or a similar string, such as a window title or a link.
func endOfString(rs []rune, i int) int {
	for i += 2; i < len(rs); i++ {
		if rs[i] == '\a' || rs[i] == '\u009c' {
			return i
		}
		if rs[i] == '\\' && rs[i-1] == '\x1b' {
			return i
		}
	}
	return i
}

// mojibakePairs are texts of UTF-8 as they look after they were read in another
// encoding (twice Windows-1252, Windows-1252, code page 437), and what they were.
var mojibakePairs = []string{
	"Ã‚Â±", "±", "Â±", "±", "┬▒", "±",
	"â€“", "–", "â€”", "—", "ΓÇô", "–", "ΓÇö", "—",
	"â€¯", "\u202f", "Â\u00a0", "\u00a0",
	"â‰ˆ", "≈", "Âµ", "µ", "â”‚", "│",
}

var mojibake = strings.NewReplacer(mojibakePairs...)

// Misread returns the first text in s that was read in the wrong encoding, and
// what it was; nothing when there is none.
func Misread(s string) (found, was string) {
	for i := 0; i < len(mojibakePairs); i += 2 {
		if strings.Contains(s, mojibakePairs[i]) {
			return mojibakePairs[i], mojibakePairs[i+1]
		}
	}
	return "", ""
}

// CleanCell returns a table cell in plain text: entities resolved, misread
// encodings repaired, every kind of space an ordinary one (a no-break or narrow
// one between two digits stays, since it may group them), emphasis removed.
func CleanCell(s string) string {
	s = mojibake.Replace(html.UnescapeString(s))
	rs := []rune(s)
	out := make([]rune, 0, len(rs))
	for i, r := range rs {
		switch {
		case r == '\u200b', r == '\u200c', r == '\u200d', r == '\u2060', r == '\ufeff', r == '\u00ad':
			// invisible
		case isGroupSpace(r) && i > 0 && i+1 < len(rs) && IsDigit(rs[i-1]) && IsDigit(rs[i+1]):
			out = append(out, '\u202f')
		case unicode.IsSpace(r):
			out = append(out, ' ')
		case r == '\u2212':
			out = append(out, '-')
		default:
			out = append(out, r)
		}
	}
	return trimEmphasis(strings.TrimSpace(string(out)))
}

// isGroupSpace reports whether r is a space that people put between the groups
// of a long number.
func isGroupSpace(r rune) bool {
	return r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '\u2007'
}

// IsDigit reports whether r is one of the ten ASCII digits.
func IsDigit(r rune) bool { return r >= '0' && r <= '9' }

// trimEmphasis removes Markdown emphasis and code marks around the whole cell.
func trimEmphasis(s string) string {
	for _, mark := range []string{"**", "__", "`", "*"} {
		if len(s) > 2*len(mark) && strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) {
			return trimEmphasis(strings.TrimSpace(s[len(mark) : len(s)-len(mark)]))
		}
	}
	return s
}

// missingMarks are the words and signs by which people say that a cell was not
// measured. A missing cell stays missing, never zero.
var missingMarks = map[string]bool{
	"": true, "-": true, "--": true, "---": true, "–": true, "—": true, "…": true, "...": true,
	"n/a": true, "na": true, "n.a.": true, "none": true, "null": true, "tbd": true, "todo": true,
	"?": true, "not measured": true, "not run": true,
}

// IsMissing reports whether a cleaned cell says that nothing was measured.
func IsMissing(cell string) bool { return missingMarks[strings.ToLower(cell)] }

// Broken reports whether a text holds bytes that were not UTF-8.
func Broken(s string) bool { return strings.ContainsRune(s, utf8.RuneError) }

// Printable shortens a key of unknown origin to something that can be shown.
func Printable(key string) string {
	key = strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || r == 0xfffd {
			return '_'
		}
		return r
	}, key)
	if r := []rune(key); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	if key == "" {
		return `""`
	}
	return key
}
