package scan

import (
	"bytes"
	"errors"
	"io"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ValueSize returns the length of the JSON value with which text begins, or 0.
func ValueSize(text string) int {
	dec := jsontext.NewDecoder(strings.NewReader(text))
	if _, err := dec.ReadValue(); err != nil {
		return 0
	}
	return int(dec.InputOffset())
}

// MembersOf returns the members of a value that is an object, with lines counted
// from the file's first.
func MembersOf(m Member, f *Faults) []Member {
	if m.Value.Kind() != '{' {
		f.Add(m.Line, m.Key, "", "want an object, found %s", KindName(m.Value.Kind()))
		return nil
	}
	var inner Faults
	objects := Objects(m.Value, &inner)
	if len(objects) != 1 {
		f.Add(m.Line, m.Key, "", "want an object")
		return nil
	}
	members := objects[0].Members
	for i := range members {
		members[i].Line += m.Line - 1
	}
	return members
}

// A Member is one key of a JSON object, with its value as written.
type Member struct {
	Key   string
	Value jsontext.Value
	Line  int
}

// A Object is a JSON object whose members know their lines.
type Object struct {
	Line    int
	Members []Member
}

// Find returns the value of a key, or nil.
func (o Object) Find(key string) jsontext.Value {
	for _, m := range o.Members {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// Objects reads every JSON object of a file, top level or in one array.
func Objects(data []byte, f *Faults) []Object {
	text, ok := Decode(data, f)
	if !ok {
		return nil
	}
	data = QuoteBareNumbers([]byte(text))
	lines := LineIndex(data)
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true))
	var out []Object
	inArray := false
	for {
		kind := dec.PeekKind()
		line := lines.at(afterSpace(data, dec.InputOffset()))
		switch {
		case kind == '{':
			o, err := ReadObject(dec, data, lines)
			if err != nil {
				f.Add(lineOfError(err, lines), "", "", "%s", Message(err))
				return out
			}
			out = append(out, o)
			continue
		case kind == '[' && !inArray:
			inArray = true
		case kind == ']' && inArray:
			inArray = false
		default:
			if _, err := dec.ReadToken(); err != nil {
				if !errors.Is(err, io.EOF) || inArray {
					f.Add(lineOfError(err, lines), "", "", "%s", Message(err))
				}
				return out
			}
			f.Add(line, "", "", "want a JSON object, found %s", KindName(kind))
			return out
		}
		if _, err := dec.ReadToken(); err != nil {
			f.Add(lineOfError(err, lines), "", "", "%s", Message(err))
			return out
		}
	}
}

// ReadObject reads one object; the decoder stands before its brace.
func ReadObject(dec *jsontext.Decoder, data []byte, lines lineOffsets) (Object, error) {
	o := Object{Line: lines.at(afterSpace(data, dec.InputOffset()))}
	if _, err := dec.ReadToken(); err != nil {
		return o, err
	}
	for dec.PeekKind() == '"' {
		line := lines.at(afterSpace(data, dec.InputOffset()))
		name, err := dec.ReadToken()
		if err != nil {
			return o, err
		}
		key := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return o, err
		}
		o.Members = append(o.Members, Member{Key: key, Value: value.Clone(), Line: line})
	}
	_, err := dec.ReadToken() // the closing brace, or what stands in its place
	return o, err
}

// QuoteBareNumbers puts NaN, Infinity and -Infinity between quotes: Python
// writes them bare, and bare they are no JSON. Lines keep their numbers.
func QuoteBareNumbers(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	inString := false
	for i := 0; i < len(data); {
		c := data[i]
		if inString {
			out = append(out, c)
			i++
			if c == '\\' && i < len(data) {
				out = append(out, data[i])
				i++
			}
			inString = c != '"'
			continue
		}
		if word := bareNumber(data[i:]); word != "" {
			out = append(append(append(out, '"'), word...), '"')
			i += len(word)
			continue
		}
		inString = c == '"'
		out = append(out, c)
		i++
	}
	return out
}

// bareNumber returns the word with which data begins, if it is one of Python's
// numbers that are not finite.
func bareNumber(data []byte) string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(data, []byte(word)) {
			return word
		}
	}
	return ""
}

// Elements returns the elements of a JSON array, or nil when it is none.
func Elements(value jsontext.Value) []jsontext.Value {
	if value.Kind() != '[' {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	var out []jsontext.Value
	for dec.PeekKind() != ']' {
		v, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		out = append(out, v.Clone())
	}
	return out
}

// Unquote returns the text of a JSON string.
func Unquote(value jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil && !utf8Only(err) {
		return ""
	}
	return string(text)
}

// utf8Only reports whether the only fault of a string is its encoding.
func utf8Only(err error) bool {
	return strings.Contains(err.Error(), "UTF-8") || strings.Contains(err.Error(), "surrogate")
}

// Shown returns a JSON value for a message, cut to a readable length.
func Shown(value jsontext.Value) string {
	text := string(value)
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}

// KindName names a kind of JSON value.
func KindName(kind jsontext.Kind) string {
	switch kind {
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	case '[', ']':
		return "a list"
	default:
	}
	return "something else"
}

// lineOffsets are the offsets at which lines begin.
type lineOffsets []int64

// LineIndex finds where the lines of a text begin.
func LineIndex(data []byte) lineOffsets {
	at := lineOffsets{0}
	for i, c := range data {
		if c == '\n' {
			at = append(at, int64(i)+1)
		}
	}
	return at
}

// at returns the line of an offset, from 1.
func (l lineOffsets) at(offset int64) int {
	return sort.Search(len(l), func(i int) bool { return l[i] > offset })
}

// afterSpace moves an offset over white space and separators to the token that
// follows.
func afterSpace(data []byte, offset int64) int64 {
	for offset < int64(len(data)) && strings.IndexByte(" \t\r\n,:", data[offset]) >= 0 {
		offset++
	}
	return offset
}

// lineOfError returns the line at which the JSON decoder stopped.
func lineOfError(err error, lines lineOffsets) int {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return lines.at(syntax.ByteOffset)
	}
	return len(lines)
}

// Message words an error of the JSON decoder.
func Message(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the JSON ends in the middle: the file is cut off"
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok && syntax.Err != nil {
		where := ""
		if p := string(syntax.JSONPointer); p != "" {
			where = " at " + p
		}
		return "is no valid JSON: " + syntax.Err.Error() + where
	}
	return "is no valid JSON: " + err.Error()
}
