package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.org/arena/results/tomlfile"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// faultOf turns an error of the JSON library into a fault, and returns the offset
// in bytes where it lies, or -1.
func faultOf(err error) (f tomlfile.Fault, offset int) {
	var syntax *jsontext.SyntacticError
	var meaning *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		f = tomlfile.Fault{Code: CodeSyntax, Key: string(syntax.JSONPointer), Message: text(syntax.Err)}
		if errors.Is(err, jsontext.ErrDuplicateName) {
			f.Code, f.Message = CodeDuplicateKey, "this key stands twice"
		}
		return f, int(syntax.ByteOffset)
	case errors.As(err, &meaning):
		f = tomlfile.Fault{Code: CodeType, Key: string(meaning.JSONPointer), Message: mismatch(meaning)}
		if errors.Is(err, json.ErrUnknownName) {
			f.Code, f.Message = CodeUnknownKey, "the format has no such key (keys are case-sensitive)"
		}
		return f, int(meaning.ByteOffset)
	}
	return tomlfile.Fault{Code: CodeSyntax, Message: text(err)}, -1
}

// text returns the words of an error of the JSON library.
func text(err error) string {
	s := err.Error()
	s = strings.TrimPrefix(s, "jsontext: ")
	return strings.TrimPrefix(s, "json: ")
}

// mismatch says which JSON value does not fit.
func mismatch(e *json.SemanticError) string {
	var b strings.Builder
	b.WriteString("does not fit")
	if len(e.JSONValue) > 0 {
		fmt.Fprintf(&b, ": %s", e.JSONValue)
	} else if e.JSONKind != 0 {
		fmt.Fprintf(&b, ": a JSON %s", e.JSONKind)
	}
	if e.GoType != nil {
		fmt.Fprintf(&b, ", want %s", e.GoType.Kind())
	}
	if e.Err != nil {
		fmt.Fprintf(&b, " (%s)", text(e.Err))
	}
	return b.String()
}

// faultIn is faultOf with the name of the file and the line.
func faultIn(name string, data []byte, err error) tomlfile.Fault {
	f, offset := faultOf(err)
	f.File = name
	if offset >= 0 {
		f.Line = lineAt(data, offset)
	}
	return f
}

// lineAt returns the line, from 1, on which the byte at offset stands.
func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n"))
}

// firstInvalid returns the offset of the first byte that is not UTF-8.
func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

// Locate gives each fault the name of the file and the line of its key in data, or
// of the nearest enclosing value when the key is missing.
func Locate(name string, data []byte, faults tomlfile.Faults) tomlfile.Faults {
	if len(faults) == 0 {
		return nil
	}
	lines := linesOf(data, faults)
	out := make(tomlfile.Faults, len(faults))
	for i, f := range faults {
		f.File = name
		for p := f.Key; ; p = p[:strings.LastIndexByte(p, '/')] {
			if n, ok := lines[p]; ok {
				f.Line = n
				break
			}
			if p == "" {
				f.Line = 1
				break
			}
		}
		out[i] = f
	}
	return out
}

// linesOf returns the lines of the values that faults point to and of those that
// enclose them. It reads the text once.
func linesOf(data []byte, faults tomlfile.Faults) map[string]int {
	wanted := map[string]bool{}
	for _, f := range faults {
		for p := f.Key; p != ""; p = p[:strings.LastIndexByte(p, '/')] {
			if p[0] != '/' {
				break
			}
			wanted[p] = true
		}
	}
	lines := map[string]int{"": 1}
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	line, counted := 1, 0
	for len(wanted) > 0 {
		if _, err := dec.ReadToken(); err != nil {
			break
		}
		at := int(dec.InputOffset())
		line += bytes.Count(data[counted:at], []byte("\n"))
		counted = at
		// A key and its value have the same pointer; the key comes first.
		if p := string(dec.StackPointer()); wanted[p] {
			lines[p] = line
			delete(wanted, p)
		}
	}
	return lines
}

// difference finds the first byte where data is not canonical.
func difference(data, canonical []byte) (tomlfile.Fault, bool) {
	at := 0
	for at < len(data) && at < len(canonical) && data[at] == canonical[at] {
		at++
	}
	if at == len(data) && at == len(canonical) {
		return tomlfile.Fault{}, false
	}
	return tomlfile.Fault{
		Line:    lineAt(data, at),
		Key:     pointerAt(data, at),
		Code:    CodeNotCanonical,
		Message: fmt.Sprintf("not the canonical bytes: found %s where %s belongs", excerpt(data, at), excerpt(canonical, at)),
	}, true
}

// pointerAt returns the JSON Pointer of the token that holds the byte at offset.
func pointerAt(data []byte, offset int) string {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := dec.ReadToken(); err != nil {
			return ""
		}
		if int(dec.InputOffset()) > offset {
			return string(dec.StackPointer())
		}
	}
}

// excerpt quotes the rest of a line for a message.
func excerpt(data []byte, at int) string {
	rest := data[at:]
	if len(rest) == 0 {
		return "the end"
	}
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i+1]
	}
	if r := []rune(string(rest)); len(r) > 24 {
		return fmt.Sprintf("%q…", string(r[:24]))
	}
	return fmt.Sprintf("%q", rest)
}
