package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
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

// freeParams returns the fields of requests whose answers the model ends.
func (r *Run) freeParams() openai.Params {
	p := openai.Params{Model: r.found.ServedName, ContinuousUsage: r.found.Continuous}
	if r.found.NoCache {
		p.Extra = map[string]json.RawMessage{"cache_prompt": json.RawMessage("false")}
	}
	return p
}

// ask sends a single question.
func (r *Run) ask(ctx context.Context, p openai.Params, question string) (loadgen.Result, error) {
	body, err := p.Chat([]openai.Message{{Role: "user", Content: question}})
	if err != nil {
		return loadgen.Result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, min(shortAnswer, cmp.Or(r.options.Timeout, shortAnswer)))
	defer cancel()
	return r.client.Send(ctx, time.Now(), loadgen.Request{Body: body, OutputTokens: p.OutputTokens, KeepText: true}), nil
}

// firstToken sends a prompt and asks for a single token of an answer. It takes as long
// as the prompt does.
func (r *Run) firstToken(ctx context.Context, messages []openai.Message) (loadgen.Result, error) {
	p := r.freeParams()
	p.OutputTokens = 1
	body, err := p.Chat(messages)
	if err != nil {
		return loadgen.Result{}, err
	}
	return r.client.Send(ctx, time.Now(), loadgen.Request{Body: body, OutputTokens: 1}), nil
}

// probeTokens is the length that an answer is forced to have, although the model would
// end it after a word.
const probeTokens = 24

// probeAnswers finds out which fields the server knows: usage in every chunk, and
// how to fix the length of answers.
func (r *Run) probeAnswers(ctx context.Context) error {
	r.found.NoCache = r.facts.Server.Name == "llama.cpp" && r.options.Plan.Contract.ColdCache
	r.found.Length = byNothing
	r.pass("asking short questions")
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
	switch {
	case res.Chunks == 0:
		return refuse("no_tokens", "look into the server's log, and ask it a question by hand", "a short question was answered without a single token")
	case res.CompletionTokens > 2*probeTokens:
		return refuse("wrong_usage", "look for a proxy or a wrapper that changes usage: token counts come from the server",
			"the server was asked for at most %d tokens and says that it made %d", probeTokens, res.CompletionTokens)
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
	r.warn(bundle.Note{Code: NoteLengthNotFixed}, "the server fixes no lengths of answers: some will not have the length that the contract asks for")
	return nil
}

// sanityQuestion is asked before the run; any model that works knows the answer.
const (
	sanityQuestion = "What is the capital of France? Answer with the name of the city."
	sanityAnswer   = "paris"
	sanityTokens   = 1024 // a model that reasons needs some
)

// probeSense asks a simple question and looks whether the answer is nonsense, as
// a broken checkpoint or a wrong template gives it. The answer is stored.
func (r *Run) probeSense(ctx context.Context) error {
	p := r.freeParams()
	p.OutputTokens = sanityTokens
	res, err := r.ask(ctx, p, sanityQuestion)
	if err != nil {
		return err
	}
	if res.Outcome != loadgen.OK {
		return refuse("no_answer", "look into the server's log", "a simple question ended as %s: %s", res.Outcome, res.Error)
	}
	answer := strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return unicode.ReplacementChar // which counts as nonsense, as the character itself would
		}
		return c
	}, res.Text))
	if len(answer) > 2000 {
		answer = strings.ToValidUTF8(answer[:2000], "")
	}
	r.facts.Sanity = &bundle.Sanity{Answer: answer}
	switch {
	case r.simulated():
		return nil
	case answer == "":
		r.warn(bundle.NewNote(NoteNoAnswer, "tokens", strconv.Itoa(sanityTokens)), "the model gave no visible answer to a simple question within %d tokens", sanityTokens)
	case nonsense(answer):
		return refuse("nonsense", "check the checkpoint, its quantisation and the chat template: figures of a broken model mislead",
			"asked %q, the model said %q", sanityQuestion, truncate(answer, 200))
	case !strings.Contains(strings.ToLower(answer), sanityAnswer):
		r.warn(bundle.Note{Code: NoteOddAnswer}, "asked %q, the model said %q", sanityQuestion, truncate(answer, 200))
	default:
		r.pass("asked for the capital of France, the model said %q", truncate(answer, 60))
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

// truncate shortens a text to n characters.
func truncate(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n]) + "…"
}
