package compat

import (
	"math"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
)

// BenchyBatches returns what llama-benchy would have noted about the measured
// batches of a schedule of its shape.
//
// The tool drops chunks whose tokens have no text, and tool calls: they neither
// count nor make a first token. Here every generated token does, as the records
// hold no text. An answer that the tool cannot read, of which it skips events,
// failed here.
func BenchyBatches(s arrival.Schedule, records []loadgen.Record) [][]BenchyRequest {
	var batches [][]BenchyRequest
	for _, b := range split(s, records) {
		batch := make([]BenchyRequest, len(b))
		for i, r := range b {
			batch[i] = benchyRequest(r)
		}
		batches = append(batches, batch)
	}
	return batches
}

func benchyRequest(r loadgen.Record) BenchyRequest {
	q := BenchyRequest{Start: seconds(r.Sent), FirstResponse: math.NaN(), FirstToken: math.NaN(), Failed: !answered(r)}
	if q.Failed {
		return q
	}
	if all := choices(r); len(all) > 0 {
		q.FirstResponse = seconds(all[0])
	}
	if len(r.Arrivals) > 0 {
		q.FirstToken = seconds(r.Arrivals[0].At)
	}
	q.PromptTokens = max(r.Result.PromptTokens, 0)
	q.TotalTokens, q.Tokens = BenchyTokenTimes(benchyChunks(r), r.CompletionTokens, nil)
	return q
}

// benchyChunks returns the chunks of an answer with as many token ids as the
// server would have listed, had it been asked to: where it told the tokens of
// every chunk in another way.
func benchyChunks(r loadgen.Record) []BenchyChunk {
	counted := r.CountedBy == loadgen.ByContinuousUsage || r.CountedBy == loadgen.ByTokenIDs
	chunks := make([]BenchyChunk, len(r.Arrivals))
	for i, a := range r.Arrivals {
		chunks[i] = BenchyChunk{At: seconds(a.At), IDs: -1}
		if counted {
			chunks[i].IDs = a.Tokens
		}
	}
	return chunks
}
