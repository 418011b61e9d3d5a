package compat

// A BenchyChunk is a chunk of text as llama-benchy reads it.
type BenchyChunk struct {
	At   float64 // seconds
	Text string  // counts only where nothing else does
	IDs  int     // token ids that the chunk lists, -1 without a list
}

// BenchyTokenTimes returns how many tokens llama-benchy takes an answer to have,
// and when each of them came. Usage is the server's count, -1 when it gave none;
// tokenize counts the tokens of a text, nil without a tokenizer (records of ours have no
// text, and need none).
//
// Where every chunk lists its token ids, they count, and the tokens of a chunk
// spread evenly over the time since the token before. Otherwise the total, from
// the first of usage, tokenizer and one token per chunk that there is, spreads
// evenly from the first chunk to the last. Without chunks usage is the total, and
// nothing has a time.
func BenchyTokenTimes(chunks []BenchyChunk, usage int, tokenize func(text string) int) (total int, times []float64) {
	if len(chunks) == 0 {
		return max(usage, 0), nil
	}
	listed, text := true, ""
	for _, c := range chunks {
		listed = listed && c.IDs >= 0
		text += c.Text
	}
	switch {
	case listed:
		times = spreadChunks(chunks)
	case usage >= 0:
		times = spreadEvenly(chunks, usage)
	case tokenize != nil:
		times = spreadEvenly(chunks, tokenize(text))
	default:
		for _, c := range chunks {
			times = append(times, c.At)
		}
	}
	return len(times), times
}

func spreadChunks(chunks []BenchyChunk) []float64 {
	var times []float64
	for _, c := range chunks {
		before := c.At
		if len(times) > 0 {
			before = times[len(times)-1]
		}
		wait := c.At - before
		for i := range c.IDs {
			at := c.At
			if c.IDs > 1 {
				at = before + float64(wait*float64(i+1))/float64(c.IDs)
			}
			times = append(times, at)
		}
	}
	return times
}

func spreadEvenly(chunks []BenchyChunk, n int) []float64 {
	first, last := chunks[0].At, chunks[len(chunks)-1].At
	times := make([]float64, n)
	for i := range times {
		times[i] = first
		if n > 1 {
			times[i] += float64((last-first)*float64(i)) / float64(n-1)
		}
	}
	return times
}
