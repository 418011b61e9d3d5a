package prompt

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
)

// An Endpoint is where prompts will be sent, and so where they are counted.
type Endpoint struct {
	Client *openai.Client
	API    openai.API    // "" is Chat; prompts of Completions are the text of their one message
	Params openai.Params // of the requests to come
}

// Counter finds out how the server's tokens can be counted: by its /tokenize, if
// what that says agrees with the usage of answers, else by the usage of answers
// alone. It sends a few short prompts.
func (e Endpoint) Counter(ctx context.Context) (Counter, error) {
	dialect, err := e.Client.DetectDialect(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		t := &tokenizer{endpoint: e, dialect: dialect}
		agrees, err := t.learn(ctx)
		if err != nil {
			return nil, fmt.Errorf("learn how the server counts: %w", err)
		}
		if agrees {
			return t, nil
		}
	}
	p := &prober{e}
	if err := p.check(ctx); err != nil {
		return nil, fmt.Errorf("learn how the server counts: %w", err)
	}
	return p, nil
}

// samples are short prompts of different lengths.
func samples() [][]openai.Message {
	short := "How many tides are there in a day?"
	long := short + " Why are they not at the same time every day, and what has the moon to do with it? Answer in a table, with 3 columns:\n\n- time\n- height\n- cause\n"
	return [][]openai.Message{
		single(short),
		single(long),
		{{Role: "user", Content: short}, {Role: "assistant", Content: "Two, on most coasts."}, {Role: "user", Content: long}},
	}
}

// learn compares /tokenize with usage. It reports whether the difference is the
// same for prompts of different lengths.
func (t *tokenizer) learn(ctx context.Context) (bool, error) {
	list := samples()
	if t.endpoint.API == openai.Completions {
		list = list[:2]
	}
	differences := make([]int, len(list))
	for i, messages := range list {
		used, err := t.endpoint.usage(ctx, messages)
		if err != nil {
			return false, err
		}
		counted, err := t.raw(ctx, messages)
		if errors.Is(err, openai.ErrNotOffered) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		differences[i] = used - counted
	}
	t.first = differences[0]
	if len(list) > 2 {
		t.pair = differences[2] - differences[0]
	}
	return differences[0] == differences[1], nil
}

// check sees whether salts cost the same, whatever they say.
func (p *prober) check(ctx context.Context) error {
	first := 0
	for seed := range uint64(3) {
		n, err := p.Chat(ctx, single(saltOf(probeSalt, seed)))
		if err != nil {
			return err
		}
		if seed == 0 {
			first = n
		}
		if n != first {
			return fmt.Errorf("numbers of %d digits are %d tokens or %d: without /tokenize prompts cannot be made exact on this server", saltDigits, first, n)
		}
	}
	return nil
}

// errNoUsage says that a server leaves out what prompts cost.
var errNoUsage = errors.New("its answers have no usage (stream_options.include_usage), by which prompts are counted, or /tokenize is checked")

// usage sends a prompt and returns what the server says that it cost.
func (e Endpoint) usage(ctx context.Context, messages []openai.Message) (int, error) {
	params := e.Params
	params.OutputTokens, params.MinTokens, params.IgnoreEOS = 1, 0, false
	body, err := e.body(params, messages)
	if err != nil {
		return 0, err
	}
	res := e.Client.Send(ctx, time.Now(), loadgen.Request{Body: body, OutputTokens: 1})
	switch {
	case res.PromptTokens != loadgen.Unknown:
		return res.PromptTokens, nil
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case res.Outcome == loadgen.OK:
		return 0, errNoUsage
	default:
		return 0, fmt.Errorf("a prompt of one answer token ended as %s: %s", res.Outcome, res.Error)
	}
}

// body returns the request for a prompt.
func (e Endpoint) body(params openai.Params, messages []openai.Message) ([]byte, error) {
	if e.API == openai.Completions {
		return params.Completion(messages[0].Content)
	}
	return params.Chat(messages)
}
