package prompt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
)

// A Turn is one question of a conversation with its answer.
type Turn struct {
	PromptTokens int // of the whole prompt: the conversation so far and the new question
	OutputTokens int // of the answer, at most
}

// A ConversationSpec describes conversations that feed the answers back. Every question
// is made when the answer before it is there, so that the prompt has its length
// whatever the model said.
type ConversationSpec struct {
	Text          string
	Seeds         []uint64 // one for each conversation
	Salt          string   // of the cell
	Turns         []Turn
	Bare          bool // questions without the task at their end
	Approximately bool // size questions by themselves: prompts are then about as long as asked
}

// Conversations are talks under way. Each is used by one goroutine at a time, and
// different ones by many.
type Conversations struct {
	maker  *Maker
	spec   ConversationSpec
	text   *Text
	params openai.Params
	ahead  [][]string         // questions that are known before the answers, by conversation and turn
	said   [][]openai.Message // by conversation
}

// Converse begins conversations: it makes their first questions. Params holds the
// rest of the requests; its OutputTokens, and MinTokens where it has any, are set
// for each turn.
func (m *Maker) Converse(ctx context.Context, s ConversationSpec, params openai.Params) (*Conversations, error) {
	if len(s.Turns) == 0 {
		return nil, errors.New("make conversations: they have no turns")
	}
	if m.Counter.Probes() && len(s.Turns) > 1 && !s.Approximately {
		return nil, errors.New("make conversations: this server does not count tokens without answering, so their length cannot be kept exact " +
			"while others are measured: use a server with /tokenize, or let lengths be approximate")
	}
	text, err := m.text(s.Text)
	if err != nil {
		return nil, fmt.Errorf("make conversations: %w", err)
	}
	c := &Conversations{maker: m, spec: s, text: text, params: params, said: make([][]openai.Message, len(s.Seeds))}
	if s.Approximately {
		c.ahead = make([][]string, len(s.Seeds))
	}
	for i, seed := range s.Seeds {
		first, err := m.Make(ctx, Spec{s.Text, seed, s.Salt, s.Turns[0].PromptTokens, s.Bare})
		if err != nil {
			return nil, fmt.Errorf("conversation %d: %w", i, err)
		}
		c.said[i] = first.Messages
		if s.Approximately {
			if c.ahead[i], err = c.questions(ctx, seed); err != nil {
				return nil, fmt.Errorf("conversation %d: %w", i, err)
			}
		}
	}
	return c, nil
}

// unsaid stands in a conversation for an answer of which nothing was visible, as
// when a model had not done reasoning at its limit: templates leave reasoning out of
// what was said before.
const unsaid = "…"

// questions makes the questions of a conversation after the first, each as long
// as its turn adds to the conversation if the answer before it has the length
// that was asked for.
func (c *Conversations) questions(ctx context.Context, seed uint64) ([]string, error) {
	questions := []string{""} // the first is said already
	for turn := 1; turn < len(c.spec.Turns); turn++ {
		before := c.spec.Turns[turn-1]
		n := c.spec.Turns[turn].PromptTokens - before.PromptTokens - before.OutputTokens
		p, err := c.maker.Make(ctx, Spec{c.spec.Text, turnSeed(seed, turn), c.spec.Salt, n, c.spec.Bare})
		if err != nil {
			return nil, fmt.Errorf("turn %d: %w", turn+1, err)
		}
		questions = append(questions, p.Messages[0].Content)
	}
	return questions, nil
}

// First returns the first turn of each conversation: what a cell sends.
func (c *Conversations) First() ([]loadgen.Request, error) {
	requests := make([]loadgen.Request, len(c.said))
	for i := range requests {
		var err error
		if requests[i], err = c.request(i, 0); err != nil {
			return nil, err
		}
	}
	return requests, nil
}

// Follow implements [loadgen.Follow].
func (c *Conversations) Follow(ctx context.Context, last loadgen.Record) (loadgen.Request, bool, error) {
	turns := len(c.spec.Turns)
	talk, turn := last.Seq/turns, last.Seq%turns+1
	if turn == turns {
		return loadgen.Request{}, false, nil
	}
	unmade := loadgen.Request{Seq: last.Seq + 1, PromptTokens: c.spec.Turns[turn].PromptTokens, OutputTokens: c.spec.Turns[turn].OutputTokens}
	if err := answered(last, turn); err != nil {
		return unmade, true, err
	}
	c.said[talk] = append(c.said[talk], openai.Message{Role: "assistant", Content: cmp.Or(last.Text, unsaid)})
	question, err := c.question(ctx, talk, turn, last)
	if err != nil {
		return unmade, true, fmt.Errorf("turn %d: %w", turn+1, err)
	}
	c.said[talk] = append(c.said[talk], openai.Message{Role: "user", Content: question})
	next, err := c.request(talk, turn)
	if err != nil {
		return unmade, true, err
	}
	return next, true, nil
}

// answered says why a turn cannot be followed up.
func answered(last loadgen.Record, turn int) error {
	switch {
	case last.Outcome == loadgen.Unsent && last.Error != "":
		return errors.New(last.Error) // the reason stays that of the turn that broke
	case last.Outcome != loadgen.OK:
		return fmt.Errorf("turn %d ended as %s", turn, last.Outcome)
	default:
		return nil
	}
}

// question makes the question of a turn.
func (c *Conversations) question(ctx context.Context, talk, turn int, last loadgen.Record) (string, error) {
	if c.ahead != nil {
		return c.ahead[talk][turn], nil
	}
	want := c.spec.Turns[turn].PromptTokens
	count := func(ctx context.Context, cut string) (int, error) {
		question := openai.Message{Role: "user", Content: c.text.message("", cut, c.spec.Bare)}
		said := c.said[talk]
		return c.maker.Counter.Chat(ctx, append(slices.Clip(said), question))
	}
	base := last.Result.PromptTokens + last.CompletionTokens
	if last.Result.PromptTokens < 0 || last.CompletionTokens < 0 {
		var err error
		if base, err = count(ctx, ""); err != nil {
			return "", err
		}
	}
	s := &search{window: c.text.window(turnSeed(c.spec.Seeds[talk], turn)), want: want, perToken: c.maker.size(c.text.Name)}
	guess := fit{cut: max(int(float64(want-base)*s.perToken), 0)}
	found, err := s.run(ctx, guess, count)
	if short, ok := errors.AsType[*tooShortError](err); ok {
		return "", fmt.Errorf("a prompt of %d tokens: the conversation has %d already: ask for longer prompts or shorter answers", want, short.least)
	}
	if err != nil {
		return "", fmt.Errorf("a prompt of %d tokens: %w", want, err)
	}
	return c.text.message("", s.window.upTo(found.cut)+found.tail, c.spec.Bare), nil
}

// request returns a turn that is ready to be sent.
func (c *Conversations) request(talk, turn int) (loadgen.Request, error) {
	t := c.spec.Turns[turn]
	body, err := sized(c.params, t.OutputTokens).Chat(c.said[talk])
	if err != nil {
		return loadgen.Request{}, err
	}
	return loadgen.Request{
		Seq:          talk*len(c.spec.Turns) + turn,
		Body:         body,
		PromptTokens: t.PromptTokens,
		OutputTokens: t.OutputTokens,
		KeepText:     turn+1 < len(c.spec.Turns),
	}, nil
}

// turnSeed returns the seed of a later question: the turns of one conversation
// draw different windows, and so do those of different ones.
func turnSeed(seed uint64, turn int) uint64 {
	return seed ^ uint64(turn)*0x9e3779b97f4a7c15
}
