package prompt

import (
	"context"
	"errors"
	"fmt"

	"example.org/arena/loadgen/arrival"
)

// A Question is a prompt from a file with the length of the answer that the file
// has for it.
type Question struct {
	Conversation int // of the file
	Prompt       *Prompt
	TextTokens   int // of the question by itself
	OutputTokens int
}

// Select returns n questions of a file as `vllm bench serve` selects them: in the
// order of a shuffle that the seed fixes, the first question and answer of each
// conversation, short ones that fit its limits. With a salt, prompts begin with
// it; that tool has none.
func (m *Maker) Select(ctx context.Context, file *ShareGPT, seed int64, n int, salt string) ([]Question, error) {
	turns := map[int]arrival.Turn{}
	chosen, err := arrival.SelectShareGPT(seed, file.Len(), n, func(i int) (arrival.Turn, error) {
		lines, err := file.Conversation(i)
		if err != nil {
			return arrival.Turn{}, err
		}
		var t arrival.Turn
		if t.Prompt, err = m.Counter.Text(ctx, lines[0].Value); err == nil {
			t.Output, err = m.Counter.Text(ctx, lines[1].Value)
		}
		turns[i] = t
		return t, err
	})
	if err != nil {
		return nil, fmt.Errorf("select questions: %w", err)
	}
	if len(chosen) == 0 && n > 0 {
		return nil, fmt.Errorf("select questions: none of %d conversations in %s fits the limits", file.Len(), file.name)
	}
	questions := make([]Question, len(chosen))
	for i, c := range chosen {
		lines, err := file.Conversation(c)
		if err != nil {
			return nil, err
		}
		p, err := m.whole(ctx, lines[0].Value, salt, uint64(i))
		if err != nil {
			return nil, fmt.Errorf("select questions: conversation %d: %w", c, err)
		}
		questions[i] = Question{c, p, turns[c].Prompt, turns[c].Output}
	}
	return questions, nil
}

// whole returns a text as a prompt.
func (m *Maker) whole(ctx context.Context, text, salt string, seed uint64) (*Prompt, error) {
	front, counted := "", ""
	if salt == "" && m.Counter.Probes() {
		return nil, errors.New("this server counts tokens only by answering, after which it knows the prompt: give a salt")
	}
	if salt != "" {
		front = saltOf(salt, seed)
		counted = front
		if m.Counter.Probes() {
			counted = saltOf(probeSalt, seed)
		}
	}
	n, err := m.Counter.Chat(ctx, single(counted+text))
	if err != nil {
		return nil, err
	}
	return &Prompt{Messages: single(front + text), Tokens: n, Exact: front == counted}, nil
}
