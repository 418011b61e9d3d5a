package ingest

import (
	"bytes"
	"errors"
	"io"
	"sort"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"example.org/arena/results/bundle"
)

// utc spares importers a call for a zone that cannot be missing.
var utc = time.UTC

// failedAttempt reads a document that holds no result but says why: an attempt
// that is worth recording, without figures.
func failedAttempt(o jsonObject) (bundle.Cell, bool) {
	if v := o.find("error"); v != nil && v.Kind() == '"' && unquote(v) != "" {
		return bundle.Cell{Error: withoutPrivate(unquote(v))}, true
	}
	status, reason := o.find("status"), o.find("reason")
	if status == nil || status.Kind() != '"' || reason == nil || reason.Kind() != '"' {
		return bundle.Cell{}, false
	}
	switch word := unquote(status); word {
	case "not_runnable", "failed", "error", "blocked", "skipped":
		return bundle.Cell{Error: withoutPrivate(unquote(reason)), Notes: []bundle.Note{note(bundle.NoteAttempt, "status", word)}}, true
	}
	return bundle.Cell{}, false
}

// refuseShape says what a document is instead, as far as that can be told, and
// what to do with it.
func refuseShape(o jsonObject, f *faultList) {
	const csv = `copy its measured figures into a CSV with a column "concurrency" and one column per figure, and import that: arena import concurrency-csv`
	has := func(key string) bool { return o.find(key) != nil }
	switch {
	case has("benchmarks") || has("latency_mode"):
		f.add(o.line, "", "arena import llama-benchy reads it", "is a report of llama-benchy, not a result of vllm bench serve")
	case has("series"):
		f.add(o.line, "series", csv+"; leave out points whose status is not \"measured\"", "is a list of series, not a result of vllm bench serve")
	case has("sweep"):
		f.add(o.line, "sweep", csv+"; leave out levels whose requests failed", "is a sweep of another tool, not a result of vllm bench serve")
	default:
		f.add(o.line, "", csv, "is no result of vllm bench serve or SGLang bench_serving: it has none of their figures (keys: %s)", keyList(o))
	}
}

// keyList names the first keys of an object.
func keyList(o jsonObject) string {
	var names []string
	for i, m := range o.members {
		if i == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, printable(m.key))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// elements returns the elements of a JSON array, or nil when it is none.
func elements(value jsontext.Value) []jsontext.Value {
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

// unquote returns the text of a JSON string.
func unquote(value jsontext.Value) string {
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

// shown returns a JSON value for a message, cut to a readable length.
func shown(value jsontext.Value) string {
	text := string(value)
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}

// kindName names a kind of JSON value.
func kindName(kind jsontext.Kind) string {
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
	}
	return "something else"
}

// lineOffsets are the offsets at which lines begin.
type lineOffsets []int64

func lineIndex(data []byte) lineOffsets {
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
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return lines.at(syntax.ByteOffset)
	}
	return len(lines)
}

// jsonMessage words an error of the JSON decoder.
func jsonMessage(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the JSON ends in the middle: the file is cut off"
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && syntax.Err != nil {
		where := ""
		if p := string(syntax.JSONPointer); p != "" {
			where = " at " + p
		}
		return "is no valid JSON: " + syntax.Err.Error() + where
	}
	return "is no valid JSON: " + err.Error()
}
