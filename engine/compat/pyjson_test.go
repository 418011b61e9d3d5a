package compat

import (
	"math"
	"testing"
)

func TestPythonFloat(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2.5: "-2.5", 0.1: "0.1", 1e15: "1000000000000000.0", 1e16: "1e+16", 123456789012345680: "1.2345678901234568e+17",
		1e-4: "0.0001", 1e-5: "1e-05", 1.5e-7: "1.5e-07", 1e100: "1e+100", 5e-324: "5e-324", 666.6666666666667: "666.6666666666667",
		math.Inf(1): "Infinity", math.Inf(-1): "-Infinity",
	} {
		if got := pythonFloat(x); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := pythonFloat(math.NaN()); got != "NaN" {
		t.Errorf("got %s, want NaN", got)
	}
	if got := pythonFloat(math.Copysign(0, -1)); got != "-0.0" {
		t.Errorf("got %s, want -0.0", got)
	}
}

func TestPythonJSON(t *testing.T) {
	t.Parallel()
	value := []member{
		{"a", nil},
		{"b", true},
		{"c", []any{1, 2.0, "x"}},
		{"d", []any{}},
		{"e", []member{}},
		{"f", "\"\\\n\r\t\b\f\x00\x7f/é€😀"},
	}
	for indent, want := range map[string]string{
		"":   `{"a": null, "b": true, "c": [1, 2.0, "x"], "d": [], "e": {}, "f": "\"\\\n\r\t\b\f\u0000\u007f/\u00e9\u20ac\ud83d\ude00"}`,
		"  ": "{\n  \"a\": null,\n  \"b\": true,\n  \"c\": [\n    1,\n    2.0,\n    \"x\"\n  ],\n  \"d\": [],\n  \"e\": {},\n  \"f\": \"\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u007f/\\u00e9\\u20ac\\ud83d\\ude00\"\n}",
	} {
		got, err := pythonJSON(value, indent)
		if err != nil || string(got) != want {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
	if _, err := pythonJSON([]any{struct{}{}}, ""); err == nil {
		t.Error("a struct has a form")
	}
}
