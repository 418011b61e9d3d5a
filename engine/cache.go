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

// probeCache sends prompts twice. Where only the times tell, two of three prompts
// decide: whatever else the machine does can make one answer twice as slow.
func (r *Run) probeCache(ctx context.Context) (on bool, how string, err error) {
	before := r.metrics(ctx)
	if _, err := r.cachePrompt(ctx, 1); err != nil { // takes what is slow only the first time
		return false, "", err
	}
	votes := map[bool]int{}
	for seed := uint64(2); ; seed++ {
		first, err := r.cachePrompt(ctx, seed)
		if err != nil {
			return false, "", err
		}
		again, err := r.cachePrompt(ctx, seed)
		if err != nil {
			return false, "", err
		}
		on, how, sure := cacheVerdict(first, again, before, r.metrics(ctx))
		if votes[on]++; sure || votes[on] == 2 {
			return on, how, nil
		}
	}
}

// cachePrompt sends a prompt that the seed names.
func (r *Run) cachePrompt(ctx context.Context, seed uint64) (loadgen.Result, error) {
	tokens := cacheTokens
	if r.found.MaxTokens > 0 {
		tokens = min(tokens, r.found.MaxTokens-8)
	}
	p, err := r.native.Maker.Make(ctx, prompt.Spec{Text: "prose-en", Seed: seed, Salt: "cache/" + r.options.Plan.Salt, Tokens: tokens})
	if err != nil {
		return loadgen.Result{}, refuse("no_cache_probe", "allow a context of at least 1,024 tokens", "the prompt that looks for a prefix cache cannot be made: %v", err)
	}
	res, err := r.firstToken(ctx, p.Messages)
	if err != nil {
		return res, err
	}
	if res.Outcome != loadgen.OK {
		return res, refuse("no_answer", "look into the server's log", "a prompt of %d tokens ended as %s: %s", tokens, res.Outcome, res.Error)
	}
	return res, nil
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
// the counters before and after, say about a prefix cache. The server's own words are
// sure, times are not.
func cacheVerdict(first, again loadgen.Result, before, after hostinfo.Metrics) (on bool, how string, sure bool) {
	counters := hostinfo.Difference(before, after).Counters
	switch {
	case again.CachedTokens > 0:
		return true, fmt.Sprintf("of a repeated prompt's %d tokens the server took %d from the cache, by its usage", again.PromptTokens, again.CachedTokens), true
	case counters != nil && counters.PrefixHitTokens != nil && *counters.PrefixHitTokens > 0:
		return true, fmt.Sprintf("of a repeated prompt the server took %d tokens from the cache, by its counters", *counters.PrefixHitTokens), true
	case counters != nil && counters.PrefixHitTokens != nil:
		return false, "a repeated prompt had no hit in the server's counters", true
	case again.CachedTokens == 0:
		return false, "a repeated prompt had no cached tokens in its usage", true
	}
	a, b := first.FirstToken-first.Sent, again.FirstToken-again.Sent
	times := fmt.Sprintf("a repeated prompt took %s to its first token, and %s before", b.Round(100*time.Microsecond), a.Round(100*time.Microsecond))
	return b < a/2 && a-b > 5*time.Millisecond, times, false
}
