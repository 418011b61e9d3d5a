package openai

import (
	"encoding/json"
	"math"
	"testing"
)

func TestBodies(t *testing.T) {
	t.Parallel()
	zero, seed := 0.0, int64(42)
	full := Params{
		Model: "m", OutputTokens: 64, MinTokens: 64, IgnoreEOS: true, Temperature: &zero, Seed: &seed,
		Limit: BothLimits, ContinuousUsage: true, TokenIDs: true,
	}
	const sampling = `"min_tokens":64,"ignore_eos":true,"temperature":0,"seed":42,"stream":true,"stream_options":{"include_usage":true,"continuous_usage_stats":true},"return_token_ids":true}`
	chat := func(p Params) func() ([]byte, error) {
		return func() ([]byte, error) {
			return p.Chat([]Message{{"system", "Be brief."}, {"user", "a <b> & \"ü\"\n"}})
		}
	}
	for name, c := range map[string]struct {
		build func() ([]byte, error)
		want  string
	}{
		"least": {
			chat(Params{Model: "m"}),
			`{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"a <b> & \"ü\"\n"}],"stream":true,"stream_options":{"include_usage":true}}`,
		},
		"all": {
			chat(full),
			`{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"a <b> & \"ü\"\n"}],"max_tokens":64,"max_completion_tokens":64,` + sampling,
		},
		"parts": {
			chat(Params{Model: "m", ContentParts: true, OutputTokens: 1, Limit: MaxCompletionTokens}),
			`{"model":"m","messages":[{"role":"system","content":[{"type":"text","text":"Be brief."}]},{"role":"user","content":[{"type":"text","text":"a <b> & \"ü\"\n"}]}],"max_completion_tokens":1,"stream":true,"stream_options":{"include_usage":true}}`,
		},
		"no usage": {
			chat(Params{Model: "m", NoUsage: true, OutputTokens: 5}),
			`{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"a <b> & \"ü\"\n"}],"max_tokens":5,"stream":true}`,
		},
		"completion": {
			func() ([]byte, error) { return full.Completion("a </s>") },
			`{"model":"m","prompt":"a </s>","max_tokens":64,"max_completion_tokens":64,` + sampling,
		},
		"extra": {
			func() ([]byte, error) {
				return Params{Model: "m", OutputTokens: 2, Extra: map[string]json.RawMessage{
					"top_p": json.RawMessage("0.9"), "max_tokens": json.RawMessage("3"), "chat_template_kwargs": json.RawMessage(`{"enable_thinking": false}`),
				}}.Completion("x")
			},
			`{"model":"m","prompt":"x","max_tokens":3,"stream":true,"stream_options":{"include_usage":true},"chat_template_kwargs":{"enable_thinking":false},"top_p":0.9}`,
		},
	} {
		got, err := c.build()
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", name, got, err, c.want)
		}
	}
}

func TestBodyFaults(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for name, build := range map[string]func() ([]byte, error){
		"content": func() ([]byte, error) { return Params{}.Chat([]Message{{"user", "a\xff"}}) },
		"role":    func() ([]byte, error) { return Params{}.Chat([]Message{{"us\xffer", "a"}}) },
		"prompt":  func() ([]byte, error) { return Params{}.Completion("\xc3") },
		"extra": func() ([]byte, error) {
			return Params{Extra: map[string]json.RawMessage{"x": json.RawMessage("{")}}.Completion("x")
		},
		"temperature": func() ([]byte, error) { return Params{Temperature: &nan}.Completion("x") },
	} {
		if got, err := build(); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}
