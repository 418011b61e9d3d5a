package content

import (
	"reflect"
	"strings"
	"testing"
)

func TestSuggestionEncode(t *testing.T) {
	t.Parallel()
	s := Suggestion{
		Slug:         "org--model-7b--nvfp4",
		Model:        "Org/Model-7B",
		Quantisation: "nvfp4",
		VLLMArgs:     `--speculative-config '{"method":"mtp","num_speculative_tokens":3}'`,
		Why:          `Wij gebruiken het "thuis"; past het op één Spark?`,
		History: []Step{
			{State: Proposed, Date: "2026-11-01"},
			{State: Accepted, Date: "2026-11-02"},
			{State: Queued, Date: "2026-11-02"},
			{State: Measured, Date: "2026-11-29", Bundle: strings.Repeat("0a", 32)},
		},
	}
	got, err := ParseSuggestion("x.toml", s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, s) {
		t.Errorf("got\n%+v\nwant\n%+v", got, s)
	}
	if got.State() != Measured {
		t.Errorf("state %q; want measured", got.State())
	}
}

// TestSuggestionTransitions tries every step after every state.
func TestSuggestionTransitions(t *testing.T) {
	t.Parallel()
	path := map[State][]State{
		Proposed: {Proposed},
		Accepted: {Proposed, Accepted},
		Queued:   {Proposed, Accepted, Queued},
		Measured: {Proposed, Accepted, Queued, Measured},
		Declined: {Proposed, Declined},
	}
	allowed := map[State]string{
		Proposed: "accepted declined",
		Accepted: "queued declined",
		Queued:   "measured declined",
	}
	for _, from := range States {
		for _, to := range States {
			s := Suggestion{Model: "a/b"}
			for _, state := range append(path[from], to) {
				step := Step{State: state, Date: "2026-11-29"}
				switch state {
				case Measured:
					step.Bundle = strings.Repeat("f", 64)
				case Declined:
					step.Reason = "licence"
				case Proposed, Accepted, Queued:
				}
				s.History = append(s.History, step)
			}
			_, err := ParseSuggestion("x.toml", s.Encode())
			if want := strings.Contains(allowed[from], string(to)); (err == nil) != want {
				t.Errorf("%s → %s: got %v; allowed is %v", from, to, err, want)
			}
		}
	}
}

func TestSuggestionSlug(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ model, quantisation, want string }{
		{"Qwen/Qwen3.8-27B", "", "qwen--qwen3.8-27b"},
		{"Qwen/Qwen3.8-27B", "nvfp4", "qwen--qwen3.8-27b--nvfp4"},
	} {
		if got := SuggestionSlug(c.model, c.quantisation); got != c.want {
			t.Errorf("got %s; want %s", got, c.want)
		}
	}
}

// TestLoadSuggestionsAndRetractions reads one of each; at launch there are none.
func TestLoadSuggestionsAndRetractions(t *testing.T) {
	t.Parallel()
	sha := strings.Repeat("b", 64)
	c, err := Load(tree(t, map[string]string{
		"suggestions/org--model--nvfp4.toml": formatNamed(t, "suggestion").good,
		"retractions/" + sha + ".toml":       formatNamed(t, "retraction").good,
	}))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Suggestions) != 1 || c.Suggestions[0].State() != Declined {
		t.Errorf("suggestions: %+v", c.Suggestions)
	}
	r, ok := c.Retraction(sha)
	if !ok || r.Reason != "measurement_error" || r.Text["fr"] != "Une remarque." {
		t.Errorf("retraction: %+v", r)
	}
	if _, ok := c.Retraction(strings.Repeat("c", 64)); ok {
		t.Error("a bundle that nobody retracted is retracted")
	}
}

// FuzzSuggestion wants what Encode writes to be read back, or refused, but never
// read as something else.
func FuzzSuggestion(f *testing.F) {
	f.Add("Org/Model", "nvfp4", "--max-num-seqs 64", "why")
	f.Add("Org/Model", "", `--x '{"a":1}'`, "\"quoted\" \\ é")
	f.Add("Org/Model", "fp8", "", "\x00\n\"\"\"")
	f.Fuzz(func(t *testing.T, model, quantisation, args, why string) {
		s := Suggestion{Model: model, Quantisation: quantisation, VLLMArgs: args, Why: why, History: []Step{{State: Proposed, Date: "2026-11-29"}}}
		s.Slug = SuggestionSlug(model, quantisation)
		got, err := ParseSuggestion("x.toml", s.Encode())
		if err == nil && !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v; want %+v", got, s)
		}
	})
}
