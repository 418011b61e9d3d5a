package prompt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/loadgen/simserver"
)

// simulated returns an endpoint on a simulated server whose answers come at once.
func simulated(t *testing.T, api openai.API) prompt.Endpoint {
	t.Helper()
	config := simserver.Default()
	config.Request.TTFT, config.Request.ITL = 0, 0
	server, err := simserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	client, err := openai.New(openai.Options{BaseURL: "http://sim", API: api, Model: config.Model, DialContext: server.Dial})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return prompt.Endpoint{Client: client, API: api, Params: openai.Params{Model: config.Model}}
}

func counter(t *testing.T, e prompt.Endpoint) prompt.Counter {
	t.Helper()
	c, err := e.Counter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wants(n int, salt string) []prompt.RequestSpec {
	names := prompt.Names()
	out := make([]prompt.RequestSpec, n)
	for i := range out {
		out[i] = prompt.RequestSpec{
			Spec:         prompt.Spec{Text: names[i%len(names)], Seed: uint64(i), Salt: salt, Tokens: 200 + 311*i, Bare: i%3 == 0},
			OutputTokens: 2,
		}
	}
	return out
}

// What the server counts when the prompts are sent is what was asked for.
func TestPromptsAreExact(t *testing.T) {
	t.Parallel()
	for _, api := range []openai.API{openai.Chat, openai.Completions} {
		e := simulated(t, api)
		c := counter(t, e)
		if c.Probes() {
			t.Error("the server has /tokenize")
		}
		m := &prompt.Maker{Counter: c}
		list := wants(20, "cell")
		requests, err := m.Requests(t.Context(), e, list)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range requests {
			got := e.Client.Send(t.Context(), time.Now(), r)
			if got.Outcome != loadgen.OK || got.PromptTokens != list[i].Tokens || r.PromptTokens != list[i].Tokens || got.CompletionTokens != 2 || r.Seq != i {
				t.Errorf("%s %d: %s, %d tokens, want %d: %s", api, i, got.Outcome, got.PromptTokens, list[i].Tokens, got.Error)
			}
		}
	}
}

// A server is a fake of one engine's way to count. A token is a word; the chat
// template adds some.
type server struct {
	noTokenize bool
	noUsage    bool
	detokenize string             // name of the text in its answer
	question   string             // name of the text in a question
	template   map[int]int        // tokens around a conversation, by messages
	special    int                // tokens that /tokenize adds to a text
	digits     func(s string) int // tokens of a number
	asked      atomic.Int64       // answers
	counted    atomic.Int64       // /tokenize
	mu         sync.Mutex
	prompts    map[string]int // what was sent, how often
}

// sent returns how often a prompt was sent.
func (s *server) sent(prompt string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prompts[prompt]
}

func (s *server) tokens(text string) int {
	n := 0
	for w := range strings.FieldsSeq(text) {
		if s.digits != nil && strings.Trim(w, "0123456789") == "" {
			n += s.digits(w)
		} else {
			n++
		}
	}
	return n
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Messages []openai.Message `json:"messages"`
		Prompt   *string          `json:"prompt"`
		Content  *string          `json:"content"`
	}
	json.NewDecoder(r.Body).Decode(&q)
	reply := func(v any) { json.NewEncoder(w).Encode(v) }
	all, content := 0, ""
	for _, m := range q.Messages {
		all += s.tokens(m.Content)
		content += m.Content + "\n"
	}
	switch r.URL.Path {
	case "/tokenize":
		text := q.Prompt
		if s.question == "content" {
			text = q.Content
		}
		if s.noTokenize || text == nil {
			http.Error(w, "not found", http.StatusNotFound)
			return
		}
		s.counted.Add(1)
		reply(map[string]any{"count": s.tokens(*text) + s.special, "tokens": make([]int, s.tokens(*text)+s.special)})
	case "/detokenize":
		reply(map[string]any{s.detokenize: ""})
	case "/apply-template":
		reply(map[string]any{"prompt": content})
	case "/v1/chat/completions":
		s.asked.Add(1)
		s.mu.Lock()
		if s.prompts == nil {
			s.prompts = map[string]int{}
		}
		s.prompts[content]++
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"length"}]}`+"\n\n")
		if !s.noUsage {
			fmt.Fprintf(w, `data: {"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":1}}`+"\n\n", all+s.template[len(q.Messages)])
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	default:
		http.NotFound(w, r)
	}
}

func started(t *testing.T, s *server) prompt.Endpoint {
	t.Helper()
	h := httptest.NewServer(s)
	client, err := openai.New(openai.Options{BaseURL: h.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); h.Close() })
	return prompt.Endpoint{Client: client, Params: openai.Params{Model: "m"}}
}

// Whatever a server's way to count is, the count is what its usage will say.
func TestCounters(t *testing.T) {
	t.Parallel()
	template := map[int]int{1: 11, 3: 19, 5: 27}
	cases := map[string]struct {
		server *server
		probes bool
	}{
		"sglang":                {&server{template: template, special: 1, question: "prompt", detokenize: "text"}, false},
		"llama.cpp":             {&server{template: template, special: 1, question: "content", detokenize: "content"}, false},
		"no /tokenize":          {&server{template: template, noTokenize: true}, true},
		"/tokenize without one": {&server{template: template, question: "prompt", detokenize: "prompt"}, true}, // as vLLM, but for messages
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := started(t, c.server)
			count := counter(t, e)
			if count.Probes() != c.probes {
				t.Errorf("probes is %t", count.Probes())
			}
			for _, n := range []int{1, 3, 5} {
				var messages []openai.Message
				for i := range n {
					messages = append(messages, openai.Message{Role: []string{"user", "assistant"}[i%2], Content: strings.Repeat("word ", 10*i+7)})
				}
				got, err := count.Chat(t.Context(), messages)
				want := template[n]
				for i := range n {
					want += 10*i + 7
				}
				if err != nil || got != want {
					t.Errorf("%d messages: got %d, %v, want %d", n, got, err, want)
				}
			}
			m := &prompt.Maker{Counter: count}
			p, err := m.Make(t.Context(), prompt.Spec{Text: "prose-nl", Seed: 5, Salt: "s", Tokens: 777})
			if err != nil {
				t.Fatal(err)
			}
			if got := c.server.tokens(p.Messages[0].Content) + template[1]; got != 777 || p.Exact == c.probes {
				t.Errorf("got %d tokens, exact %t", got, p.Exact)
			}
			if n := c.server.sent(p.Messages[0].Content + "\n"); n != 0 {
				t.Errorf("the prompt was sent %d times while it was counted", n)
			}
			if c.probes == false && c.server.asked.Load() > 3 {
				t.Errorf("%d answers were asked for, although /tokenize counts", c.server.asked.Load())
			}
			text, err := count.Text(t.Context(), "one two three")
			if err != nil || text != 3+c.server.special {
				t.Errorf("text: got %d, %v", text, err)
			}
		})
	}
}

// What makes exact prompts impossible is said, with what to change.
func TestRefusals(t *testing.T) {
	t.Parallel()
	template := map[int]int{1: 11, 3: 19}
	uneven := &server{template: template, noTokenize: true, digits: func(s string) int { return 1 + strings.Count(s, "7") }}
	silent := &server{template: template, noTokenize: true, noUsage: true}
	for _, c := range []struct {
		server *server
		want   string
	}{
		{uneven, "without /tokenize prompts cannot be made exact on this server"},
		{silent, "learn how the server counts: its answers have no usage (stream_options.include_usage), by which prompts are counted, or /tokenize is checked"},
	} {
		_, err := started(t, c.server).Counter(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}

	m := &prompt.Maker{Counter: counter(t, simulated(t, openai.Chat))}
	for _, c := range []struct {
		spec prompt.Spec
		want string
	}{
		{prompt.Spec{Text: "prose-en", Tokens: 12}, "make a prompt of 12 tokens from prose-en: the chat template, the salt and the task have 60 already: ask for more, or leave out the task"},
		{prompt.Spec{Text: "prose-en", Tokens: 12, Bare: true}, "make a prompt of 12 tokens from prose-en: the chat template and the salt have 21 already: ask for more"},
		{prompt.Spec{Text: "nothing", Tokens: 12}, `make a prompt: no text "nothing": there are code, data, prose-en, prose-fr, prose-nl`},
	} {
		_, err := m.Make(t.Context(), c.spec)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Requests(ctx, simulated(t, openai.Chat), wants(9, "")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The prompts of two cells differ from the first digits on, so that no prefix is
// shared but the template's; otherwise they are the same text.
func TestSaltKeepsCellsApart(t *testing.T) {
	t.Parallel()
	m := &prompt.Maker{Counter: counter(t, simulated(t, openai.Chat)), Cache: &prompt.Cache{}}
	starts := map[string]bool{}
	for _, salt := range []string{"a", "b", "c"} {
		for seed := range uint64(10) {
			p, err := m.Make(t.Context(), prompt.Spec{Text: "code", Seed: seed, Salt: salt, Tokens: 600})
			if err != nil {
				t.Fatal(err)
			}
			starts[p.Messages[0].Content[:8]] = true
		}
	}
	if len(starts) != 30 {
		t.Errorf("%d of 30 prompts begin differently", len(starts))
	}
}

// A countingCounter counts how often it is asked.
type countingCounter struct {
	prompt.Counter
	n *atomic.Int64
}

func (c countingCounter) Chat(ctx context.Context, m []openai.Message) (int, error) {
	c.n.Add(1)
	return c.Counter.Chat(ctx, m)
}

// With a cache a prompt is counted once, under any salt, and comes out the same.
func TestCache(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	c := countingCounter{counter(t, simulated(t, openai.Chat)), &n}
	first := &prompt.Maker{Counter: c, Cache: &prompt.Cache{}}
	spec := prompt.Spec{Text: "data", Seed: 9, Salt: "one", Tokens: 2048}
	p, err := first.Make(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	n.Store(0)
	second := &prompt.Maker{Counter: c, Cache: first.Cache}
	spec.Salt = "two"
	again, err := second.Make(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if n.Load() != 2 { // what a prompt has without text, and this one
		t.Errorf("counted %d times", n.Load())
	}
	if a, b := p.Messages[0].Content[17:], again.Messages[0].Content[17:]; a != b {
		t.Error("another salt gives another text")
	}
}
