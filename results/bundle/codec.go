package bundle

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"example.org/arena/results/tomlfile"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxBytes is the size of the largest bundle that Decode reads and Encode
// writes: 64 MiB. The figures of a whole run are well under one; telemetry and
// the columns of every request take the rest.
const MaxBytes = 64 << 20

// Encode returns the bytes of b: the same bundle always gives the same bytes. It
// refuses what JSON cannot hold (NaN, infinities other than a Rate's, invalid
// UTF-8) and a format that it does not know. It does not judge the content:
// Validate does.
func Encode(b *Bundle) ([]byte, error) {
	data, faults := encode(b)
	if len(faults) > 0 {
		return nil, fmt.Errorf("encode bundle: %w", faults)
	}
	return data, nil
}

// Decode reads a bundle whose bytes are exactly those that Encode writes. The
// name stands in messages only. The error is a Faults: each names file, line and
// key.
func Decode(name string, data []byte) (*Bundle, error) {
	b, faults := decode(name, data)
	if len(faults) > 0 {
		return nil, faults
	}
	return b, nil
}

// DecodeAgain reads a bundle whose bytes Decode or Check read before: it does not ask
// again whether they are those that Encode writes, which takes as long as the rest.
func DecodeAgain(name string, data []byte) (*Bundle, error) {
	b, f, ok := read1(name, data)
	if !ok {
		return nil, f
	}
	return b, nil
}

// Check decodes and validates, and reports every fault with its line. The bundle
// is nil when the bytes could not be decoded.
func Check(name string, data []byte) (*Bundle, tomlfile.Faults) {
	b, faults := decode(name, data)
	if len(faults) > 0 {
		return nil, faults
	}
	return b, Locate(name, data, validate(b))
}

// encode picks the encoder of the bundle's own format version. Every version
// that was ever published keeps its branch here and in decode.
func encode(b *Bundle) ([]byte, tomlfile.Faults) {
	switch b.Format {
	case 1:
		return encode1(b)
	default:
		return nil, tomlfile.Faults{unknownFormat(b.Format)}
	}
}

// encode1 writes format 1: the structs of this package in their own order.
func encode1(b *Bundle) ([]byte, tomlfile.Faults) {
	data, err := json.Marshal(b, jsontext.WithIndent("  "))
	if err != nil {
		f, _ := faultOf(err)
		return nil, tomlfile.Faults{f}
	}
	if len(data) >= MaxBytes {
		return nil, tomlfile.Faults{{Code: CodeTooLarge, Message: fmt.Sprintf("%d bytes, more than %d", len(data)+1, MaxBytes)}}
	}
	return append(data, '\n'), nil
}

func decode(name string, data []byte) (*Bundle, tomlfile.Faults) {
	if f, ok := unreadable(data); ok {
		f.File = name
		return nil, tomlfile.Faults{f}
	}
	version, f, ok := formatOf(name, data)
	if !ok {
		return nil, tomlfile.Faults{f}
	}
	switch version {
	case 1:
		return decode1(name, data)
	default:
		return nil, Locate(name, data, tomlfile.Faults{unknownFormat(version)})
	}
}

// unreadable finds what makes the bytes no JSON text before a parser would.
func unreadable(data []byte) (tomlfile.Fault, bool) {
	switch {
	case len(data) > MaxBytes:
		return tomlfile.Fault{Code: CodeTooLarge, Message: fmt.Sprintf("%d bytes, more than %d", len(data), MaxBytes)}, true
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return tomlfile.Fault{Line: 1, Code: CodeSyntax, Message: "starts with a byte order mark"}, true
	case len(bytes.TrimSpace(data)) == 0:
		return tomlfile.Fault{Line: 1, Code: CodeSyntax, Message: "is empty"}, true
	case !utf8.Valid(data):
		at := firstInvalid(data)
		return tomlfile.Fault{Line: lineAt(data, at), Code: CodeSyntax, Message: fmt.Sprintf("byte %#02x is not UTF-8", data[at])}, true
	}
	return tomlfile.Fault{}, false
}

// formatOf reads the version of the format, which is the first key of a bundle.
func formatOf(name string, data []byte) (version int, f tomlfile.Fault, ok bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	open, err := dec.ReadToken()
	if err != nil {
		return 0, faultIn(name, data, err), false
	}
	if open.Kind() != '{' {
		return 0, tomlfile.Fault{File: name, Line: 1, Code: CodeType, Message: "is not a JSON object"}, false
	}
	key, err := dec.ReadToken()
	if err != nil {
		return 0, faultIn(name, data, err), false
	}
	line := lineAt(data, int(dec.InputOffset()))
	if key.Kind() != '"' || key.String() != "format" {
		return 0, tomlfile.Fault{File: name, Line: line, Code: CodeFormat, Message: `the first key is not "format": this is no bundle`}, false
	}
	value, err := dec.ReadValue()
	if err != nil {
		return 0, faultIn(name, data, err), false
	}
	if err := json.Unmarshal(value, &version); err != nil {
		return 0, tomlfile.Fault{File: name, Line: line, Key: "/format", Code: CodeFormat, Message: fmt.Sprintf("the format is %s, want a whole number", value)}, false
	}
	return version, tomlfile.Fault{}, true
}

func unknownFormat(version int) tomlfile.Fault {
	return tomlfile.Fault{
		Key:     "/format",
		Code:    CodeFormat,
		Message: fmt.Sprintf("format %d is not known: this program reads 1 to %d", version, Format),
	}
}

// read1 reads format 1, whatever its spaces and the order of its keys.
func read1(name string, data []byte) (*Bundle, tomlfile.Fault, bool) {
	b := new(Bundle)
	if err := json.Unmarshal(data, b, json.RejectUnknownMembers(true)); err != nil {
		return nil, faultIn(name, data, err), false
	}
	return b, tomlfile.Fault{}, true
}

// decode1 reads format 1 as encode1 writes it.
func decode1(name string, data []byte) (*Bundle, tomlfile.Faults) {
	b, f, ok := read1(name, data)
	if !ok {
		return nil, tomlfile.Faults{f}
	}
	canonical, faults := encode1(b)
	if len(faults) > 0 {
		return nil, Locate(name, data, faults)
	}
	if f, ok := difference(data, canonical); ok {
		f.File = name
		return nil, tomlfile.Faults{f}
	}
	return b, nil
}
