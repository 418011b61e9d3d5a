package engine

import (
	"context"

	"example.org/arena/engine/runner"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/prompt"
)

// checkCounting finds out how prompts get their exact lengths.
func (r *Run) checkCounting(ctx context.Context) error {
	if r.options.Tools != nil {
		return nil // the tools count by themselves
	}
	counter, err := prompt.Endpoint{Client: r.client, Params: r.params()}.Counter(ctx)
	if err != nil {
		return refuse("no_counting", "use a server that has /tokenize or reports usage.prompt_tokens", "prompts cannot be given an exact length: %v", err)
	}
	r.found.Counting = "tokenize"
	if counter.Probes() {
		r.found.Counting = "usage"
	}
	r.native = &runner.Native{
		Client:   r.client,
		Maker:    &prompt.Maker{Counter: counter},
		Params:   r.params(),
		Free:     r.freeParams(),
		ShareGPT: r.options.ShareGPT,
		Seed:     r.options.Plan.Contract.Seed,
		Pacer:    r.options.Pacer,
		KeepGC:   r.options.KeepGC,
		Timeout:  r.options.Timeout,
		Drain:    r.options.Drain,
		Progress: &r.progress,
	}
	if counter.Probes() {
		r.pass("prompts are counted by sending them, since the server has no /tokenize: preparing a cell takes several times its prefill")
	} else {
		r.pass("prompts are counted by the server's own tokenizer")
	}
	return r.checkShortest(ctx)
}

// checkShortest makes the shortest prompt of the plan: chat templates can be longer
// than it.
func (r *Run) checkShortest(ctx context.Context) error {
	shortest, ok := r.options.Plan.Shortest()
	if !ok {
		return nil
	}
	shortest.Salt = "shortest/" + r.options.Plan.Salt
	if _, err := r.native.Maker.Make(ctx, shortest.Spec); err != nil {
		return refuse("prompt_too_short", "use a chat template without a long preamble, or leave the test out with --only", "%v", err)
	}
	return nil
}

// checkContext looks whether the longest request fits.
func (r *Run) checkContext(ctx context.Context) error {
	longest := r.options.Plan.Longest()
	const advice = "start the server with a longer context (vLLM: --max-model-len, llama.cpp: -c, Ollama: num_ctx), or leave tests out with --only"
	switch {
	case r.found.MaxTokens > 0 && longest > r.found.MaxTokens:
		return refuse("context_too_short", advice, "the longest request has %d tokens, prompt and answer together, and the server allows %d", longest, r.found.MaxTokens)
	case r.found.MaxTokens > 0 || r.native == nil || longest == 0:
		return nil
	}
	return r.tryLongest(ctx, advice)
}

// tryLongest sends a prompt as long as the longest of the plan.
func (r *Run) tryLongest(ctx context.Context, advice string) error {
	var longest prompt.Spec
	room := 0
	for _, c := range r.options.Plan.Cells() {
		if n := c.Longest(); n > room {
			longest, room = c.Repetitions[0].Requests[0].Spec, n
		}
	}
	longest.Salt, longest.Tokens = "longest/"+r.options.Plan.Salt, room-1
	p, err := r.native.Maker.Make(ctx, longest)
	if err != nil {
		return refuse("context_too_short", advice, "the longest prompt cannot be made: %v", err)
	}
	res, err := r.firstToken(ctx, p.Messages)
	if err != nil {
		return err
	}
	switch {
	case res.Outcome != loadgen.OK:
		return refuse("context_too_short", advice, "a prompt of %d tokens, the most that prompt and answer of any request have together, ended as %s: %s", longest.Tokens, res.Outcome, res.Error)
	case res.PromptTokens != loadgen.Unknown && res.PromptTokens < longest.Tokens:
		return refuse("context_too_short", advice, "the server read %d of a prompt's %d tokens: it cuts prompts that are too long for it", res.PromptTokens, longest.Tokens)
	}
	r.pass("a prompt of %d tokens fits", longest.Tokens)
	return nil
}
