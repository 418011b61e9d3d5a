package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.org/arena/engine/hostinfo"
	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/results/bundle"
)

// The ways in which the length of an answer is fixed.
const (
	byIgnoreEOS = "ignore_eos"
	byMinTokens = "min_tokens"
	byNothing   = "none" // answers end when the model wants to, and at the limit
)

// params returns the fields of requests whose answers have a fixed length.
func (r *Run) params() openai.Params {
	p := r.freeParams()
	p.IgnoreEOS = r.found.Length == byIgnoreEOS
	if r.found.Length == byMinTokens {
		p.MinTokens = 1 // replaced by the length of each answer
	}
	return p
}

// freeParams returns those of requests whose answers end when the model wants to.
func (r *Run) freeParams() openai.Params {
	p := openai.Params{Model: r.found.ServedName, ContinuousUsage: r.found.Continuous}
	if r.found.NoCache {
		p.Extra = map[string]json.RawMessage{"cache_prompt": json.RawMessage("false")}
	}
	return p
}

// ask sends a question by itself.
func (r *Run) ask(ctx context.Context, p openai.Params, question string) (loadgen.Result, error) {
	body, err := p.Chat([]openai.Message{{Role: "user", Content: question}})
	if err != nil {
		return loadgen.Result{}, err
	}
	return r.client.Send(ctx, time.Now(), loadgen.Request{Body: body, OutputTokens: p.OutputTokens, KeepText: true}), nil
}

// probeTokens is how long an answer has to become against the model's will.
const probeTokens = 24

// checkAnswers finds out which fields the server knows: usage in every chunk, and
// how to fix the length of answers.
func (r *Run) checkAnswers(ctx context.Context) error {
	r.found.NoCache = r.facts.Server.Name == "llama.cpp" && r.options.Plan.Contract.ColdCache
	r.found.Length = byNothing
	const question = "Say yes, and nothing else."
	plain := r.freeParams()
	plain.OutputTokens = probeTokens
	res, err := r.ask(ctx, plain, question)
	if err != nil {
		return err
	}
	if res.Outcome != loadgen.OK {
		return refuse("no_answer", "look into the server's log: a short chat completion has to work first", "a short question ended as %s: %s", res.Outcome, res.Error)
	}
	if res.CompletionTokens == loadgen.Unknown {
		r.warn(bundle.Note{Code: NoteNoUsage}, "the server does not say how many tokens an answer has: chunks will be counted")
	}
	plain.ContinuousUsage = true
	if res, err = r.ask(ctx, plain, question); err != nil {
		return err
	}
	r.found.Continuous = res.Outcome == loadgen.OK && res.CountedBy == loadgen.ByContinuousUsage
	for _, way := range []string{byIgnoreEOS, byMinTokens} {
		r.found.Length = way
		p := r.params()
		p.OutputTokens = probeTokens
		if way == byMinTokens {
			p.MinTokens = probeTokens
		}
		if res, err = r.ask(ctx, p, question); err != nil {
			return err
		}
		if res.Outcome == loadgen.OK && (res.CompletionTokens == probeTokens || res.CompletionTokens == loadgen.Unknown && res.Finish == "length") {
			r.pass("answers get their exact length by %s", way)
			return nil
		}
	}
	r.found.Length = byNothing
	r.warn(bundle.Note{Code: NoteLengthNotFixed}, "the server fixes no lengths of answers: some will be shorter than the contract asks for")
	return nil
}

// tryLongest sends a prompt as long as the longest of the plan.
func (r *Run) tryLongest(ctx context.Context, advice string) error {
	var longest prompt.Spec
	room := 0
	for _, c := range r.options.Plan.Cells() {
		for _, rep := range c.Repetitions {
			for _, q := range rep.Requests {
				if n := c.Longest(); n > room {
					longest, room = q.Spec("longest/"+r.options.Plan.Salt), n
				}
			}
		}
	}
	longest.Tokens = room - 1
	p, err := r.native.Maker.Make(ctx, longest)
	if err != nil {
		return refuse("context_too_short", advice, "the longest prompt cannot be made: %v", err)
	}
	params := r.params()
	params.OutputTokens, params.MinTokens, params.IgnoreEOS = 1, 0, false
	body, err := params.Chat(p.Messages)
	if err != nil {
		return err
	}
	res := r.client.Send(ctx, time.Now(), loadgen.Request{Body: body, OutputTokens: 1})
	switch {
	case res.Outcome != loadgen.OK:
		return refuse("context_too_short", advice, "a prompt of %d tokens, the most that prompt and answer of any request have together, ended as %s: %s", longest.Tokens, res.Outcome, res.Error)
	case res.PromptTokens != loadgen.Unknown && res.PromptTokens < longest.Tokens:
		return refuse("context_too_short", advice, "the server read %d of a prompt's %d tokens: it cuts prompts that are too long for it", res.PromptTokens, longest.Tokens)
	}
	r.pass("a prompt of %d tokens fits", longest.Tokens)
	return nil
}

