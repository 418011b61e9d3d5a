package contract

import (
	"fmt"
	"math"

	"example.org/arena/results/numpy"
)

// A Length is that of a prompt and its answer, in tokens.
type Length struct{ Prompt, Output int }

// Lengths describes the random lengths of prompts and answers of `vllm bench
// serve --dataset-name random`: whole numbers, each as likely as the others, within
// RangeRatio around their means, both ends included.
//
// They are drawn here, below everything that measures, because two need them: the
// plan of a run, and the audit, which holds the tokens of any run, imported ones too,
// against those that the seed fixes.
type Lengths struct {
	Seed       uint64  // of numpy's default generator
	Input      int     // mean prompt length, tokens
	Output     int     // mean answer length, tokens
	RangeRatio float64 // half width of the spread over the mean, in [0,1)
	Special    int     // special tokens that the tokenizer adds to a text; they come off Input
}

// Lengths returns what the lengths of an open loop are drawn from. It means nothing
// where a file of conversations decides them.
func (a Arrivals) Lengths(seed int64) Lengths {
	return Lengths{Seed: uint64(seed), Input: a.InputTokens, Output: a.OutputTokens, RangeRatio: a.RangeRatio}
}

// Draw returns the lengths of n requests, the very numbers that the tool draws
// from the same arguments: first all prompts, then all answers. Special tokens do
// not count into the prompts.
func (l Lengths) Draw(n int) ([]Length, error) {
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
	list := make([]Length, n)
	for i := range list {
		list[i] = Length{int(prompts[i]), int(answers[i])}
	}
	return list, nil
}

// spread returns the least and the greatest length. The floating-point steps are the
// tool's own, 4000 and 0.9 give 399, not 400; the products are rounded before they
// are added to anything, as Python does.
func spread(mean int, ratio float64) (low, high int64) {
	less, more := float64(1-ratio), float64(1+ratio)
	return int64(math.Floor(float64(float64(mean) * less))), int64(math.Ceil(float64(float64(mean) * more)))
}

// draw draws n numbers from low to high. Where there is only one, numpy draws
// nothing.
func draw(g *numpy.Generator, low, high int64, n int) []int64 {
	return g.Integers(low, high+1, n)
}

// ExpectedOutputTokens returns the sum of output tokens that the seed fixes for a
// rung, counted from 0, when every request is answered in full; and whether it
// fixes one: it does for the Random dataset only.
func (c *Contract) ExpectedOutputTokens(t Test, rung int) (total int64, ok bool) {
	a, open := t.Arrivals()
	if !open || a.Dataset != Random || rung < 0 || rung >= len(a.Rungs) || c.Seed < 0 {
		return 0, false
	}
	list, err := a.Lengths(c.Seed).Draw(a.Rungs[rung].Prompts)
	for _, l := range list {
		total += int64(l.Output)
	}
	return total, err == nil
}
