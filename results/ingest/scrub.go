package ingest

import (
	"bytes"
	"encoding/binary"
	"html"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A textLine is a line of a pasted text as a reader of the terminal saw it.
type textLine struct {
	no    int // in the file, from 1
	text  string
	moved bool // cursor movements that cannot be replayed: the text may be out of order
}

const utf8Hint = "save the file as UTF-8 and import it again"

// scrubText turns bytes into lines: UTF-8, without byte order mark, terminal
// control codes and overwritten states. It reports a fault, and no lines, when
// the bytes are no text.
func scrubText(data []byte, f *faultList) []textLine {
	text, ok := decodeText(data, f)
	if !ok {
		return nil
	}
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // line ends of old Macs
	}
	var lines []textLine
	for i, raw := range strings.Split(text, "\n") {
		l := textLine{no: i + 1, text: strings.TrimRight(raw, "\r")}
		if strings.ContainsAny(l.text, "\x1b\u009b\b") {
			l.text, l.moved = stripControls(l.text)
		}
		l.text = lastState(l.text)
		lines = append(lines, l)
	}
	return lines
}

// decodeText gives the text behind data. UTF-16 is read when its byte order
// mark says so; bytes that are no UTF-8 become U+FFFD, so that they cost only
// the line they stand in.
func decodeText(data []byte, f *faultList) (string, bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		f.add(0, "", utf8Hint, "the file is UTF-32")
		return "", false
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return decodeUTF16(data[2:], binary.LittleEndian, f)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decodeUTF16(data[2:], binary.BigEndian, f)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(data, 0) >= 0 {
		f.add(1+bytes.Count(data[:bytes.IndexByte(data, 0)], []byte("\n")), "", utf8Hint,
			"the file holds zero bytes: it is binary, or UTF-16 without a byte order mark")
		return "", false
	}
	return strings.ToValidUTF8(string(data), "\ufffd"), true
}

func decodeUTF16(data []byte, order binary.ByteOrder, f *faultList) (string, bool) {
	if len(data)%2 != 0 {
		f.add(0, "", utf8Hint, "the file is UTF-16, but ends in half a character")
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

// misread returns the first text in s that was read in the wrong encoding, and
// what it was; nothing when there is none.
func misread(s string) (found, was string) {
	for i := 0; i < len(mojibakePairs); i += 2 {
		if strings.Contains(s, mojibakePairs[i]) {
			return mojibakePairs[i], mojibakePairs[i+1]
		}
	}
	return "", ""
}

// cleanCell returns a table cell in plain text: entities resolved, misread
// encodings repaired, every kind of space an ordinary one (a no-break or narrow
// one between two digits stays, since it may group them), emphasis removed.
func cleanCell(s string) string {
	s = mojibake.Replace(html.UnescapeString(s))
	rs := []rune(s)
	out := make([]rune, 0, len(rs))
	for i, r := range rs {
		switch {
		case r == '\u200b', r == '\u200c', r == '\u200d', r == '\u2060', r == '\ufeff', r == '\u00ad':
			// invisible
		case isGroupSpace(r) && i > 0 && i+1 < len(rs) && isDigit(rs[i-1]) && isDigit(rs[i+1]):
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

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

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

// isMissing reports whether a cleaned cell says that nothing was measured.
func isMissing(cell string) bool { return missingMarks[strings.ToLower(cell)] }

// broken reports whether a text holds bytes that were not UTF-8.
func broken(s string) bool { return strings.ContainsRune(s, utf8.RuneError) }
