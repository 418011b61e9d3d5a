package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Neither a buffer nor a file is watched by a person.
func TestLookIsNotLive(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	getenv := func(string) string { return "" }
	for _, s := range []Screen{Look(&bytes.Buffer{}, getenv), Look(file, getenv)} {
		if s.Live || s.Colour || s.Columns() != 0 {
			t.Errorf("live %t, colour %t, %d columns", s.Live, s.Colour, s.Columns())
		}
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		keep []rune
		want string
	}{
		{"plain", nil, "plain"},
		{"a\tb\x1b[2J", []rune{'\t'}, "a\tb\ufffd[2J"},
		{"a\tb\u202ec\u2028", nil, "a\ufffdb\ufffdc\ufffd"},
		{"x\xffy", nil, "x\ufffdy"},
	} {
		if got := Printable(c.text, c.keep...); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
