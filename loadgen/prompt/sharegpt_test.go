package prompt_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
)

func readShareGPT(text string) (*prompt.ShareGPT, error) {
	return prompt.ReadShareGPT(strings.NewReader(text), int64(len(text)), "talks.json")
}

func TestShareGPT(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/talks.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s, err := prompt.ReadShareGPT(file, info.Size(), "talks.json")
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 3 || s.Skipped != 2 {
		t.Errorf("%d conversations, %d skipped", s.Len(), s.Skipped)
	}
	got, err := s.Conversation(1)
	if want := []prompt.Line{{"human", "Wat is veen? 🌱"}, {"gpt", "Half vergane planten."}, {"human", "En turf?"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := s.Conversation(2); err == nil || !strings.HasSuffix(err.Error(), "entry 4: text that is not UTF-8") {
		t.Errorf("a lone surrogate: %v", err)
	}
	lines, err := readShareGPT("{\"conversations\":[{\"from\":\"a\",\"value\":\"b\"},{\"from\":\"c\",\"value\":\"d\"}]}\n{\"id\":1}\n")
	if err != nil || lines.Len() != 1 || lines.Skipped != 1 {
		t.Errorf("one object a line: %+v, %v", lines, err)
	}
}

// What is wrong is said with its place.
func TestShareGPTFaults(t *testing.T) {
	t.Parallel()
	const good = `{"conversations":[{"from":"a","value":"b"},{"from":"c","value":"d"}]}`
	cases := map[string]string{
		"":                           "talks.json: no conversation of two messages or more",
		"[]":                         "talks.json: no conversation of two messages or more",
		"[" + good:                   "talks.json:1:71: unexpected EOF",
		"[" + good + ",\n  7]":       "talks.json:2:3: entry 1: the entry is a number",
		"[" + good + ",\n" + "nope]": "talks.json:2:2: invalid character 'o' in literal null (expecting 'u')",
		"[" + good + "] x":           "talks.json:1:72: something follows the list",
		`[{"conversations":{}}]`:     "talks.json:1:19: entry 0: conversations is an object",
		"[{\"conversations\":[\n{\"from\":\"a\",\"value\":3}]}]": "talks.json:2:21: entry 0: conversations/0/value is a number",
		`[{"conversations":[{"from":"a","value":null}]}]`:        "talks.json:1:2: entry 0: message 0 lacks from or value",
		`[{"conversations":[],"conversations":[]}]`:              "talks.json:1:22: duplicate object member name",
	}
	for text, want := range cases {
		if _, err := readShareGPT(text); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// Questions are those that the other tool takes: shuffled by the seed, short ones
// only, again from the start when there are too few.
func TestSelect(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteByte('[')
	for i := range 40 {
		question := strings.Repeat("word ", 1+60*i) // one is too short, many are too long
		fmt.Fprintf(&b, `{"conversations":[{"from":"human","value":%q},{"from":"gpt","value":"it is so because it is so"}]},`, question)
	}
	file, err := readShareGPT(strings.TrimSuffix(b.String(), ",") + "]")
	if err != nil {
		t.Fatal(err)
	}
	e := simulated(t, openai.Chat)
	m := &prompt.Maker{Counter: counter(t, e)}
	got, err := m.Select(t.Context(), file, 42, 30, "")
	if err != nil {
		t.Fatal(err)
	}
	want, err := arrival.SelectShareGPT(42, 40, 30, func(i int) (arrival.Turn, error) {
		lines, err := file.Conversation(i)
		if err != nil {
			return arrival.Turn{}, err
		}
		p, _ := m.Counter.Text(t.Context(), lines[0].Value)
		o, _ := m.Counter.Text(t.Context(), lines[1].Value)
		return arrival.Turn{Prompt: p, Output: o}, nil
	})
	if err != nil || len(got) != 30 {
		t.Fatalf("%d questions, %v", len(got), err)
	}
	for i, q := range got {
		if q.Conversation != want[i] || q.TextTokens > 1024 || q.OutputTokens < 4 || q.Prompt.Tokens <= q.TextTokens || !q.Prompt.Exact {
			t.Errorf("question %d: %+v, want conversation %d", i, q, want[i])
		}
	}
	salted, err := m.Select(t.Context(), file, 42, 2, "s")
	if err != nil || salted[0].Prompt.Messages[0].Content == got[0].Prompt.Messages[0].Content || salted[0].Prompt.Tokens <= got[0].Prompt.Tokens {
		t.Errorf("salted: %+v, %v", salted, err)
	}
	none, err := readShareGPT(`[{"conversations":[{"from":"a","value":"b"},{"from":"c","value":"d"}]}]`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Select(t.Context(), none, 1, 1, ""); err == nil || err.Error() != "select questions: none of 1 conversations in talks.json fits the limits" {
		t.Errorf("got %v", err)
	}
	probing := started(t, &server{template: map[int]int{1: 11}, noTokenize: true})
	m = &prompt.Maker{Counter: counter(t, probing)}
	if _, err := m.Select(t.Context(), file, 42, 2, ""); err == nil || !strings.Contains(err.Error(), "give a salt") {
		t.Errorf("got %v", err)
	}
	if q, err := m.Select(t.Context(), file, 42, 2, "s"); err != nil || len(q) != 2 || q[0].Prompt.Exact {
		t.Errorf("got %+v, %v", q, err)
	}
}

// Whatever a file holds, it is read or refused, and what was read can be read
// again.
func FuzzShareGPT(f *testing.F) {
	f.Add(`[{"conversations":[{"from":"a","value":"b"},{"from":"c","value":"d"}]}]`)
	f.Add(`{"conversations":[{"from":"a","value":"\ud800"},{"from":"c","value":"d"}]}` + "\n")
	f.Add("[{\"conversations\":[\n{\"from\":\"a\",\"value\":3}]}]")
	f.Add("[]")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := readShareGPT(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "talks.json:") {
				t.Errorf("no place in %v", err)
			}
			return
		}
		for i := range s.Len() {
			if lines, err := s.Conversation(i); err == nil && len(lines) < 2 {
				t.Errorf("conversation %d has %d lines", i, len(lines))
			}
		}
	})
}
