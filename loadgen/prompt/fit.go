package prompt

import (
	"context"
	"fmt"
	"unicode/utf8"
)

// A fit is where a window is cut, and what is put behind the cut, to reach a
// number of tokens.
type fit struct {
	cut  int // bytes
	tail string
}

// tails reach a number of tokens that no cut of the text reaches, because a
// character there is several tokens. Each is few tokens for most tokenizers.
var tails = []string{" a", ".", " 1", "\n", ";", " a a", " . .", " a a a"}

// mostCounts is how often one prompt is counted before it is given up.
const mostCounts = 60

// A tooShortError says that a prompt is too long without any text.
type tooShortError struct{ least int }

func (e *tooShortError) Error() string {
	return fmt.Sprintf("it has %d tokens without any text", e.least)
}

// An inexactError says that no cut gives the number of tokens.
type inexactError struct{ below, above int }

func (e *inexactError) Error() string {
	return fmt.Sprintf("the count jumps from %d to %d", e.below, e.above)
}

// A search looks for the cut that gives want tokens. Counts grow with the cut,
// but for small dips: between a cut with too few tokens and one with too many
// there is one that is right, unless the count jumps over it.
type search struct {
	window       *window
	want         int
	perToken     float64 // bytes, about
	below, above int     // cuts with too few tokens and too many; -1 when not known
	few, many    int     // their tokens
	steps        int
	last         []fit // what is left to try when the cuts are used up
}

// run starts from a guess.
func (s *search) run(ctx context.Context, guess fit, count counting) (fit, error) {
	s.below, s.above = -1, -1
	try := guess
	for range mostCounts {
		n, err := count(ctx, s.window.upTo(try.cut)+try.tail)
		if err != nil {
			return fit{}, err
		}
		if n == s.want {
			return try, nil
		}
		if try.tail == "" {
			if try.cut == 0 && n > s.want {
				return fit{}, &tooShortError{n}
			}
			s.learn(try.cut, n)
		}
		next, more := s.next(try)
		if !more {
			break
		}
		try = next
	}
	return fit{}, &inexactError{s.few, s.many}
}

func (s *search) learn(cut, n int) {
	if n < s.want {
		s.below, s.few = cut, n
	} else {
		s.above, s.many = cut, n
	}
	if s.below >= 0 && s.above > s.below && s.many > s.few {
		s.perToken = float64(s.above-s.below) / float64(s.many-s.few)
	}
}

// next returns what to try after a try that missed.
func (s *search) next(tried fit) (fit, bool) {
	if s.last != nil {
		if len(s.last) == 0 {
			return fit{}, false
		}
		try := s.last[0]
		s.last = s.last[1:]
		return try, true
	}
	bytes := func(tokens int) int { return max(int(float64(tokens)*s.perToken), 1) }
	switch {
	case s.below < 0 && s.above < 0: // a remembered fit that does not hold any more
		return fit{cut: tried.cut}, true
	case s.above < 0:
		return fit{cut: s.rune(s.below + bytes(s.want-s.few))}, true
	case s.below < 0:
		return fit{cut: len(s.window.upTo(max(s.above-bytes(s.many-s.want), 0)))}, true
	}
	s.steps++
	cut := s.below + bytes(s.want-s.few)
	if s.steps%3 == 0 { // whatever the slope says, the interval halves
		cut = (s.below + s.above) / 2
	}
	cut = s.rune(min(max(cut, s.below+1), s.above-1))
	if cut <= s.below || cut >= s.above {
		cut = s.rune(s.below + 1)
	}
	if cut >= s.above {
		s.last = s.fallbacks()
		return s.next(tried)
	}
	return fit{cut: cut}, true
}

// rune returns the first start of a character at or after a cut.
func (s *search) rune(cut int) int {
	text := s.window.upTo(cut + utf8.UTFMax)
	for cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut++
	}
	return cut
}

// fallbacks lists tails behind the last cuts with too few tokens.
func (s *search) fallbacks() []fit {
	fits := []fit{}
	cut := s.below
	for range 4 {
		for _, tail := range tails {
			fits = append(fits, fit{cut, tail})
		}
		if cut == 0 {
			break
		}
		cut = len(s.window.upTo(cut - 1))
	}
	return fits
}
