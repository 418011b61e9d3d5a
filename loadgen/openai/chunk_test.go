package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// String writes what a chunk says, short.
func (c chunk) String() string {
	var out []string
	for _, f := range []struct {
		on   bool
		text string
	}{
		{c.failed, "failed"},
		{c.choice, "choice"},
		{c.others, "others"},
		{c.token, "token"},
		{c.visible, "visible " + string(c.text)},
		{c.ids >= 0, fmt.Sprintf("ids %d", c.ids)},
		{c.finish != nil, "finish " + string(c.finish)},
		{c.usage, fmt.Sprintf("usage %d %d %d", c.prompt, c.completion, c.cached)},
	} {
		if f.on {
			out = append(out, f.text)
		}
	}
	return strings.Join(out, ", ")
}

// The forms of chunks. A scanned one never needs the decoder.
var chunks = map[string]struct {
	in, want string
	decoded  bool
}{
	"vllm content":         {`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a"},"logprobs":null,"finish_reason":null,"token_ids":null}]}`, `choice, token, visible a`, false},
	"vllm role":            {`{"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"prompt_token_ids":[1,2,3]}`, `choice`, false},
	"vllm usage":           {`{"id":"1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":18,"total_tokens":82,"completion_tokens":64,"prompt_tokens_details":{"cached_tokens":16}}}`, `usage 18 64 16`, false},
	"continuous usage":     {`{"choices":[{"index":0,"delta":{"content":"ab"},"finish_reason":null}],"usage":{"prompt_tokens":18,"total_tokens":20,"completion_tokens":2,"prompt_tokens_details":null}}`, `choice, token, visible ab, usage 18 2 -1`, false},
	"usage null":           {`{"choices":[{"delta":{"content":"a"}}],"usage":null}`, `choice, token, visible a`, false},
	"llama.cpp finish":     {`{"choices":[{"finish_reason":"length","index":0,"delta":{}}],"usage":{"completion_tokens":128,"prompt_tokens":18,"total_tokens":146},"timings":{"prompt_n":1,"prompt_ms":3.5,"predicted_per_second":1.2e3,"x":-0.5}}`, `choice, finish length, usage 18 128 -1`, false},
	"finish with text":     {`{"choices":[{"index":0,"delta":{"content":"z"},"finish_reason":"stop","stop_reason":null}]}`, `choice, token, visible z, finish stop`, false},
	"finish empty":         {`{"choices":[{"index":0,"delta":{"content":"z"},"finish_reason":""}]}`, `choice, token, visible z`, false},
	"reasoning":            {`{"choices":[{"index":0,"delta":{"reasoning":"hm"}}]}`, `choice, token`, false},
	"reasoning_content":    {`{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"hm"}}]}`, `choice, token`, false},
	"both reasonings":      {`{"choices":[{"index":0,"delta":{"content":"","reasoning":"hm","reasoning_content":"hm"}}]}`, `choice, token`, false},
	"empty reasoning":      {`{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":""}}]}`, `choice`, false},
	"token ids":            {`{"choices":[{"index":0,"delta":{"content":"abc"},"token_ids":[5,6,7]}]}`, `choice, token, visible abc, ids 3`, false},
	"ids without text":     {`{"choices":[{"index":0,"delta":{},"token_ids":[5]}]}`, `choice, ids 1`, false},
	"no ids":               {`{"choices":[{"index":0,"delta":{"content":"x"},"token_ids":[]}]}`, `choice, token, visible x, ids 0`, false},
	"completion":           {`{"id":"cmpl-1","object":"text_completion","choices":[{"index":0,"text":" b","logprobs":{"tokens":["b"],"top_logprobs":[{"b":-0.1}]},"finish_reason":null}]}`, `choice, token, visible  b`, false},
	"completion, empty":    {`{"choices":[{"index":0,"text":"","finish_reason":"length"}]}`, `choice, finish length`, false},
	"escapes":              {`{"choices":[{"index":0,"delta":{"content":"\"\\\n\u00e9é\ud83d"}}]}`, `choice, token, visible \"\\\n\u00e9é\ud83d`, false},
	"white space":          {" {\n \"choices\" : [ { \"index\" : 0 , \"delta\" : { \"content\" : \"a\" } } ] ,\t\"usage\" : { } }\r\n", `choice, token, visible a, usage -1 -1 -1`, false},
	"other choice":         {`{"choices":[{"index":1,"delta":{"content":"a"}}]}`, `others`, false},
	"two choices":          {`{"choices":[{"delta":{"content":"b","role":"assistant"},"index":1,"finish_reason":"stop"},{"index":0,"delta":{"content":"a"}}]}`, `choice, others, token, visible a`, false},
	"choice 0 twice":       {`{"choices":[{"index":0,"delta":{"content":"a"},"token_ids":[1]},{"index":0,"delta":{"content":"b"},"token_ids":[2,3]}]}`, `choice, token, visible ab, ids 3`, true},
	"tool call name":       {`{"choices":[{"index":0,"delta":{"tool_calls":[{"id":"c1","type":"function","index":0,"function":{"name":"f","arguments":""}}]}}]}`, `choice, token`, true},
	"tool call arguments":  {`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}}]}}]}`, `choice, token`, true},
	"tool call at its end": {`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":""}}]},"finish_reason":"tool_calls"}]}`, `choice, finish tool_calls`, true},
	"no tool calls":        {`{"choices":[{"index":0,"delta":{"content":"x","tool_calls":[]}}]}`, `choice, token, visible x`, false},
	"tool calls null":      {`{"choices":[{"index":0,"delta":{"content":"x","tool_calls":null,"function_call":null,"refusal":null}}]}`, `choice, token, visible x`, false},
	"function call":        {`{"choices":[{"index":0,"delta":{"function_call":{"name":"f"}}}]}`, `choice, token`, true},
	"refusal":              {`{"choices":[{"index":0,"delta":{"refusal":"I"}}]}`, `choice, token, visible I`, true},
	"content and text":     {`{"choices":[{"index":0,"text":"a","delta":{"content":"b"}}]}`, `choice, token, visible ab`, true},
	"parts":                {`{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"}]}}]}`, `choice, token, visible a`, true},
	"only thoughts":        {`{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":"hm"}]}}]}`, `choice, token`, true},
	"no parts":             {`{"choices":[{"index":0,"delta":{"content":[]}}]}`, `choice`, true},
	"delta null":           {`{"choices":[{"index":0,"delta":null,"finish_reason":"stop"}]}`, `choice, finish stop`, true},
	"index null":           {`{"choices":[{"index":null,"delta":{"content":"a"}}]}`, `choice, token, visible a`, true},
	"choices null":         {`{"choices":null,"usage":{"prompt_tokens":1,"completion_tokens":2}}`, `usage 1 2 -1`, false},
	"usage in the choice":  {`{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":1,"completion_tokens":2}}]}`, `choice, finish stop, usage 1 2 -1`, true},
	"usage as floats":      {`{"choices":[],"usage":{"prompt_tokens":1.0,"completion_tokens":2e1}}`, `usage 1 20 -1`, true},
	"usage with nulls":     {`{"choices":[],"usage":{"prompt_tokens":null,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":null}}}`, `usage -1 7 -1`, false},
	"error object":         {`{"error":{"message":"boom","code":500}}`, `failed`, true},
	"error text":           {`{"error":"boom","error_type":"overloaded"}`, `failed`, true},
	"error null":           {`{"error":null,"choices":[]}`, ``, false},
	"object error":         {`{"object":"error","message":"boom","code":400}`, `failed`, true},
	"type error":           {`{"type":"error","message":"boom"}`, `failed`, true},
	"error in a choice":    {`{"error":{"code":502},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`, `failed, choice, finish error`, true},
	"escaped name":         {`{"\u0063hoices":[{"index":0,"delta":{"content":"a"}}]}`, `choice, token, visible a`, true},
	"name twice":           {`{"choices":[],"choices":[{"index":0,"delta":{"content":"a"}}]}`, `choice, token, visible a`, true},
	"other capitals":       {`{"Choices":[{"index":0,"delta":{"content":"a"}}]}`, ``, false},
	"unknown event":        {`{"type":"ping"}`, ``, false},
	"empty":                {`{}`, ``, false},
	"deep":                 {`{"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, ``, true},
}

func TestChunks(t *testing.T) {
	t.Parallel()
	for name, c := range chunks {
		got, err := decode([]byte(c.in))
		if err != nil || got.String() != c.want {
			t.Errorf("%s: decoded %s, %v; want %s", name, got, err, c.want)
		}
		got, ok := scan([]byte(c.in))
		if ok == c.decoded {
			t.Errorf("%s: scanned %v, want %v", name, ok, !c.decoded)
		}
		if ok && got.String() != c.want {
			t.Errorf("%s: scanned %s; want %s", name, got, c.want)
		}
	}
}

func TestMalformedChunks(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		``, ` `, `null`, `true`, `1`, `"x"`, `[]`, `{`, `}`, `{}x`, `{} {}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`,
		`{"a":01}`, `{"a":-}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":+1}`, `{"a":nul}`, `{"a":nulll}`, `{"a":NaN}`, `{'a':1}`,
		"{\"a\":\"\n\"}", `{"a":"\x"}`, `{"a":"\u12g4"}`, `{"a":"\u12"}`, `{"a":"`, `{"a":"\`, `{"a":[1,]}`, `{"a":[1 2]}`, `{"a":[`,
		`{"choices":{}}`, `{"choices":"x"}`, `{"choices":[null]}`, `{"choices":[1]}`, `{"choices":[{"index":"0"}]}`, `{"choices":[{"index":0.5}]}`,
		`{"choices":[{"delta":"x"}]}`, `{"choices":[{"delta":{"content":1}}]}`, `{"choices":[{"delta":{"content":[1]}}]}`, `{"choices":[{"text":{}}]}`,
		`{"choices":[{"delta":{"content":[{"text":5}]}}]}`, `{"choices":[{"delta":{"reasoning":5}}]}`, `{"choices":[{"delta":{"tool_calls":"x"}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"function":"x"}]}}]}`, `{"choices":[{"finish_reason":5}]}`, `{"choices":[{"token_ids":"x"}]}`, `{"choices":[{"delta":{"refusal":{}}}]}`,
		`{"usage":[]}`, `{"usage":"x"}`, `{"usage":{"prompt_tokens":"5"}}`, `{"usage":{"completion_tokens":-5}}`, `{"usage":{"completion_tokens":1.5}}`,
		`{"usage":{"completion_tokens":1e300}}`, `{"usage":{"prompt_tokens_details":[]}}`, `{"choices":[{"usage":3}]}`,
	} {
		if _, ok := scan([]byte(in)); ok {
			t.Errorf("%s: scanned", in)
		}
		if c, err := parse([]byte(in)); err == nil {
			t.Errorf("%s: read as %s", in, c)
		}
	}
}

// FuzzScan: what the scan accepts is JSON, and the decoder finds the same in it.
func FuzzScan(f *testing.F) {
	for _, c := range chunks {
		f.Add([]byte(c.in))
	}
	f.Add([]byte(`{"choices":[{"finish_reason":"` + "\xff" + `"}]}`))
	f.Add([]byte(`{"a":-0.1E+5,"b":[true,false,null,{"c":"\u0041"}],"usage":{"completion_tokens":0}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, ok := scan(in)
		if !ok {
			return
		}
		if !json.Valid(in) {
			t.Fatalf("scanned what is not JSON: %q", in)
		}
		want, err := decode(in)
		if err != nil || got.String() != want.String() {
			t.Errorf("%q: scanned %s; decoded %s, %v", in, got, want, err)
		}
	})
}

func TestUnquote(t *testing.T) {
	t.Parallel()
	got, err := unquote(slices.Concat([]byte(`a\ud83d`), []byte(`\ude00\n`)))
	if err != nil || got != "a😀\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := unquote([]byte(`a"b`)); err == nil {
		t.Errorf("got %q", got)
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	for _, name := range []string{"vllm content", "continuous usage", "llama.cpp finish", "reasoning", "completion", "token ids"} {
		in := []byte(chunks[name].in)
		if n := testing.AllocsPerRun(1000, func() {
			if _, ok := scan(in); !ok {
				t.Error("not scanned")
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}
