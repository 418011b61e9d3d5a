package prompt

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// Tokenizers of different habits.
var habits = map[string]func(s string) int{
	"bytes": func(s string) int { return len(s) },
	"runes": utf8.RuneCountInString,
	"words of four": func(s string) int { // as many tokenizers: pieces of words
		n, run := 0, 0
		for _, r := range s {
			if r == ' ' || r == '\n' || run == 4 {
				run = 0
			}
			if run == 0 {
				n++
			}
			run++
		}
		return n
	},
	"whole words": func(s string) int { return len(strings.Fields(s)) },
	"words merge": func(s string) int { // a word that is complete is one token, one that is not is many
		n := 0
		for _, w := range strings.SplitAfter(s, " ") {
			if strings.HasSuffix(w, " ") {
				n++
			} else {
				n += (len(w) + 2) / 3
			}
		}
		return n
	},
	"bytes of rare letters": func(s string) int {
		n := 0
		for _, r := range s {
			if r > 127 {
				n += 3
			} else if r == ' ' || r == '\n' {
				n++
			}
		}
		return n + len(s)/7
	},
}

// Every length is reached exactly, for any tokenizer, in few counts.
func TestFit(t *testing.T) {
	t.Parallel()
	const overhead = 9
	for name, tokens := range habits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, source := range Names() {
				text := mustText(t, source)
				counts, fits := 0, 0
				for seed := range uint64(2) {
					for _, want := range []int{overhead, overhead + 1, 17, 128, 1000, 1024, 4096, 8191} {
						s := &search{window: text.window(seed), want: want, perToken: tokenBytes}
						guess := fit{cut: max(int(float64(want-overhead)*s.perToken), 0)}
						count := func(_ context.Context, cut string) (int, error) { counts++; return overhead + tokens(cut), nil }
						got, err := s.run(t.Context(), guess, count)
						if err != nil {
							t.Errorf("%s, seed %d, %d tokens: %v", source, seed, want, err)
							continue
						}
						fits++
						if n := overhead + tokens(s.window.upTo(got.cut)+got.tail); n != want {
							t.Errorf("%s, seed %d: got %d tokens, want %d", source, seed, n, want)
						}
					}
				}
				if per := float64(counts) / float64(fits); per > 12 {
					t.Errorf("%s: %.1f counts a prompt", source, per)
				}
			}
		})
	}
}

// What cannot be reached is refused, with what is near.
func TestFitRefuses(t *testing.T) {
	t.Parallel()
	text := mustText(t, "prose-en")
	even := func(_ context.Context, cut string) (int, error) { return 10 + 2*len(strings.Fields(cut)), nil }
	s := &search{window: text.window(1), want: 101, perToken: tokenBytes}
	_, err := s.run(t.Context(), fit{cut: 300}, even)
	var jump *inexactError
	if !errors.As(err, &jump) || jump.below != 100 || jump.above != 102 {
		t.Errorf("got %v", err)
	}
	s = &search{window: text.window(1), want: 9, perToken: tokenBytes}
	_, err = s.run(t.Context(), fit{cut: 300}, even)
	var short *tooShortError
	if !errors.As(err, &short) || short.least != 10 {
		t.Errorf("got %v", err)
	}
	broken := errors.New("no answer")
	s = &search{window: text.window(1), want: 9, perToken: tokenBytes}
	if _, err := s.run(t.Context(), fit{}, func(context.Context, string) (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
