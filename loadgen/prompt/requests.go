package prompt

import (
	"context"
	"sync"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
)

// A RequestSpec describes a request to be made: its prompt, and how long its answer may be.
type RequestSpec struct {
	Spec
	OutputTokens int
}

// makers is how many prompts are made at a time: enough to keep a tokenizer busy,
// too few to keep a server from anything else.
const makers = 4

// Requests makes the requests of a cell, complete and in order. The first that
// cannot be made ends it. In the endpoint's Params, OutputTokens is replaced by the
// length of each answer, and so is MinTokens unless it is 0.
func (m *Maker) Requests(ctx context.Context, e Endpoint, specs []RequestSpec) ([]loadgen.Request, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	requests := make([]loadgen.Request, len(specs))
	next := make(chan int)
	var done sync.WaitGroup
	for range min(makers, len(specs)) {
		done.Go(func() {
			for i := range next {
				var err error
				if requests[i], err = m.request(ctx, e, i, specs[i]); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	for i := range specs {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	done.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return requests, nil
}

func (m *Maker) request(ctx context.Context, e Endpoint, seq int, s RequestSpec) (loadgen.Request, error) {
	p, err := m.Make(ctx, s.Spec)
	if err != nil {
		return loadgen.Request{}, err
	}
	body, err := e.body(sized(e.Params, s.OutputTokens), p.Messages)
	if err != nil {
		return loadgen.Request{}, err
	}
	return loadgen.Request{Seq: seq, Body: body, PromptTokens: p.Tokens, OutputTokens: s.OutputTokens}, nil
}

// sized returns params for an answer of a length. A MinTokens above 0 says that
// answers must have exactly their length.
func sized(p openai.Params, outputTokens int) openai.Params {
	p.OutputTokens = outputTokens
	if p.MinTokens > 0 {
		p.MinTokens = outputTokens
	}
	return p
}
