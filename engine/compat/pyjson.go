package compat

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// The tools write their results with Python's json module: members in the order
// of insertion, only ASCII, floats as Python prints them.

// A member is a name with its value. Values are nil, bool, int, float64, string,
// []member and []any.
type member struct {
	name  string
	value any
}

// A pythonWriter writes a value as json.dumps does. Without an indent everything
// stands on one line.
type pythonWriter struct {
	strings.Builder
	indent string
	depth  int
}

// pythonJSON returns a value as text.
func pythonJSON(value any, indent string) ([]byte, error) {
	w := pythonWriter{indent: indent}
	if err := w.value(value); err != nil {
		return nil, err
	}
	return []byte(w.String()), nil
}

func (w *pythonWriter) value(v any) error {
	switch v := v.(type) {
	case nil:
		w.WriteString("null")
	case bool:
		w.WriteString(strconv.FormatBool(v))
	case int:
		w.WriteString(strconv.Itoa(v))
	case float64:
		w.WriteString(pythonFloat(v))
	case string:
		w.quote(v)
	case []member:
		return w.group('{', '}', len(v), func(i int) error {
			w.quote(v[i].name)
			w.WriteString(": ")
			return w.value(v[i].value)
		})
	case []any:
		return w.group('[', ']', len(v), func(i int) error { return w.value(v[i]) })
	default:
		return fmt.Errorf("write JSON: no form for %T", v)
	}
	return nil
}

// group writes n elements between brackets.
func (w *pythonWriter) group(open, end byte, n int, element func(i int) error) error {
	w.WriteByte(open)
	w.depth++
	for i := range n {
		switch {
		case w.indent == "" && i > 0:
			w.WriteString(", ")
		case w.indent != "" && i > 0:
			w.WriteByte(',')
		}
		w.newline()
		if err := element(i); err != nil {
			return err
		}
	}
	w.depth--
	if n > 0 {
		w.newline()
	}
	w.WriteByte(end)
	return nil
}

func (w *pythonWriter) newline() {
	if w.indent != "" {
		w.WriteByte('\n')
		w.WriteString(strings.Repeat(w.indent, w.depth))
	}
}

func (w *pythonWriter) quote(s string) {
	w.WriteByte('"')
	for _, r := range s {
		switch {
		case strings.ContainsRune("\"\\", r):
			w.WriteByte('\\')
			w.WriteRune(r)
		case r == '\n':
			w.WriteString(`\n`)
		case r == '\r':
			w.WriteString(`\r`)
		case r == '\t':
			w.WriteString(`\t`)
		case r == '\b':
			w.WriteString(`\b`)
		case r == '\f':
			w.WriteString(`\f`)
		case r >= ' ' && r <= '~':
			w.WriteRune(r)
		default:
			w.escape(r)
		}
	}
	w.WriteByte('"')
}

// escape writes what is not printable ASCII, in two halves where it takes two.
func (w *pythonWriter) escape(r rune) {
	if high, low := utf16.EncodeRune(r); r > 0xffff {
		fmt.Fprintf(w, `\u%04x\u%04x`, high, low)
		return
	}
	fmt.Fprintf(w, `\u%04x`, r)
}

// pythonFloat returns a float as Python's repr: the fewest digits that read back
// the same, with an exponent below 1e-4 and from 1e16 on.
func pythonFloat(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	if size := math.Abs(x); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// merge puts members into an object as Python does: one that is there already
// keeps its place and gets the new value.
func merge(members []member) []member {
	place := map[string]int{}
	var merged []member
	for _, m := range members {
		if i, ok := place[m.name]; ok {
			merged[i].value = m.value
			continue
		}
		place[m.name] = len(merged)
		merged = append(merged, m)
	}
	return merged
}

// list turns values into what pythonJSON writes.
func list[T any](values []T, form func(T) any) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = form(v)
	}
	return out
}

// plain is the form of a value that needs none.
func plain[T any](v T) any { return v }

// orNull is text, or null when there is none.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