// sanityQuestion is asked before the run; any model that works knows the answer.
const (
	sanityQuestion = "What is the capital of France? Answer with the name of the city."
	sanityAnswer   = "paris"
	sanityTokens   = 1024 // a model that reasons needs some
)

// checkSense asks a simple question and looks whether the answer is nonsense, as
// a broken checkpoint or a wrong template gives it. The answer is stored.
func (r *Run) checkSense(ctx context.Context) error {
	p := r.freeParams()
	p.OutputTokens = sanityTokens
	res, err := r.ask(ctx, p, sanityQuestion)
	if err != nil {
		return err
	}
	if res.Outcome != loadgen.OK {
		return refuse("no_answer", "look into the server's log", "a simple question ended as %s: %s", res.Outcome, res.Error)
	}
	answer := strings.TrimSpace(res.Text)
	if len(answer) > 2000 {
		answer = strings.ToValidUTF8(answer[:2000], "")
	}
	r.facts.Sanity = &bundle.Sanity{Answer: answer}
	switch {
	case r.simulated():
		return nil
	case answer == "":
		r.warn(bundle.Note{Code: NoteNoAnswer, Args: []bundle.Setting{{Name: "tokens", Value: strconv.Itoa(sanityTokens)}}}, "the model gave no visible answer to a simple question within %d tokens", sanityTokens)
	case nonsense(answer):
		return refuse("nonsense", "check the checkpoint, its quantisation and the chat template: figures of a broken model mislead",
			"asked %q, the model said %q", sanityQuestion, cut(answer, 200))
	case !strings.Contains(strings.ToLower(answer), sanityAnswer):
		r.warn(bundle.Note{Code: NoteOddAnswer}, "asked %q, the model said %q", sanityQuestion, cut(answer, 200))
	default:
		r.pass("asked for the capital of France, the model said %q", cut(answer, 60))
	}
	return nil
}

// nonsense reports whether a text cannot be meant: characters that are none, or
// the same word over and over.
func nonsense(text string) bool {
	odd, letters := 0, 0
	for _, c := range text {
		switch {
		case c == unicode.ReplacementChar || unicode.IsControl(c) && !unicode.IsSpace(c):
			odd++
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			letters++
		}
	}
	if odd*20 > len([]rune(text)) || letters == 0 {
		return true
	}
	words := strings.Fields(strings.ToLower(text))
	run := 1
	for i := 1; i < len(words); i++ {
		if words[i] != words[i-1] {
			run = 1
		} else if run++; run >= 8 {
			return true
		}
	}
	return false
}

func cut(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n]) + "…"
}

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

// mergeServer adds what the container says to what the server says; the server
// knows its version best.
func mergeServer(s, found bundle.Server) bundle.Server {
	s.Name, s.Version = cmp.Or(s.Name, found.Name), cmp.Or(s.Version, found.Version)
	s.Image, s.ImageDigest = cmp.Or(found.Image, s.Image), cmp.Or(found.ImageDigest, s.ImageDigest)
	if len(found.Argv) > 0 {
		s.Argv = found.Argv
	}
	if len(found.Env) > 0 {
		s.Env = found.Env
	}
	s.Settings = hostinfo.MergeSettings(s.Settings, found.Settings)
	return s
}

// mergeHost takes what was found out over what was stated, and keeps the rest.
func mergeHost(stated, found bundle.Host) bundle.Host {
	for _, f := range []struct{ into, from *string }{
		{&stated.GPU, &found.GPU}, {&stated.Driver, &found.Driver}, {&stated.VBIOS, &found.VBIOS}, {&stated.CUDA, &found.CUDA},
		{&stated.OS, &found.OS}, {&stated.Kernel, &found.Kernel}, {&stated.Description, &found.Description},
	} {
		if *f.from != "" {
			*f.into = *f.from
		}
	}
	if found.GPUs > 0 {
		stated.GPUs = found.GPUs
	}
	if found.MemoryBytes > 0 {
		stated.MemoryBytes = found.MemoryBytes
	}
	return stated
}
