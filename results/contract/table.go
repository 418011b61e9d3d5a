package contract

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/BurntSushi/toml"
)

// A table reads the keys of one TOML table by name and type. What it does not
// find or cannot use becomes a fault, and reading goes on, so that all faults of
// a file appear at once.
type table struct {
	report *report
	path   string // empty for the file itself
	values map[string]any
	used   map[string]bool
}

// decodeTOML reads the syntax of a file.
func decodeTOML(name string, data []byte) (*table, error) {
	values := map[string]any{}
	if _, err := toml.Decode(string(data), &values); err != nil {
		return nil, Faults{syntaxFault(name, data, err)}
	}
	r := &report{file: name, lines: scanLines(data)}
	return newTable(r, "", values), nil
}

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

func newTable(r *report, path string, values map[string]any) *table {
	return &table{report: r, path: path, values: values, used: map[string]bool{}}
}

// fault notes a fault at a key of the table.
func (t *table) fault(key, format string, args ...any) {
	t.report.add(join(t.path, key), format, args...)
}

// need notes each key that is missing.
func (t *table) need(keys ...string) {
	for _, key := range keys {
		if _, ok := t.values[key]; !ok {
			t.fault(key, "missing key")
		}
	}
}

// has reports whether the table has the key.
func (t *table) has(key string) bool {
	_, ok := t.values[key]
	return ok
}

// done notes each key that nobody asked for.
func (t *table) done() {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if !t.used[key] {
			t.fault(key, "unknown key")
		}
	}
}

func (t *table) str(key string) string        { return one(t, key, "a string", asString) }
func (t *table) boolean(key string) bool      { return one(t, key, "true or false", asBool) }
func (t *table) integer(key string) int64     { return one(t, key, "an integer", asInt64) }
func (t *table) number(key string) float64    { return one(t, key, "a number", asFloat) }
func (t *table) strs(key string) []string     { return list(t, key, "strings", asString) }
func (t *table) integers(key string) []int    { return list(t, key, "integers", asInt) }
func (t *table) numbers(key string) []float64 { return list(t, key, "numbers", asFloat) }

// sub returns the table under a key, empty when there is none.
func (t *table) sub(key string) *table {
	return newTable(t.report, join(t.path, key), one(t, key, "a table", asTable))
}

// subs returns the tables of an array.
func (t *table) subs(key string) []*table {
	var tables []*table
	for i, values := range list(t, key, "tables", asTable) {
		tables = append(tables, newTable(t.report, element(join(t.path, key), i), values))
	}
	return tables
}

// one reads a value; what names its type in a fault.
func one[T any](t *table, key, what string, as func(any) (T, bool)) T {
	var zero T
	t.used[key] = true
	value, ok := t.values[key]
	if !ok {
		return zero
	}
	v, ok := as(value)
	if !ok {
		t.fault(key, "want %s, not %s", what, typeName(value))
	}
	return v
}

// list reads an array of values.
func list[T any](t *table, key, what string, as func(any) (T, bool)) []T {
	t.used[key] = true
	value, ok := t.values[key]
	if !ok {
		return nil
	}
	elements, ok := asList(value)
	if !ok {
		t.fault(key, "want a list of %s, not %s", what, typeName(value))
		return nil
	}
	var out []T
	for _, e := range elements {
		v, ok := as(e)
		if !ok {
			t.fault(key, "want a list of %s, not with %s in it", what, typeName(e))
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

func typeName(v any) string {
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
