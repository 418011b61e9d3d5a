package simserver

import (
	"bytes"
	"testing"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		want int
	}{
		{"", 0},
		{"a", 1},
		{" the", 1},
		{" then", 2},    // " the" and "n"
		{"hello", 2},    // "hell" and "o"
		{"  two", 2},    // a blank, then " two"
		{"A1b", 3},      // capitals and digits are alone
		{"été", 5},      // bytes
		{"x, y\n", 4},   // "x", ",", " y", line feed
		{"\xff\x00", 2}, // any bytes
	}
	for _, c := range cases {
		if got := len(appendTokens(nil, c.text)); got != c.want {
			t.Errorf("%q has %d tokens, want %d", c.text, got, c.want)
		}
	}
	for _, w := range wordsASCII {
		if len(appendTokens(nil, w)) != 1 {
			t.Errorf("the word %q is not one token", w)
		}
	}
	for _, id := range []int32{-1, vocabulary, firstWord + 28, firstWord + 31<<15} {
		if text, err := textOf([]int32{id}); err == nil {
			t.Errorf("token %d is %q", id, text)
		}
	}
	for id := int32(firstSpecial); id < vocabulary; id++ {
		if text, err := textOf([]int32{id}); err != nil || len(text) < 5 {
			t.Errorf("token %d is %q, %v", id, text, err)
		}
	}
}

// FuzzTokens: tokens give their text back, and there are at most as many as bytes.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "hello there", " été\n\n\tif x == 1 { return }", "\xff\xfe", wordsUTF8[7]} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ids := appendTokens(nil, s)
		text, err := textOf(ids)
		if err != nil || !bytes.Equal(text, []byte(s)) || len(ids) > len(s) {
			t.Errorf("%q became %v and %q, %v", s, ids, text, err)
		}
	})
}
