package terminal

import (
	"testing"
	"unicode"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"plain", 10, "plain"},
		{"  two\t\nlines ", 20, "two lines"},
		{"abcdefghij", 5, "abcd…"},
		{"漢字漢字", 5, "漢字…"},
		{"a\u202eb\u200fc", 10, "abc"},
		{"x\xffy", 10, "x\ufffdy"},
		{"", 5, ""},
	} {
		if got := OneLine(c.text, c.columns); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

// No text gets a terminal to do anything, or is wider than allowed.
func FuzzOneLine(f *testing.F) {
	for _, seed := range []string{"plain", "a\x1b[2Jb", "\u202ex\u0301", "漢字\u200d👩\u200d🚀", "\xff\xfe", "\u2028\u0085\t"} {
		f.Add(seed, 5)
	}
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns = min(max(columns, 0), 500)
		got := OneLine(text, columns)
		if n := Width(got); n > max(columns, 1) {
			t.Errorf("%q in %d is %q, %d wide", text, columns, got, n)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Mn) {
				t.Errorf("%q keeps %q", text, r)
			}
		}
	})
}
