package tomlfile

import "testing"

func TestKeyLines(t *testing.T) {
	t.Parallel()
	doc := "# comment = no\ntitle = \"a\"\n\n[shown]\none = \"x = y\"\nother = \"\"\"\nfake = 1\n\"\"\"\n[\"tok/s\".deep]\nname = \"\"\"z\"\"\"\n\"J/tok\" = \"u\"\na.b = \"v\"\n"
	want := map[string]int{
		"title": 2, "shown": 4, "shown.one": 5, "shown.other": 6,
		"tok/s.deep": 9, "tok/s.deep.name": 10, "tok/s.deep.J/tok": 11, "tok/s.deep.a.b": 12,
	}
	got := scanLines([]byte(doc))
	for key, line := range want {
		if got[key] != line {
			t.Errorf("%s: got line %d, want %d", key, got[key], line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
