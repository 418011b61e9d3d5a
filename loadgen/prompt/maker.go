package prompt

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"example.org/arena/loadgen/openai"
)

// A Spec describes a prompt of a single question.
type Spec struct {
	Text   string // name of a text
	Seed   uint64 // draws the window
	Salt   string // of the cell: prompts with different salts share no prefix
	Tokens int    // of the whole prompt
	Bare   bool   // without the task at the end, which asks the model to go on
}

// A Prompt is a conversation with a known number of tokens.
type Prompt struct {
	Messages []openai.Message
	Tokens   int

	// Exact is false when the server counted the prompt with other digits in its
	// salt, so as not to know it yet when it is sent. The number of tokens is the
	// same unless its tokenizer treats digits unequally.
	Exact bool
}

// A Maker makes prompts for one model. It is used by many goroutines at once.
type Maker struct {
	Counter Counter
	Cache   *Cache // remembers where texts were cut for this model; may be nil

	mu    sync.Mutex
	texts map[string]*Text
	bases map[baseKey]int    // tokens of a prompt without its text
	sizes map[string]float64 // bytes of a token, by text
}

type baseKey struct {
	text string
	bare bool
}

// tokenBytes is how long a token is taken to be before anything is known.
const tokenBytes = 4

// probeSalt stands for a cell's salt while a prompt is counted by sending it.
const probeSalt = "probe"

// Make returns the prompt that a spec describes.
func (m *Maker) Make(ctx context.Context, s Spec) (*Prompt, error) {
	text, err := m.text(s.Text)
	if err != nil {
		return nil, fmt.Errorf("make a prompt: %w", err)
	}
	salt := saltOf(s.Salt, s.Seed)
	counted := salt
	if m.Counter.Probes() {
		counted = saltOf(probeSalt, s.Seed)
	}
	count := func(ctx context.Context, cut string) (int, error) {
		return m.Counter.Chat(ctx, single(text.message(counted, cut, s.Bare)))
	}
	base, err := m.base(ctx, baseKey{s.Text, s.Bare}, count)
	if err != nil {
		return nil, s.explain(err)
	}
	cut, err := m.cut(ctx, text, s, base, count)
	if err != nil {
		return nil, s.explain(err)
	}
	return &Prompt{
		Messages: single(text.message(salt, cut, s.Bare)),
		Tokens:   s.Tokens,
		Exact:    salt == counted,
	}, nil
}

// counting counts a prompt that has a piece of text in it.
type counting func(ctx context.Context, cut string) (int, error)

// cut returns the piece of a window that gives the prompt its length. Base is
// about how many tokens the prompt has without it.
func (m *Maker) cut(ctx context.Context, text *Text, s Spec, base int, count counting) (string, error) {
	window := text.window(s.Seed)
	size := m.size(text.Name)
	guess, known := m.Cache.get(s)
	if !known {
		guess = fit{cut: max(int(float64(s.Tokens-base)*size), 0)}
	}
	search := &search{window: window, want: s.Tokens, perToken: size}
	found, err := search.run(ctx, guess, count)
	if err != nil {
		return "", err
	}
	if n := s.Tokens - base; n > 0 && found.cut > 0 {
		m.learn(text.Name, float64(found.cut)/float64(n))
	}
	m.Cache.put(s, found)
	return window.upTo(found.cut) + found.tail, nil
}

// base returns how many tokens a prompt has without its text; the first prompt of
// a kind counts it.
func (m *Maker) base(ctx context.Context, key baseKey, count counting) (int, error) {
	m.mu.Lock()
	n, known := m.bases[key]
	m.mu.Unlock()
	if known {
		return n, nil
	}
	n, err := count(ctx, "")
	if err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bases == nil {
		m.bases = map[baseKey]int{}
	}
	m.bases[key] = n
	return n, nil
}

func (m *Maker) size(text string) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if size, known := m.sizes[text]; known {
		return size
	}
	return tokenBytes
}

func (m *Maker) learn(text string, size float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sizes == nil {
		m.sizes = map[string]float64{}
	}
	m.sizes[text] = size
}

func (m *Maker) text(name string) (*Text, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := m.texts[name]; t != nil {
		return t, nil
	}
	t, err := Named(name)
	if err != nil {
		return nil, err
	}
	if m.texts == nil {
		m.texts = map[string]*Text{}
	}
	m.texts[name] = t
	return t, nil
}

// message puts the salt before a piece of the text and the task behind it.
func (t *Text) message(salt, cut string, bare bool) string {
	if bare {
		return salt + cut
	}
	return salt + cut + "\n\n" + t.Task
}

func single(content string) []openai.Message {
	return []openai.Message{{Role: "user", Content: content}}
}

// explain says what to change when a prompt cannot be made.
func (s Spec) explain(err error) error {
	what := fmt.Sprintf("make a prompt of %d tokens from %s", s.Tokens, s.Text)
	var short *tooShortError
	var jump *inexactError
	switch {
	case errors.As(err, &short) && s.Bare:
		return fmt.Errorf("%s: the chat template and the salt have %d already: ask for more", what, short.least)
	case errors.As(err, &short):
		return fmt.Errorf("%s: the chat template, the salt and the task have %d already: ask for more, or leave out the task", what, short.least)
	case errors.As(err, &jump):
		return fmt.Errorf("%s, seed %d: %w: take another seed, another text, or a token more or less", what, s.Seed, err)
	default:
		return fmt.Errorf("%s: %w", what, err)
	}
}
