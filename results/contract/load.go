package contract

import (
	"math"

	"example.org/arena/results/numpy"
)

// A RandomLoad is what the seed fixes about the requests of one rung with the
// Random dataset, in the order of the requests. Units are tokens.
type RandomLoad struct {
	Input   []int64 // prompt lengths that the tool aims at, without special tokens
	Output  []int64 // lengths of the answers, which the tool makes the server keep to
	Offsets []int64 // token id that each prompt starts from, in [0, vocabulary); nil when the vocabulary is not known
}

// A Tokenizer holds what the load depends on beside the seed.
type Tokenizer struct {
	Special    int   // special tokens that the tokenizer adds to a text
	Vocabulary int64 // size of the base vocabulary, 0 when not known
}

// RandomLoad returns the load of a rung, counted from 0, and whether the seed
// fixes one: it does for the Random dataset only.
func (c *Contract) RandomLoad(t Test, rung int, tok Tokenizer) (RandomLoad, bool) {
	l, ok := t.Arrivals()
	if !ok || l.Dataset != Random || rung < 0 || rung >= len(l.Rungs) || c.Seed < 0 {
		return RandomLoad{}, false
	}
	n := l.Rungs[rung].Prompts
	g := numpy.NewGenerator(uint64(c.Seed))
	low, high := spread(max(l.InputTokens-tok.Special, 0), l.RangeRatio, 0)
	load := RandomLoad{Input: g.Integers(low, high+1, n)}
	low, high = spread(l.OutputTokens, l.RangeRatio, 1)
	load.Output = g.Integers(low, high+1, n)
	load.Offsets = g.Integers(0, tok.Vocabulary, n)
	return load, true
}

// spread returns the shortest and longest length around a mean, both included.
// The floating-point steps are the tool's own: 4000 and 0.9 give 399, not 400.
func spread(mean int, ratio float64, least int64) (low, high int64) {
	low = int64(math.Floor(float64(mean) * (1 - ratio)))
	high = int64(math.Ceil(float64(mean) * (1 + ratio)))
	return max(low, least), max(high, least)
}

// ExpectedOutputTokens returns the sum of output tokens that the seed fixes for a
// rung, counted from 0, when every request is answered in full; and whether it
// fixes one: it does for the Random dataset only.
func (c *Contract) ExpectedOutputTokens(t Test, rung int) (int64, bool) {
	load, ok := c.RandomLoad(t, rung, Tokenizer{})
	return sum(load.Output), ok
}

// ExpectedInputTokens returns the sum of prompt tokens that the seed fixes for a
// rung, as ExpectedOutputTokens does for output. Servers count more: they add
// the tokens of the chat template, and the special tokens when the tokenizer
// adds any.
func (c *Contract) ExpectedInputTokens(t Test, rung int, tok Tokenizer) (int64, bool) {
	load, ok := c.RandomLoad(t, rung, tok)
	return sum(load.Input), ok
}

func sum(list []int64) int64 {
	var total int64
	for _, n := range list {
		total += n
	}
	return total
}
