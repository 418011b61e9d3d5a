package tomlfile_test

import (
	"errors"
	"strings"
	"testing"

	"example.org/arena/results/tomlfile"
)

// TestTable reads a file with a mistake of every kind: each is reported with its
// line, in the order of the file, and reading goes on after each.
func TestTable(t *testing.T) {
	t.Parallel()
	top, err := tomlfile.Decode("a.toml", []byte(`# a comment
name = 3
count = "many"
ratio = 1
flags = [true, 1]

[[test]]
slug = "a"

[[test]]
slug = "b"
extra = 1
`))
	if err != nil {
		t.Fatal(err)
	}
	top.Need("name", "seed")
	top.Str("name")
	top.Integer("count")
	if got := top.Number("ratio"); got != 1 {
		t.Errorf("got ratio %v, want 1", got)
	}
	top.Strs("flags")
	for i, test := range top.Subs("test") {
		if got, want := test.Str("slug"), string(rune('a'+i)); got != want {
			t.Errorf("got slug %q, want %q", got, want)
		}
		if got, want := test.Line("slug"), 8+3*i; got != want {
			t.Errorf("slug of test %d: got line %d, want %d", i, got, want)
		}
		test.Done()
	}
	if top.Sound("name") || !top.Sound("ratio") || top.Sound("seed") {
		t.Error("a key is sound when it is there and has no fault")
	}
	top.Done()
	want := []string{
		"a.toml:1: seed: missing key",
		"a.toml:2: name: want a string, not an integer",
		"a.toml:3: count: want an integer, not a string",
		"a.toml:5: flags: want a list of strings, not with a boolean in it",
		"a.toml:12: test[1].extra: unknown key",
	}
	if err := top.Err(); err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got\n%v\nwant\n%s", err, strings.Join(want, "\n"))
	}
}

func TestSyntax(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		"a = 1\nb = \"x\nc = 2\n":       "a.toml:2: b: strings cannot contain newlines",
		"a = 1\r\nb = \"x\r\nc = 2\r\n": "a.toml:2: b: strings cannot contain newlines",
		"[a\n[b]\n":                     "a.toml:1: expected '.' or ']' to end table name, but got '\\n' instead",
	} {
		_, err := tomlfile.Decode("a.toml", []byte(doc))
		var faults tomlfile.Faults
		if !errors.As(err, &faults) || err.Error() != want {
			t.Errorf("%q: got %v, want %s", doc, err, want)
		}
	}
}

// TestAny reads a table whose keys nobody knows beforehand.
func TestAny(t *testing.T) {
	t.Parallel()
	top, err := tomlfile.Decode("a.toml", []byte("b = 1\na = \"x\"\n[c]\nd = 2.5\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(top.Keys(), " "); got != "a b c" {
		t.Errorf("got keys %q, want a b c", got)
	}
	for key, want := range map[string]string{"a": "a string", "b": "an integer", "c": "a table"} {
		if got := tomlfile.TypeName(top.Any(key)); got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
	if got := top.Sub("c").Any("d"); got != 2.5 {
		t.Errorf("got %v, want 2.5", got)
	}
	top.Done()
	if err := top.Err(); err != nil {
		t.Errorf("got %v, want no fault", err)
	}
}

// TestFault leaves out what is not known.
func TestFault(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]tomlfile.Fault{
		"a.toml:3: k: wrong": {File: "a.toml", Line: 3, Key: "k", Message: "wrong"},
		"a.toml: wrong":      {File: "a.toml", Message: "wrong"},
		"k: wrong":           {Line: 3, Key: "k", Message: "wrong"},
		"wrong":              {Message: "wrong"},
	} {
		if got := f.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if err := (tomlfile.Faults{}).Err(); err != nil {
		t.Errorf("no faults: got %v, want nil", err)
	}
	fault := tomlfile.Fault{Key: "k"}
	if err := (tomlfile.Faults{{Key: "a"}, fault}).Err(); !errors.Is(err, fault) {
		t.Errorf("got %v, want its faults to be found in it", err)
	}
}
