package prompt

import (
	"context"

	"example.org/arena/loadgen/openai"
)

// A Counter says how many tokens a server makes of a prompt. It is used by many
// goroutines at once.
type Counter interface {
	// Chat counts a conversation that asks for an answer: what the server would
	// report as usage.prompt_tokens.
	Chat(ctx context.Context, messages []openai.Message) (int, error)

	// Text counts a text by itself, with the special tokens that the tokenizer
	// adds.
	Text(ctx context.Context, text string) (int, error)

	// Probes reports whether counting a prompt means sending it, so that it stays
	// in the server's prefix cache.
	Probes() bool
}

// A tokenizer counts by the server's /tokenize. What that does not know of, such
// as a template that only the chat endpoint applies, is a correction that was
// learnt from the usage of a few short prompts.
type tokenizer struct {
	endpoint Endpoint
	dialect  openai.Dialect
	first    int // correction for a conversation of one message
	pair     int // and for every two messages more
}

// Probes implements [Counter].
func (t *tokenizer) Probes() bool { return false }

// Text implements [Counter].
func (t *tokenizer) Text(ctx context.Context, text string) (int, error) {
	tokens, err := t.endpoint.Client.Tokenize(ctx, t.dialect, text)
	return tokens.Count, err
}

// Chat implements [Counter].
func (t *tokenizer) Chat(ctx context.Context, messages []openai.Message) (int, error) {
	n, err := t.raw(ctx, messages)
	return n + t.first + t.pair*((len(messages)-1)/2), err
}

// raw counts without a correction. SGLang counts texts only.
func (t *tokenizer) raw(ctx context.Context, messages []openai.Message) (int, error) {
	if t.endpoint.API != openai.Completions && t.dialect != openai.SGLang {
		tokens, err := t.endpoint.Client.TokenizeChat(ctx, t.dialect, messages)
		return tokens.Count, err
	}
	sum := 0
	for _, m := range messages {
		n, err := t.Text(ctx, m.Content)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// A prober counts by sending prompts and asking for one token.
type prober struct{ endpoint Endpoint }

// Probes implements [Counter].
func (p *prober) Probes() bool { return true }

// Chat implements [Counter].
func (p *prober) Chat(ctx context.Context, messages []openai.Message) (int, error) {
	return p.endpoint.usage(ctx, messages)
}

// Text implements [Counter]. It is what the text adds to a prompt: special tokens
// are not counted, and the seam may cost or save one.
func (p *prober) Text(ctx context.Context, text string) (int, error) {
	salt := saltOf(probeSalt, 0)
	with, err := p.Chat(ctx, single(salt+text))
	if err != nil {
		return 0, err
	}
	without, err := p.Chat(ctx, single(salt))
	return with - without, err
}
