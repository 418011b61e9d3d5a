package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The texts are large, clean and never change: prompts are named by them.
func TestTexts(t *testing.T) {
	t.Parallel()
	sums := map[string]string{}
	for _, name := range Names() {
		content, err := texts.ReadFile("texts/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		sums[name] = hex.EncodeToString(sum[:4])
		if len(content) < 20_000 || !utf8.Valid(content) {
			t.Errorf("%s: %d bytes, valid %t", name, len(content), utf8.Valid(content))
		}
		if i := strings.IndexFunc(string(content), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Errorf("%s: a control character at byte %d", name, i)
		}
		text, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(text.parts) < 11 || text.Task == "" {
			t.Errorf("%s: %d parts, task %q", name, len(text.parts), text.Task)
		}
		sorted := slices.Sorted(slices.Values(text.parts))
		if len(slices.Compact(sorted)) != len(text.parts) {
			t.Errorf("%s: a part stands twice", name)
		}
		for i, part := range text.parts {
			if len(part) < 200 || strings.TrimSpace(part) != strings.Trim(part, "\n") || strings.Contains(part, "%%\n") {
				t.Errorf("%s: part %d is short or has loose ends: %q", name, i, part[:min(len(part), 60)])
			}
		}
	}
	if all := sums["code"] + sums["data"] + sums["prose-en"] + sums["prose-fr"] + sums["prose-nl"]; all != wantSums {
		t.Errorf("a text was changed: sums are %s, want %s", all, wantSums)
	}
	if _, err := Named("prose-de"); err == nil || err.Error() != `no text "prose-de": there are code, data, prose-en, prose-fr, prose-nl` {
		t.Errorf("got %v", err)
	}
}

const wantSums = "5471c26b3a19cf0e9e136edf523f2045a536114e"

// A window uses every part before it uses one again, and is the same for a seed.
func TestWindow(t *testing.T) {
	t.Parallel()
	text := mustText(t, "prose-fr")
	total := 0
	for _, p := range text.parts {
		total += len(p) + len(text.joint)
	}
	long := text.window(7).upTo(2*total + 100)
	for i, p := range text.parts {
		if n := strings.Count(long[:total], p); n != 1 {
			t.Errorf("part %d stands %d times in the first round", i, n)
		}
		if n := strings.Count(long[:2*total], p); n != 2 {
			t.Errorf("part %d stands %d times in two rounds", i, n)
		}
	}
	if again := text.window(7).upTo(2*total + 100); again != long {
		t.Error("the same seed draws another window")
	}
	if other := text.window(8).upTo(2*total + 100); other[:200] == long[:200] {
		t.Error("another seed begins alike")
	}
	sum := sha256.Sum256([]byte(text.window(42).upTo(50_000)))
	if got := hex.EncodeToString(sum[:4]); got != "71916e41" {
		t.Errorf("window 42 has changed: %s", got)
	}
	w := text.window(3)
	for n := range 3000 {
		if s := w.upTo(n); !utf8.ValidString(s) || len(s) > n || len(s) < n-3 {
			t.Fatalf("upTo(%d) gives %d bytes, valid %t", n, len(s), utf8.ValidString(s))
		}
	}
}

// Salts are digits, as many for each, and differ by cell and seed.
func TestSalt(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for seed := range uint64(200) {
		for _, cell := range []string{"", "a", "b"} {
			s := saltOf(cell, seed)
			if len(s) != saltDigits+2 || strings.Trim(s, "0123456789") != "\n\n" {
				t.Fatalf("salt %q", s)
			}
			seen[s] = true
		}
	}
	if len(seen) != 600 {
		t.Errorf("%d different salts of 600", len(seen))
	}
}

func mustText(t *testing.T, name string) *Text {
	t.Helper()
	text, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
