package engine

import (
	"context"
	"fmt"
	"time"

	"example.org/arena/engine/hostinfo"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/prompt"
)

// cacheTokens is the length of the prompt that is sent again to see whether a cache
// answers it: many blocks of any cache.
const cacheTokens = 1024

// checkCache finds out whether the server answers repeated prompts from a cache: by
// what it says of itself, by its counters, by the usage of a repeated prompt, and,
// where it says nothing, by the time that the repetition takes.
func (r *Run) checkCache(ctx context.Context) error {
	if r.native == nil {
		return nil
	}
	on, how, err := r.probeCache(ctx)
	if err != nil {
		return err
	}
	r.facts.Server.PrefixCaching, r.facts.Server.PrefixCachingVerified = &on, how
	if !on {
		r.pass("prefix caching is off: %s", how)
		return nil
	}
	if r.options.Plan.Contract.ColdCache {
		return refuse("prefix_caching", "start the server without it (vLLM: --no-enable-prefix-caching, SGLang: --disable-radix-cache, llama.cpp: send cache_prompt false)",
			"contract %s measures cold prompts, and the server answers repeated ones from its prefix cache: %s", r.options.Plan.Contract.Version, how)
	}
	r.pass("prefix caching is on: %s", how)
	return nil
}

func (r *Run) probeCache(ctx context.Context) (on bool, how string, err error) {
	tokens := cacheTokens
	if r.found.MaxTokens > 0 {
		tokens = min(tokens, r.found.MaxTokens-8)
	}
	before := r.metrics(ctx)
	var first, again loadgen.Result
	for i, seed := range []uint64{1, 2, 2} { // an unrelated prompt first: whatever is slow the first time is slow then
		p, err := r.native.Maker.Make(ctx, prompt.Spec{Text: "prose-en", Seed: seed, Salt: "cache/" + r.options.Plan.Salt, Tokens: tokens})
		if err != nil {
			return false, "", refuse("no_cache_probe", "allow a context of at least 1,024 tokens", "the prompt that looks for a prefix cache cannot be made: %v", err)
		}
		params := r.params()
		params.OutputTokens, params.MinTokens, params.IgnoreEOS = 1, 0, false
		body, err := params.Chat(p.Messages)
		if err != nil {
			return false, "", err
		}
		res := r.client.Send(ctx, time.Now(), loadgen.Request{Body: body, OutputTokens: 1})
		if res.Outcome != loadgen.OK {
			return false, "", refuse("no_answer", "look into the server's log", "a prompt of %d tokens ended as %s: %s", tokens, res.Outcome, res.Error)
		}
		if i > 0 {
			first, again = again, res
		}
	}
	on, how = cacheVerdict(first, again, before, r.metrics(ctx))
	return on, how, nil
}

// metrics reads the server's metrics; they are empty when it has none.
func (r *Run) metrics(ctx context.Context) hostinfo.Metrics {
	data, err := r.client.Metrics(ctx)
	if err != nil {
		return hostinfo.Metrics{}
	}
	m, _ := hostinfo.ParseMetrics(data) // what is wrong with a line takes nothing from the others
	return m
}

// cacheVerdict tells what the first and the second answer to the same prompt, and
// the counters before and after, say about a prefix cache.
func cacheVerdict(first, again loadgen.Result, before, after hostinfo.Metrics) (on bool, how string) {
	counters := hostinfo.Difference(before, after).Counters
	switch {
	case again.CachedTokens > 0:
		return true, fmt.Sprintf("of a repeated prompt's %d tokens the server took %d from the cache, by its usage", again.PromptTokens, again.CachedTokens)
	case counters != nil && counters.PrefixHitTokens != nil && *counters.PrefixHitTokens > 0:
		return true, fmt.Sprintf("of a repeated prompt the server took %d tokens from the cache, by its counters", *counters.PrefixHitTokens)
	case counters != nil && counters.PrefixHitTokens != nil:
		return false, "a repeated prompt had no hit in the server's counters"
	case again.CachedTokens == 0:
		return false, "a repeated prompt had no cached tokens in its usage"
	}
	a, b := first.FirstToken-first.Sent, again.FirstToken-again.Sent
	times := fmt.Sprintf("a repeated prompt took %s to its first token, and %s before", b.Round(100*time.Microsecond), a.Round(100*time.Microsecond))
	return b < a/2 && a-b > 5*time.Millisecond, times
}
