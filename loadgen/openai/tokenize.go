package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A Dialect is a server's way to tokenise.
type Dialect string

// The dialects.
const (
	VLLM     Dialect = "vllm"      // POST /tokenize {"prompt"} or {"messages"}
	SGLang   Dialect = "sglang"    // POST /tokenize {"prompt"}: text only
	LlamaCpp Dialect = "llama.cpp" // POST /tokenize {"content"}, POST /apply-template
)

// Tokens is a tokenised text.
type Tokens struct {
	Count int
	IDs   []int
}

// DetectDialect finds out how the server tokenises, by asking it to. The error is
// [ErrNotOffered] when it does not.
func (c *Client) DetectDialect(ctx context.Context) (Dialect, error) {
	var errs []error
	for _, d := range []Dialect{VLLM, LlamaCpp} {
		t, err := c.Tokenize(ctx, d, "one two three")
		switch {
		case err == nil && t.Count == 0: // it took the text under another name
			err = fmt.Errorf("/tokenize: no tokens as %s", d)
		case err == nil && d == VLLM && c.isSGLang(ctx):
			return SGLang, nil
		case err == nil:
			return d, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	return "", fmt.Errorf("find out how the server tokenises: %w", errors.Join(errs...))
}

// isSGLang tells SGLang from vLLM, whose questions look the same: only vLLM gives
// the text of tokens under "prompt".
func (c *Client) isSGLang(ctx context.Context) bool {
	var answer struct {
		Text *string `json:"text"`
	}
	err := c.call(ctx, "/detokenize", map[string]any{"model": c.options.Model, "tokens": []int{}}, &answer)
	return err == nil && answer.Text != nil
}

// Tokenize returns the tokens of a text as the prompt of a completion: with the
// begin token where the model has one.
func (c *Client) Tokenize(ctx context.Context, d Dialect, text string) (Tokens, error) {
	if !utf8.ValidString(text) { // the encoder would send something else
		return Tokens{}, errors.New("/tokenize: the text is not UTF-8")
	}
	if d == LlamaCpp {
		return c.tokenize(ctx, map[string]any{"content": text, "add_special": true, "parse_special": true})
	}
	return c.tokenize(ctx, map[string]any{"model": c.options.Model, "prompt": text, "add_special_tokens": true})
}

// TokenizeChat returns the tokens of a conversation in the model's template, with
// the beginning of the answer. SGLang does not offer it.
func (c *Client) TokenizeChat(ctx context.Context, d Dialect, messages []Message) (Tokens, error) {
	switch d {
	case LlamaCpp:
		var prompt struct {
			Prompt string `json:"prompt"`
		}
		if err := c.call(ctx, "/apply-template", map[string]any{"messages": messages}, &prompt); err != nil {
			return Tokens{}, err
		}
		return c.Tokenize(ctx, d, prompt.Prompt)
	case VLLM:
		return c.tokenize(ctx, map[string]any{"model": c.options.Model, "messages": messages, "add_generation_prompt": true})
	case SGLang:
	}
	return Tokens{}, fmt.Errorf("/tokenize: conversations on %s: %w", d, ErrNotOffered)
}

// tokenize asks and reads any dialect's answer.
func (c *Client) tokenize(ctx context.Context, question map[string]any) (Tokens, error) {
	var answer struct {
		Tokens json.RawMessage `json:"tokens"`
		Count  *int            `json:"count"`
	}
	if err := c.call(ctx, "/tokenize", question, &answer); err != nil {
		return Tokens{}, err
	}
	given := len(answer.Tokens) > 0 && string(answer.Tokens) != "null"
	if !given && answer.Count == nil {
		return Tokens{}, errors.New("/tokenize: the answer has neither tokens nor a count")
	}
	var t Tokens
	if given {
		var err error
		if t.IDs, err = readTokens(answer.Tokens); err != nil {
			return Tokens{}, err
		}
		t.Count = len(t.IDs)
	}
	if answer.Count == nil {
		return t, nil
	}
	if given && *answer.Count != t.Count {
		return Tokens{}, fmt.Errorf("/tokenize: it says %d tokens and gives %d", *answer.Count, t.Count)
	}
	t.Count = *answer.Count
	return t, nil
}

// readTokens reads a list of ids: numbers, most often, which are read at once.
func readTokens(list json.RawMessage) ([]int, error) {
	ids := []int{}
	if json.Unmarshal(list, &ids) == nil {
		return ids, nil
	}
	var pieces []json.RawMessage
	if err := json.Unmarshal(list, &pieces); err != nil {
		return nil, fmt.Errorf("/tokenize: tokens: %w", err)
	}
	ids = make([]int, len(pieces))
	for i, raw := range pieces {
		if err := readToken(raw, &ids[i]); err != nil {
			return nil, fmt.Errorf("/tokenize: token %d: %w", i, err)
		}
	}
	return ids, nil
}

// readToken reads an id, bare or with its text as llama.cpp can give it.
func readToken(raw json.RawMessage, id *int) error {
	if json.Unmarshal(raw, id) == nil {
		return nil
	}
	var piece struct {
		ID *int `json:"id"`
	}
	if err := json.Unmarshal(raw, &piece); err != nil || piece.ID == nil {
		return errors.New("neither a number nor an object with an id")
	}
	*id = *piece.ID
	return nil
}
