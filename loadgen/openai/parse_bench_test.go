package openai

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// BenchmarkParse reads the events that servers send for ordinary tokens: by the
// scan; by the decoder that it falls back to; by go-json-experiment/json into the
// least that a chunk needs; and by that library's tokens alone.
func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"vllm content", "continuous usage", "reasoning_content", "completion"} {
		data := []byte(chunks[name].in)
		tokenizer := jsontext.NewDecoder(new(bytes.Buffer))
		for how, read := range map[string]func() bool{
			"scan":      func() bool { _, ok := scan(data); return ok },
			"decode":    func() bool { _, err := decode(data); return err == nil },
			"json v2":   func() bool { return json.Unmarshal(data, &lean{}, jsontext.AllowDuplicateNames(true)) == nil },
			"tokenizer": func() bool { return tokens(tokenizer, data) },
		} {
			b.Run(name+"/"+how, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if !read() {
						b.Fatal("not read")
					}
				}
			})
		}
	}
}

// lean holds what a chunk takes of an event in its usual forms.
type lean struct {
	Object, Type string
	Error        jsontext.Value
	Choices      []struct {
		Index        int
		Text         jsontext.Value
		FinishReason *string        `json:"finish_reason"`
		TokenIDs     jsontext.Value `json:"token_ids"`
		Delta        struct {
			Content          jsontext.Value
			Reasoning        jsontext.Value
			ReasoningContent jsontext.Value `json:"reasoning_content"`
			ToolCalls        jsontext.Value `json:"tool_calls"`
		}
	}
	Usage *struct {
		PromptTokens     *float64 `json:"prompt_tokens"`
		CompletionTokens *float64 `json:"completion_tokens"`
	}
}

// tokens only walks over an event: what any reader on top of jsontext costs at
// least.
func tokens(d *jsontext.Decoder, data []byte) bool {
	d.Reset(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := d.ReadToken(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}
