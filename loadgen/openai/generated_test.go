package openai

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// FuzzGenerated: chunks made up from the members that matter, in any order, with
// odd values and faults between them, mean the same to the scan and the decoder.
func FuzzGenerated(f *testing.F) {
	for seed := range uint64(3000) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := generator{rand.New(rand.NewPCG(seed, 0))}
		in := []byte(g.event())
		got, ok := scan(in)
		want, err := decode(in)
		if ok && (err != nil || got.String() != want.String()) {
			t.Errorf("%s\nscanned %s\ndecoded %s, %v", in, got, want, err)
		}
		if ok && !json.Valid(in) {
			t.Errorf("scanned what is not JSON: %s", in)
		}
		if _, err2 := parse(in); (err == nil) != (err2 == nil) {
			t.Errorf("%s: parsed with %v, decoded with %v", in, err2, err)
		}
	})
}

// TestGeneratedAreScanned: the generator makes many chunks that the scan takes,
// and many that it leaves: else the comparison would compare nothing.
func TestGeneratedAreScanned(t *testing.T) {
	t.Parallel()
	scanned, tokens := 0, 0
	for seed := range uint64(3000) {
		g := generator{rand.New(rand.NewPCG(seed, 0))}
		if c, ok := scan([]byte(g.event())); ok {
			scanned++
			if c.token {
				tokens++
			}
		}
	}
	if scanned < 500 || scanned > 2900 || tokens < 100 {
		t.Errorf("%d of 3000 scanned, %d with a token", scanned, tokens)
	}
}

type generator struct{ *rand.Rand }

// pick returns one of texts.
func (g generator) pick(texts ...string) string { return texts[g.IntN(len(texts))] }

// object returns an object of some of members, at times with one twice.
func (g generator) object(members ...string) string {
	var out []string
	for _, i := range g.Perm(len(members)) {
		for range g.times() {
			out = append(out, members[i])
		}
	}
	s := g.space()
	return s + "{" + s + strings.Join(out, s+","+s) + s + "}" + s
}

// times is how often a member comes: once as a rule.
func (g generator) times() int {
	switch n := g.IntN(100); {
	case n == 0:
		return 2
	case n < 15:
		return 0
	}
	return 1
}

func (g generator) space() string { return g.pick("", "", "", "", " ", "\n", "\t \r") }

func (g generator) member(name, value string) string {
	if g.IntN(300) == 0 {
		name = fmt.Sprintf("\\u%04x", name[0]) + name[1:]
	}
	return `"` + name + `"` + g.space() + ":" + g.space() + value
}

func (g generator) text() string {
	return g.pick(`"a"`, `"a"`, `" token"`, `""`, `""`, `null`, `"\n"`, `"é\u00e9"`, `"\ud83d"`, `"`+strings.Repeat("x", g.IntN(40))+`"`, g.rare())
}

// rare returns an odd value, and at times what is not JSON.
func (g generator) rare() string {
	if g.IntN(10) > 0 {
		return `null`
	}
	return g.pick(`5`, `-0.5e-3`, `true`, `{}`, `[]`, `[[{"a":[1,{"b":"}"}]}]]`, "\"\x01\"", `"\q"`, `01`, `tru`, `"`, "\"\xff\"", `1.`, `{"a":1,}`)
}

func (g generator) number() string {
	return g.pick("0", "1", "17", "64", "999999999", "null", fmt.Sprint(g.IntN(5000)), g.pick("1.0", "-1", "1e2", "0.5", "00", `"3"`, "12345678901", "64", "3", "3", "3", "3", "3", "3"))
}

func (g generator) usage() string {
	if g.IntN(3) == 0 {
		return "null"
	}
	return g.object(
		g.member("prompt_tokens", g.number()),
		g.member("completion_tokens", g.number()),
		g.member("total_tokens", g.number()),
		g.member("prompt_tokens_details", g.pick("null", g.object(g.member("cached_tokens", g.number())))),
	)
}

func (g generator) delta() string {
	calls := g.pick("null", "[]", "[]", g.pick(`[{"index":0,"function":{"name":"f","arguments":""}}]`, `[{"function":{"arguments":""}}]`, `[{}]`, g.rare()))
	return g.object(
		g.member("role", g.pick(`"assistant"`, "null")),
		g.member("content", g.text()),
		g.member(g.pick("reasoning", "reasoning_content", "refusal", "other"), g.text()),
		g.member("tool_calls", calls),
	)
}

func (g generator) choice() string {
	return g.object(
		g.member("index", g.pick("0", "0", "0", "0", "0", "0", "1", g.number())),
		g.member(g.pick("delta", "delta", "delta", "text"), g.pick(g.delta(), g.delta(), g.delta(), g.delta(), g.delta(), g.delta(), g.text())),
		g.member("logprobs", g.pick("null", `{"content":[{"token":"a","logprob":-0.25,"bytes":[97]}]}`)),
		g.member("finish_reason", g.pick("null", "null", "null", `"stop"`, `"length"`, `""`, g.rare())),
		g.member("token_ids", g.pick("null", "null", "[]", "[1]", "[1, 2,3]", g.rare())),
	)
}

func (g generator) event() string {
	choices := g.pick("[]", "["+g.choice()+"]", "["+g.choice()+"]", "["+g.choice()+"]", "["+g.choice()+","+g.choice()+"]", g.rare())
	s := g.object(
		g.member("id", `"chatcmpl-1"`),
		g.member("object", g.pick(`"chat.completion.chunk"`, `"chat.completion.chunk"`, `"chat.completion.chunk"`, `"chat.completion.chunk"`, `"error"`, g.rare())),
		g.member("choices", choices),
		g.member("usage", g.usage()),
		g.member(g.pick("created", "error", "type", "timings"), g.pick("null", "null", "null", `"ping"`, "1", `"error"`, `{"message":"x"}`)),
	)
	if g.IntN(30) == 0 {
		s = s[:g.IntN(len(s))]
	}
	return s
}
