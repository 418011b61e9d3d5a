package arrival

import (
	"fmt"
	"math"

	"example.org/arena/results/numpy"
)

// Lengths describes the random lengths of prompts and answers of `vllm bench
// serve --dataset-name random`: whole numbers, each as likely as the others, within
// RangeRatio around their means, both ends included.
type Lengths struct {
	Seed       uint64  // of numpy's default generator
	Input      int     // mean prompt length, tokens
	Output     int     // mean answer length, tokens
	RangeRatio float64 // half width of the spread over the mean, in [0,1)
	Special    int     // special tokens that the tokenizer adds to a text; they come off Input
}

// Draw returns the lengths of n requests, the very numbers that the tool draws
// from the same arguments: first all prompts, then all answers. Special tokens do
// not count into the prompts.
func (l Lengths) Draw(n int) ([]Turn, error) {
	switch {
	case n < 0:
		return nil, fmt.Errorf("draw lengths: %d requests", n)
	case l.Input < 1 || l.Output < 1 || l.Special < 0:
		return nil, fmt.Errorf("draw lengths: means of %d and %d tokens and %d special ones, want 1, 1 and 0 or more", l.Input, l.Output, l.Special)
	case !(l.RangeRatio >= 0 && l.RangeRatio < 1):
		return nil, fmt.Errorf("draw lengths: a range ratio of %v is not in [0,1)", l.RangeRatio)
	}
	g := numpy.NewGenerator(l.Seed)
	low, high := spread(max(l.Input-l.Special, 0), l.RangeRatio)
	prompts := draw(g, low, high, n)
	low, high = spread(l.Output, l.RangeRatio)
	answers := draw(g, max(low, 1), max(high, 1), n)
	turns := make([]Turn, n)
	for i := range turns {
		turns[i] = Turn{int(prompts[i]), int(answers[i])}
	}
	return turns, nil
}

// spread returns the least and the greatest length. The products are rounded
// before they are added to anything, as Python does.
func spread(mean int, ratio float64) (low, high int64) {
	less, more := float64(1-ratio), float64(1+ratio)
	return int64(math.Floor(float64(float64(mean) * less))), int64(math.Ceil(float64(float64(mean) * more)))
}

// draw draws n numbers from low to high. Where there is only one, numpy draws
// nothing.
func draw(g *numpy.Generator, low, high int64, n int) []int64 {
	return g.Integers(low, high+1, n)
}
