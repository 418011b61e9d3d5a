package prompt_test

import (
	"encoding/json"
	"strings"
	"testing"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/loadgen/simserver"
)

func talk(turns ...prompt.Turn) prompt.ConversationSpec {
	return prompt.ConversationSpec{Text: "prose-nl", Seeds: []uint64{1, 2, 3}, Salt: "s", Turns: turns}
}

func converse(t *testing.T, e prompt.Endpoint, c *prompt.Conversations) *loadgen.Run {
	t.Helper()
	first, err := c.First()
	if err != nil {
		t.Fatal(err)
	}
	r := &loadgen.Runner{Sender: e.Client, KeepGC: true}
	run, err := r.Run(t.Context(), loadgen.Cell{
		Schedule: arrival.ClosedLoop(2, len(first)),
		Requests: first,
		Follow:   c.Follow,
	})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// The prompt of every turn has the length that was asked for, whatever the
// answers were, and carries the answers before it.
func TestConversationsAreExact(t *testing.T) {
	t.Parallel()
	e := simulated(t, openai.Chat)
	m := &prompt.Maker{Counter: counter(t, e)}
	turns := []prompt.Turn{{300, 40}, {500, 60}, {750, 20}, {1100, 10}, {1500, 30}}
	c, err := m.Converse(t.Context(), talk(turns...), e.Params)
	if err != nil {
		t.Fatal(err)
	}
	run := converse(t, e, c)
	if len(run.Records) != 15 || run.Unsent != 0 {
		t.Fatalf("%d records, %d unsent", len(run.Records), run.Unsent)
	}
	for i, r := range run.Records {
		turn := turns[i%5]
		if r.Seq != i || r.Outcome != loadgen.OK || r.Result.PromptTokens != turn.PromptTokens || r.Request.PromptTokens != turn.PromptTokens || r.CompletionTokens != turn.OutputTokens {
			t.Errorf("turn %d: %s, %d tokens in and %d out, want %+v: %s", i, r.Outcome, r.Result.PromptTokens, r.CompletionTokens, turn, r.Error)
		}
		if i%5 > 0 {
			before := run.Records[i-1]
			if before.Text == "" || !strings.Contains(string(r.Body), before.Text) {
				t.Errorf("turn %d does not carry the answer before it", i)
			}
			if r.Slot != before.Slot || r.Sent < before.Done {
				t.Errorf("turn %d was sent from slot %d at %v, the one before it ended in slot %d at %v", i, r.Slot, r.Sent, before.Slot, before.Done)
			}
		}
	}
}

// A conversation that breaks says where and why, for every turn that is left.
func TestConversationsBreak(t *testing.T) {
	t.Parallel()
	e := simulated(t, openai.Chat)
	m := &prompt.Maker{Counter: counter(t, e)}
	c, err := m.Converse(t.Context(), talk(prompt.Turn{300, 200}, prompt.Turn{400, 20}, prompt.Turn{900, 20}), e.Params)
	if err != nil {
		t.Fatal(err)
	}
	run := converse(t, e, c)
	const want = "turn 2: a prompt of 400 tokens: the conversation has "
	for i, r := range run.Records {
		if first := i%3 == 0; first != (r.Outcome == loadgen.OK) || !first && !strings.HasPrefix(r.Error, want) {
			t.Errorf("turn %d: %s %q", i, r.Outcome, r.Error)
		}
	}
	if len(run.Records) != 9 || run.Unsent != 6 {
		t.Errorf("%d records, %d unsent", len(run.Records), run.Unsent)
	}
	last := loadgen.Record{Result: loadgen.NoResult()}
	last.Outcome = loadgen.Timeout
	if next, more, err := c.Follow(t.Context(), last); err == nil || err.Error() != "turn 1 ended as timeout" || !more || next.Seq != 1 {
		t.Errorf("got %v, %t, %v", next, more, err)
	}
}

// An answer of which nothing is visible, since a model was still reasoning at its
// limit, does not break a conversation: prompts keep their lengths.
func TestConversationsOfReasoning(t *testing.T) {
	t.Parallel()
	e := simulated(t, openai.Chat)
	e.Params.Extra = map[string]json.RawMessage{simserver.OptionField: json.RawMessage(`{"reasoning":1000}`)}
	m := &prompt.Maker{Counter: counter(t, e)}
	turns := []prompt.Turn{{300, 40}, {500, 60}, {750, 20}}
	c, err := m.Converse(t.Context(), talk(turns...), e.Params)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range converse(t, e, c).Records {
		if r.Outcome != loadgen.OK || r.Text != "" || r.FirstVisible != loadgen.Unknown || r.Result.PromptTokens != turns[i%3].PromptTokens {
			t.Errorf("turn %d: %s, %q, %d tokens: %s", i, r.Outcome, r.Text, r.Result.PromptTokens, r.Error)
		}
	}
}

// A server that counts by answering is not asked to count while others measure.
func TestConversationsWithoutTokenize(t *testing.T) {
	t.Parallel()
	s := &server{template: map[int]int{1: 11, 3: 19, 5: 27}, noTokenize: true}
	e := started(t, s)
	m := &prompt.Maker{Counter: counter(t, e)}
	spec := talk(prompt.Turn{200, 1}, prompt.Turn{300, 1}, prompt.Turn{400, 1})
	if _, err := m.Converse(t.Context(), spec, e.Params); err == nil || !strings.Contains(err.Error(), "or let lengths be approximate") {
		t.Errorf("got %v", err)
	}
	spec.Approximately = true
	c, err := m.Converse(t.Context(), spec, e.Params)
	if err != nil {
		t.Fatal(err)
	}
	before := s.asked.Load()
	run := converse(t, e, c)
	if n := s.asked.Load() - before; n != 9 {
		t.Errorf("%d answers were asked for, want 9", n)
	}
	for i, r := range run.Records {
		want := []int{200, 300, 400}[i%3]
		if r.Outcome != loadgen.OK || r.Result.PromptTokens < want-10 || r.Result.PromptTokens > want+10 || r.Request.PromptTokens != want {
			t.Errorf("turn %d: %s, %d tokens, want about %d: %s", i, r.Outcome, r.Result.PromptTokens, want, r.Error)
		}
	}
}
