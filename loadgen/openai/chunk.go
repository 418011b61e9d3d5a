package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.org/arena/loadgen"
)

// A chunk is what matters of one event of a stream.
type chunk struct {
	choice  bool   // it has a choice with index 0, the one that counts
	others  bool   // it has choices with another index
	token   bool   // text on any channel: content, reasoning, refusal, a tool call
	visible bool   // text that a reader sees: content or refusal
	text    []byte // visible text as it stands in the JSON string, without its quotes
	ids     int    // token ids of the choice, Unknown without
	finish  []byte // finish reason, nil without
	failed  bool   // it says that something went wrong

	usage                      bool // it has usage
	prompt, completion, cached int  // tokens, Unknown where usage does not say
}

// newChunk returns a chunk of nothing.
func newChunk() chunk {
	const u = loadgen.Unknown
	return chunk{ids: u, prompt: u, completion: u, cached: u}
}

// parse reads the data of an event: by a scan that knows the usual forms, and by
// the JSON decoder for everything else, faults included.
func parse(data []byte) (chunk, error) {
	if c, ok := scan(data); ok {
		return c, nil
	}
	return decode(data)
}

// object is a JSON object whose names match exactly and whose last value of a
// name counts.
type object map[string]json.RawMessage

// get returns a value, nil when it is null or missing.
func (o object) get(name string) json.RawMessage {
	v := o[name]
	if isNull(v) {
		return nil
	}
	return v
}

func isNull(v []byte) bool { return len(v) == 0 || string(v) == "null" }

// decode is parse by the JSON decoder alone.
func decode(data []byte) (chunk, error) {
	c := newChunk()
	var top object
	if err := json.Unmarshal(data, &top); err != nil {
		return c, fmt.Errorf("read chunk: %w", err)
	}
	if top == nil {
		return c, errors.New("read chunk: null")
	}
	c.failed = top.get("error") != nil || string(top["object"]) == `"error"` || string(top["type"]) == `"error"`
	var choices []object
	if err := unmarshal(top, "choices", &choices); err != nil {
		return c, err
	}
	for _, choice := range choices {
		if err := c.addChoice(choice); err != nil {
			return c, err
		}
	}
	return c, c.addUsage(top)
}

// unmarshal decodes a member that may be missing or null.
func unmarshal(o object, name string, into any) error {
	v := o.get(name)
	if v == nil {
		return nil
	}
	if err := json.Unmarshal(v, into); err != nil {
		return fmt.Errorf("read chunk: %s: %w", name, err)
	}
	return nil
}

// addChoice adds one element of choices.
func (c *chunk) addChoice(o object) error {
	if o == nil {
		return errors.New("read chunk: choices: null")
	}
	index := 0
	if err := unmarshal(o, "index", &index); err != nil {
		return err
	}
	if index != 0 {
		c.others = true
		return nil
	}
	c.choice = true
	var delta object
	var ids []json.RawMessage
	var finish string
	for _, err := range []error{
		unmarshal(o, "delta", &delta),
		unmarshal(o, "token_ids", &ids),
		unmarshal(o, "finish_reason", &finish),
		c.addText(o.get("text")),
		c.addContent(delta.get("content")),
		c.addText(delta.get("refusal")),
		c.addHidden(delta, "reasoning"),
		c.addHidden(delta, "reasoning_content"),
		c.addCalls(delta),
		c.addUsage(o), // where some put it
	} {
		if err != nil {
			return err
		}
	}
	if o.get("token_ids") != nil {
		c.ids = max(c.ids, 0) + len(ids)
	}
	if finish != "" {
		c.finish = []byte(finish)
	}
	return nil
}

// addText adds visible text: a string.
func (c *chunk) addText(v json.RawMessage) error {
	if v == nil {
		return nil
	}
	if v[0] != '"' {
		return errors.New("read chunk: text is not a string")
	}
	if raw := v[1 : len(v)-1]; len(raw) > 0 {
		c.token, c.visible = true, true
		c.text = append(slices.Clip(c.text), raw...)
	}
	return nil
}

// addContent adds text that may come as a list of parts, of which some are
// thoughts.
func (c *chunk) addContent(v json.RawMessage) error {
	if v == nil || v[0] == '"' {
		return c.addText(v)
	}
	var parts []object
	if err := json.Unmarshal(v, &parts); err != nil {
		return fmt.Errorf("read chunk: content: %w", err)
	}
	for _, p := range parts {
		if p.get("thinking") != nil {
			c.token = true
		}
		if err := c.addText(p.get("text")); err != nil {
			return err
		}
	}
	return nil
}

// addHidden adds text that a reader does not see.
func (c *chunk) addHidden(delta object, name string) error {
	var text string
	if err := unmarshal(delta, name, &text); err != nil {
		return err
	}
	c.token = c.token || text != ""
	return nil
}

// addCalls adds the calls of tools. A call with neither name nor arguments, as
// some send at the end, is no token.
func (c *chunk) addCalls(delta object) error {
	var calls []object
	if err := unmarshal(delta, "tool_calls", &calls); err != nil {
		return err
	}
	calls = append(calls, object{"function": delta["function_call"]})
	for _, call := range calls {
		var function object
		if err := unmarshal(call, "function", &function); err != nil {
			return err
		}
		for _, name := range []string{"name", "arguments"} {
			if v := function.get(name); v != nil && string(v) != `""` {
				c.token = true
			}
		}
	}
	return nil
}

// addUsage adds the counts of a member "usage".
func (c *chunk) addUsage(o object) error {
	var usage, details object
	if err := unmarshal(o, "usage", &usage); err != nil {
		return err
	}
	if usage == nil {
		return nil
	}
	if err := unmarshal(usage, "prompt_tokens_details", &details); err != nil {
		return err
	}
	c.usage = true
	for _, f := range []struct {
		o    object
		name string
		into *int
	}{
		{usage, "prompt_tokens", &c.prompt},
		{usage, "completion_tokens", &c.completion},
		{details, "cached_tokens", &c.cached},
	} {
		if v := f.o.get(f.name); v != nil {
			n, err := count(v)
			if err != nil {
				return fmt.Errorf("read chunk: %s: %w", f.name, err)
			}
			*f.into = n
		}
	}
	return nil
}

// count reads a whole number that is not negative, however it is written.
func count(v []byte) (int, error) {
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f < 0 || f > math.MaxInt32 || f != math.Trunc(f) {
		return 0, fmt.Errorf("%.20s is no number of tokens", v)
	}
	return int(f), nil
}

// unquote returns the text of pieces of JSON strings, put together before they are
// decoded: a character may be split over two.
func unquote(raw []byte) (string, error) {
	var s string
	quoted := bytes.Join([][]byte{{'"'}, raw, {'"'}}, nil)
	if err := json.Unmarshal(quoted, &s); err != nil {
		return "", fmt.Errorf("read text: %w", err)
	}
	return s, nil
}
