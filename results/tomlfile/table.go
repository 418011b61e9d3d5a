// Package tomlfile reads the TOML files that people write: strictly, and with the
// line of everything that is wrong. It also has the one type of located fault, a
// Fault, which other formats of this project use for theirs.
//
// It does not know what any file means. A table is read key by key; what is
// missing, unknown or of the wrong type becomes a fault, and reading goes on, so
// that all faults of a file appear at once.
//
// Lines count from 1. A path joins keys with dots and counts the tables of an
// array from 0: "test[2].slug".
package tomlfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/BurntSushi/toml"
)

// A Table reads the keys of one table of a file by name and type.
type Table struct {
	report *Report
	path   string // empty for the file itself
	values map[string]any
	used   map[string]bool
}

// Decode reads the syntax of a file and returns its outermost table. Name is the
// file's name for messages. The error is Faults.
func Decode(name string, data []byte) (*Table, error) {
	values := map[string]any{}
	if _, err := toml.Decode(string(data), &values); err != nil {
		return nil, Faults{syntaxFault(name, data, err)}
	}
	return newTable(NewReport(name, scanLines(data)), "", values), nil
}

// Empty returns a table without keys that belongs to no file: its faults are lost.
// It stands in for a table that is missing, which is a fault already.
func Empty() *Table { return newTable(&Report{}, "", nil) }

// syntaxFault counts lines itself: for a line that ends too early the library
// names the next one, or the last one where lines end in CR LF.
func syntaxFault(name string, data []byte, err error) Fault {
	var syntax toml.ParseError
	if !errors.As(err, &syntax) {
		return Fault{File: name, Line: 1, Message: err.Error()}
	}
	before := data[:min(max(syntax.Position.Start, 0), len(data))]
	return Fault{
		File:    name,
		Line:    1 + bytes.Count(before, []byte("\n")),
		Key:     syntax.LastKey,
		Message: cmp.Or(syntax.Message, syntax.Error()),
	}
}

func newTable(r *Report, path string, values map[string]any) *Table {
	return &Table{report: r, path: path, values: values, used: map[string]bool{}}
}

// Fault notes a fault at a key of the table, or at the table itself when key is
// empty.
func (t *Table) Fault(key, format string, args ...any) {
	path := t.path
	if key != "" {
		path = Join(path, key)
	}
	t.report.Add(path, format, args...)
}

// Err returns the faults noted so far in any table of the file, or nil.
func (t *Table) Err() error { return t.report.Err() }

// Lines tells where the keys of the whole file stand.
func (t *Table) Lines() Lines { return t.report.lines }

// Line returns the line of a key, or of the table when it has no such key.
func (t *Table) Line(key string) int { return t.report.lines.at(Join(t.path, key)) }

// Need notes each of the keys that is missing.
func (t *Table) Need(keys ...string) {
	for _, key := range keys {
		if !t.Has(key) {
			t.Fault(key, "missing key")
		}
	}
}

// Has reports whether the table has the key.
func (t *Table) Has(key string) bool {
	_, ok := t.values[key]
	return ok
}

// Keys lists the table's keys, sorted.
func (t *Table) Keys() []string { return slices.Sorted(maps.Keys(t.values)) }

// Sound reports whether the table has the key and no fault was noted at it so
// far: a check that asks first does not report one mistake twice.
func (t *Table) Sound(key string) bool {
	path := Join(t.path, key)
	return t.Has(key) && !slices.ContainsFunc(t.report.faults, func(f Fault) bool { return f.Key == path })
}

// Done notes each key that was not asked for.
func (t *Table) Done() {
	for _, key := range t.Keys() {
		if !t.used[key] {
			t.Fault(key, "unknown key")
		}
	}
}

// Str returns a string, empty when the key is missing.
func (t *Table) Str(key string) string { return one(t, key, "a string", asString) }

// Boolean returns a boolean, false when the key is missing.
func (t *Table) Boolean(key string) bool { return one(t, key, "true or false", asBool) }

// Integer returns an integer, zero when the key is missing.
func (t *Table) Integer(key string) int64 { return one(t, key, "an integer", asInt64) }

// Number returns a number, zero when the key is missing.
func (t *Table) Number(key string) float64 { return one(t, key, "a number", asFloat) }

// Strs returns a list of strings, empty when the key is missing.
func (t *Table) Strs(key string) []string { return list(t, key, "strings", asString) }

// Integers returns a list of integers, empty when the key is missing.
func (t *Table) Integers(key string) []int { return list(t, key, "integers", asInt) }

// Numbers returns a list of numbers, empty when the key is missing.
func (t *Table) Numbers(key string) []float64 { return list(t, key, "numbers", asFloat) }

// Any returns a value of any type, nil when the key is missing: for tables whose
// keys are not known beforehand.
func (t *Table) Any(key string) any {
	t.used[key] = true
	return t.values[key]
}

// Sub returns the table under a key, empty when the key is missing.
func (t *Table) Sub(key string) *Table {
	return newTable(t.report, Join(t.path, key), one(t, key, "a table", asTable))
}

// Subs returns the tables of an array, none when the key is missing.
func (t *Table) Subs(key string) []*Table {
	var tables []*Table
	for i, values := range list(t, key, "tables", asTable) {
		tables = append(tables, newTable(t.report, Element(Join(t.path, key), i), values))
	}
	return tables
}

// one reads a value; what names its type in a fault.
func one[T any](t *Table, key, what string, as func(any) (T, bool)) T {
	t.used[key] = true
	value, ok := t.values[key]
	v, fits := as(value)
	if ok && !fits {
		t.Fault(key, "want %s, not %s", what, TypeName(value))
	}
	return v
}

// list reads an array of values.
func list[T any](t *Table, key, what string, as func(any) (T, bool)) []T {
	t.used[key] = true
	value, ok := t.values[key]
	if !ok {
		return nil
	}
	elements, ok := asList(value)
	if !ok {
		t.Fault(key, "want a list of %s, not %s", what, TypeName(value))
		return nil
	}
	var out []T
	for _, e := range elements {
		v, ok := as(e)
		if !ok {
			t.Fault(key, "want a list of %s, not with %s in it", what, TypeName(e))
			return nil
		}
		out = append(out, v)
	}
	return out
}

func asString(v any) (string, bool)        { s, ok := v.(string); return s, ok }
func asBool(v any) (bool, bool)            { b, ok := v.(bool); return b, ok }
func asInt64(v any) (int64, bool)          { n, ok := v.(int64); return n, ok }
func asInt(v any) (int, bool)              { n, ok := v.(int64); return int(n), ok && int64(int(n)) == n }
func asTable(v any) (map[string]any, bool) { m, ok := v.(map[string]any); return m, ok }

func asFloat(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	}
	return 0, false
}

func asList(v any) ([]any, bool) {
	switch l := v.(type) {
	case []any:
		return l, true
	case []map[string]any:
		out := make([]any, len(l))
		for i, m := range l {
			out[i] = m
		}
		return out, true
	}
	return nil, false
}

// TypeName names the type of a value for a message: "a string".
func TypeName(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case float64:
		return "a number with decimals"
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return fmt.Sprintf("a %T", v)
}
