package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// A Limit names the field that carries the most tokens to generate. Servers know
// one, the other or both, and some ignore the one that they do not know.
type Limit string

// The fields.
const (
	MaxTokens           Limit = "max_tokens"
	MaxCompletionTokens Limit = "max_completion_tokens"
	BothLimits          Limit = "both"
)

// Params are the fields of a request body that do not depend on the prompt. Every
// body asks for a stream that ends with usage.
type Params struct {
	Model           string
	OutputTokens    int      // most tokens to generate; 0 leaves it to the server
	Limit           Limit    // "" is MaxTokens
	MinTokens       int      // fewest tokens; 0 is not sent
	IgnoreEOS       bool     // generate on after the end token
	Temperature     *float64 // nil leaves it to the server
	Seed            *int64   // of the server's sampling; nil leaves it to the server
	NoUsage         bool     // send no stream_options, for servers that refuse them
	ContinuousUsage bool     // ask for usage in every chunk (vLLM and SGLang)
	TokenIDs        bool     // ask for return_token_ids (vLLM; SGLang refuses it)
	ContentParts    bool     // chat: content as a list of one text part instead of a string

	// Extra is merged last: a field that exists is replaced in its place, others
	// follow in the order of their names.
	Extra map[string]json.RawMessage
}

// Chat returns the body of a chat completion.
func (p Params) Chat(messages []Message) ([]byte, error) {
	var b bodyWriter
	for i, m := range messages {
		if !utf8.ValidString(m.Content) || !utf8.ValidString(m.Role) {
			return nil, fmt.Errorf("build request: message %d is not UTF-8", i)
		}
	}
	b.add("model", p.Model)
	if p.ContentParts {
		b.add("messages", inParts(messages))
	} else {
		b.add("messages", messages)
	}
	return p.finish(&b)
}

// Completion returns the body of a completion of text.
func (p Params) Completion(prompt string) ([]byte, error) {
	if !utf8.ValidString(prompt) {
		return nil, fmt.Errorf("build request: the prompt is not UTF-8")
	}
	var b bodyWriter
	b.add("model", p.Model)
	b.add("prompt", prompt)
	return p.finish(&b)
}

// finish adds the common fields and encodes the body.
func (p Params) finish(b *bodyWriter) ([]byte, error) {
	if p.OutputTokens > 0 {
		if p.Limit != MaxCompletionTokens {
			b.add("max_tokens", p.OutputTokens)
		}
		if p.Limit == MaxCompletionTokens || p.Limit == BothLimits {
			b.add("max_completion_tokens", p.OutputTokens)
		}
	}
	if p.MinTokens > 0 {
		b.add("min_tokens", p.MinTokens)
	}
	if p.IgnoreEOS {
		b.add("ignore_eos", true)
	}
	if p.Temperature != nil {
		b.add("temperature", *p.Temperature)
	}
	if p.Seed != nil {
		b.add("seed", *p.Seed)
	}
	b.add("stream", true)
	if !p.NoUsage {
		b.add("stream_options", streamOptions{IncludeUsage: true, Continuous: p.ContinuousUsage})
	}
	if p.TokenIDs {
		b.add("return_token_ids", true)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Extra)) {
		b.replace(name, p.Extra[name])
	}
	return b.bytes()
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
	Continuous   bool `json:"continuous_usage_stats,omitempty"`
}

// inParts returns messages in the form that carries lists of parts.
func inParts(messages []Message) any {
	type part struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	type message struct {
		Role    string `json:"role"`
		Content []part `json:"content"`
	}
	out := make([]message, len(messages))
	for i, m := range messages {
		out[i] = message{m.Role, []part{{"text", m.Content}}}
	}
	return out
}

// A bodyWriter writes one JSON object whose fields keep their order.
type bodyWriter struct {
	names  []string
	values []any
}

func (b *bodyWriter) add(name string, value any) {
	b.names = append(b.names, name)
	b.values = append(b.values, value)
}

func (b *bodyWriter) replace(name string, value any) {
	if i := slices.Index(b.names, name); i >= 0 {
		b.values[i] = value
		return
	}
	b.add(name, value)
}

func (b *bodyWriter) bytes() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	out.WriteByte('{')
	for i, name := range b.names {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := enc.Encode(name); err != nil {
			return nil, fmt.Errorf("build request: field %s: %w", name, err)
		}
		out.Truncate(out.Len() - 1) // the encoder ends with a newline
		out.WriteByte(':')
		if err := enc.Encode(b.values[i]); err != nil {
			return nil, fmt.Errorf("build request: field %s: %w", name, err)
		}
		out.Truncate(out.Len() - 1)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
