package scan

import (
	"testing"
)

func TestLastState(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                  "",
		"a":                 "a",
		"a\rb":              "b",
		"10%\r20%\r":        "20%",
		"bar\r       \r":    "       ",
		"bar\r\r\r":         "bar",
		"long line\rx\r\ry": "y",
	} {
		if got := lastState(in); got != want {
			t.Errorf("lastState(%q) = %q, want %q", in, got, want)
		}
	}
}
