package prompt

import (
	"unicode/utf8"

	"example.org/arena/results/numpy"
)

// A window is what a seed draws from a text: its parts in a random order, and,
// when they are used up, in another one, without end.
type window struct {
	text   *Text
	random *numpy.Generator
	order  []int // parts to come
	drawn  []byte
}

func (t *Text) window(seed uint64) *window {
	return &window{text: t, random: numpy.NewGenerator(seed)}
}

// upTo returns the first n bytes, or fewer: no character is cut.
func (w *window) upTo(n int) string {
	for len(w.drawn) <= n {
		if len(w.drawn) > 0 {
			w.drawn = append(w.drawn, w.text.joint...)
		}
		w.drawn = append(w.drawn, w.text.parts[w.next()]...)
	}
	for n > 0 && !utf8.RuneStart(w.drawn[n]) {
		n--
	}
	return string(w.drawn[:n])
}

// next draws a part.
func (w *window) next() int {
	if len(w.order) == 0 {
		w.order = make([]int, len(w.text.parts))
		for i := range w.order {
			w.order[i] = i
		}
		for i := len(w.order) - 1; i > 0; i-- {
			j := w.random.Integers(0, int64(i)+1, 1)[0]
			w.order[i], w.order[j] = w.order[j], w.order[i]
		}
	}
	part := w.order[len(w.order)-1]
	w.order = w.order[:len(w.order)-1]
	return part
}
