package openai

import (
	"bytes"
	"unicode/utf8"
)

// scan reads the data of an event in one pass, without allocation. It knows the
// forms that servers send for ordinary tokens and gives up on everything else: it
// says false for what it does not know, and for every fault. What it accepts is
// JSON, and it finds in it what [decode] finds.
//
// It is written by hand because it runs once for every token of every stream, in
// the goroutine that takes the times: go-json-experiment/json takes 2 to 4 times as
// long for the same events, and allocates; [decode] takes 17 to 30 times as long.
// BenchmarkParse measures it, docs/performance.md says what follows.
func scan(data []byte) (chunk, bool) {
	s := scanner{b: data}
	c := newChunk()
	ok := s.object(func(name []byte) bool { return s.topMember(&c, name) })
	s.space()
	return c, ok && s.i == len(s.b)
}

// maxDepth is how deep values may be nested before the scan gives up.
const maxDepth = 32

// A scanner is a place in JSON. Its methods consume what they are named after and
// report whether it was there.
type scanner struct {
	b     []byte
	i     int
	depth int
	seen  seen
}

// seen holds the members that may come once: a second time, the last one counts,
// which the scan leaves to the decoder.
type seen uint32

const (
	seenChoices seen = 1 << iota
	seenUsage
	seenError
	seenObject
	seenType
	seenIndex
	seenDelta
	seenText
	seenIDs
	seenFinish
	seenContent
	seenRefusal
	seenReasoning
	seenReasoningContent
	seenCalls
	seenCall
	seenPrompt
	seenCompletion
	seenDetails
	seenCached
	seenChoice // one with index 0
)

// once reports whether a member comes for the first time.
func (s *scanner) once(m seen) bool {
	first := s.seen&m == 0
	s.seen |= m
	return first
}

// topMember reads a member of the event.
func (s *scanner) topMember(c *chunk, name []byte) bool {
	switch string(name) {
	case "choices":
		return s.once(seenChoices) && (s.null() || s.array(func() bool { return s.choice(c) }))
	case "usage":
		return s.once(seenUsage) && (s.null() || s.usage(c))
	case "error":
		return s.once(seenError) && s.null() // an error is the decoder's
	case "object":
		return s.once(seenObject) && s.notError()
	case "type":
		return s.once(seenType) && s.notError()
	}
	return s.value()
}

// notError reads a string that does not say that the event is an error.
func (s *scanner) notError() bool {
	v, ok := s.plainString()
	return ok && string(v) != "error"
}

// choice reads an element of choices.
func (s *scanner) choice(c *chunk) bool {
	one := newChunk()
	other := false
	s.seen &^= seenIndex | seenDelta | seenText | seenIDs | seenFinish
	ok := s.object(func(name []byte) bool { return s.choiceMember(&one, &other, name) })
	if !ok {
		return false
	}
	if other {
		c.others = true
		return true
	}
	if !s.once(seenChoice) {
		return false
	}
	c.choice, c.token, c.visible, c.text, c.ids, c.finish = true, one.token, one.visible, one.text, one.ids, one.finish
	return true
}

func (s *scanner) choiceMember(c *chunk, other *bool, name []byte) bool {
	switch string(name) {
	case "index":
		n, ok := s.number()
		*other = n != 0
		return s.once(seenIndex) && ok
	case "delta":
		s.seen &^= seenContent | seenRefusal | seenReasoning | seenReasoningContent | seenCalls | seenCall
		return s.once(seenDelta) && s.object(func(name []byte) bool { return s.deltaMember(c, name) })
	case "text":
		return s.once(seenText) && (s.null() || s.visible(c))
	case "token_ids":
		return s.once(seenIDs) && (s.null() || s.ids(c))
	case "finish_reason":
		return s.once(seenFinish) && (s.null() || s.finish(c))
	case "usage":
		return s.null()
	}
	return s.value()
}

func (s *scanner) deltaMember(c *chunk, name []byte) bool {
	switch string(name) {
	case "content":
		return s.once(seenContent) && (s.null() || s.visible(c))
	case "refusal":
		return s.once(seenRefusal) && s.null()
	case "reasoning":
		return s.once(seenReasoning) && (s.null() || s.hidden(c))
	case "reasoning_content":
		return s.once(seenReasoningContent) && (s.null() || s.hidden(c))
	case "tool_calls":
		return s.once(seenCalls) && (s.null() || s.emptyArray())
	case "function_call":
		return s.once(seenCall) && s.null()
	}
	return s.value()
}

// visible reads the only visible text of a choice.
func (s *scanner) visible(c *chunk) bool {
	text, _, ok := s.str()
	if !ok || c.visible && len(text) > 0 {
		return false
	}
	if len(text) > 0 {
		c.token, c.visible, c.text = true, true, text
	}
	return true
}

func (s *scanner) hidden(c *chunk) bool {
	text, _, ok := s.str()
	c.token = c.token || len(text) > 0
	return ok
}

func (s *scanner) finish(c *chunk) bool {
	v, ok := s.plainString()
	if len(v) > 0 {
		c.finish = v
	}
	return ok && utf8.Valid(v)
}

func (s *scanner) ids(c *chunk) bool {
	c.ids = 0
	return s.array(func() bool {
		c.ids++
		return s.value()
	})
}

func (s *scanner) usage(c *chunk) bool {
	c.usage = true
	return s.object(func(name []byte) bool {
		switch string(name) {
		case "prompt_tokens":
			return s.once(seenPrompt) && s.count(&c.prompt)
		case "completion_tokens":
			return s.once(seenCompletion) && s.count(&c.completion)
		case "prompt_tokens_details":
			return s.once(seenDetails) && (s.null() || s.object(func(name []byte) bool {
				if string(name) == "cached_tokens" {
					return s.once(seenCached) && s.count(&c.cached)
				}
				return s.value()
			}))
		}
		return s.value()
	})
}

// count reads a number of tokens, or null.
func (s *scanner) count(into *int) bool {
	if s.null() {
		return true
	}
	n, ok := s.number()
	*into = n
	return ok
}

// emptyArray reads an array without elements.
func (s *scanner) emptyArray() bool {
	return s.byte('[') && s.byte(']')
}

// plainString reads a string without escapes.
func (s *scanner) plainString() ([]byte, bool) {
	v, escaped, ok := s.str()
	return v, ok && !escaped
}

// number reads a whole number of at most nine digits.
func (s *scanner) number() (int, bool) {
	s.space()
	start, n := s.i, 0
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' && s.i-start < 10 {
		n = 10*n + int(s.b[s.i]-'0')
		s.i++
	}
	digits := s.i - start
	if digits == 0 || digits > 9 || digits > 1 && s.b[start] == '0' {
		return 0, false
	}
	return n, s.i == len(s.b) || !bytes.ContainsRune([]byte(".eE"), rune(s.b[s.i]))
}
