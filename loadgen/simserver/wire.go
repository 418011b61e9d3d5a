package simserver

import (
	"net/http"
	"strconv"
)

// open begins the JSON of one event.
func (a *answer) open() []byte {
	p := append(a.scratch(), "data: {"...)
	return append(p, a.req.head...)
}

// roleEvent composes the event that names the role and holds no token.
func (a *answer) roleEvent() {
	if !a.req.chat {
		return // completions have no roles
	}
	p := append(a.open(), `"choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]`...)
	p = a.promptIDs(p)
	a.frame(append(a.usage(p, 0, false), '}'))
	a.mark(0, EventRole)
}

// tokenEvent composes an event with the next n tokens.
func (a *answer) tokenEvent(n int, last bool) {
	p := append(a.open(), `"choices":[{"index":0,`...)
	var kind EventKind
	if a.req.chat {
		p, kind = a.delta(p, n)
	} else {
		p = append(p, `"text":"`...)
		for i := range n {
			p = append(p, a.word(a.tokens+i)...)
		}
		p, kind = append(p, '"'), EventContent
	}
	p = append(p, `,"logprobs":null,"finish_reason":`...)
	finishes := last && a.opt.Finish == FinishIn
	if finishes {
		p = a.finishReason(p)
	} else {
		p = append(p, "null"...)
	}
	if a.req.returnIDs {
		p = append(p, `,"token_ids":[`...)
		for i := range n {
			if i > 0 {
				p = append(p, ',')
			}
			p = strconv.AppendInt(p, int64(a.id(a.tokens+i)), 10)
		}
		p = append(p, ']')
	}
	p = append(p, "}]"...)
	if a.events == 0 && (a.opt.Role == RoleIn || a.opt.Role == RoleNone || a.opt.Role == RoleEvery || !a.req.chat) {
		p = a.promptIDs(p)
	}
	// Without a finish reason the usage of UsageFinish has this place only.
	a.frame(append(a.usage(p, n, finishes || last && a.opt.Finish == FinishNone), '}'))
	a.mark(n, kind)
}

// delta composes the delta of n tokens, which may be on several channels.
func (a *answer) delta(p []byte, n int) ([]byte, EventKind) {
	kind := EventKind(0)
	p = append(p, `"delta":{`...)
	begin := len(p)
	if a.opt.Role == RoleEvery || a.opt.Role == RoleIn && a.events == 0 {
		p = append(p, `"role":"assistant"`...)
	}
	for i := 0; i < n; {
		channel := a.channel(a.tokens + i)
		if len(p) > begin {
			p = append(p, ',')
		}
		from := i
		for i < n && a.channel(a.tokens+i) == channel {
			i++
		}
		p = a.channelText(p, channel, a.tokens+from, a.tokens+i)
		if kind != EventContent {
			kind = channel
		}
	}
	return append(p, '}'), kind
}

// channel returns where token i goes.
func (a *answer) channel(i int) EventKind {
	switch {
	case i < a.opt.Reasoning:
		return EventReasoning
	case i >= a.limit-a.opt.Tool:
		return EventTool
	}
	return EventContent
}

// channelText composes tokens from to to, all of one channel.
func (a *answer) channelText(p []byte, channel EventKind, from, to int) []byte {
	end := `"`
	switch channel {
	case EventReasoning:
		p = append(p, '"')
		p = append(p, a.opt.ReasoningField...)
		p = append(p, `":"`...)
	case EventTool:
		p = append(p, `"tool_calls":[{"index":0,`...)
		if from == max(a.limit-a.opt.Tool, a.opt.Reasoning) {
			p = append(p, `"id":"call_sim","type":"function","function":{"name":"look_up","arguments":"{\"q\":\"`...)
		} else {
			p = append(p, `"function":{"arguments":"`...)
		}
		end = `"}}]`
		if to == a.limit {
			end = `\"}"}}]`
		}
	default:
		p = append(p, `"content":"`...)
	}
	for i := from; i < to; i++ {
		p = append(p, a.word(i)...)
	}
	return append(p, end...)
}

// finishEvent composes an event with nothing but the finish reason.
func (a *answer) finishEvent() {
	p := append(a.open(), `"choices":[{"index":0,`...)
	switch {
	case !a.req.chat:
		p = append(p, `"text":""`...)
	case a.opt.Role == RoleEvery:
		p = append(p, `"delta":{"role":"assistant","content":""}`...)
	default:
		p = append(p, `"delta":{}`...)
	}
	p = a.finishReason(append(p, `,"logprobs":null,"finish_reason":`...))
	a.frame(append(a.usage(append(p, "}]"...), 0, true), '}'))
}

// usageEvent composes an event with nothing but the usage.
func (a *answer) usageEvent() {
	p := append(a.open(), `"choices":[],"usage":`...)
	a.frame(append(a.usageObject(p, a.tokens), '}'))
}

// finishReason composes why the answer ends, and notes it.
func (a *answer) finishReason(p []byte) []byte {
	a.rec.Finish = a.reason
	p = append(p, '"')
	p = append(p, a.reason...)
	return append(p, '"')
}

// usage composes the usage of an event with n new tokens, as far as it has one.
func (a *answer) usage(p []byte, n int, finishes bool) []byte {
	continuous := a.opt.Continuous == ContinuousAlways || a.opt.Continuous == ContinuousAsked && a.req.continuousUsage
	switch {
	case continuous && a.opt.Usage != UsageNone, finishes && a.opt.Usage == UsageFinish:
		return a.usageObject(append(p, `,"usage":`...), a.tokens+n)
	case a.opt.Usage == UsageNull:
		return append(p, `,"usage":null`...)
	}
	return p
}

// usageObject composes the usage after so many tokens.
func (a *answer) usageObject(p []byte, tokens int) []byte {
	tokens = max(tokens+a.opt.UsageError, 0)
	p = strconv.AppendInt(append(p, `{"prompt_tokens":`...), int64(a.rec.PromptTokens), 10)
	p = strconv.AppendInt(append(p, `,"total_tokens":`...), int64(a.rec.PromptTokens+tokens), 10)
	p = strconv.AppendInt(append(p, `,"completion_tokens":`...), int64(tokens), 10)
	if a.srv.caches() {
		p = strconv.AppendInt(append(p, `,"prompt_tokens_details":{"cached_tokens":`...), int64(a.rec.CachedTokens), 10)
		p = append(p, '}')
	}
	return append(p, '}')
}

// promptIDs composes the tokens of the prompt, where they are asked for.
func (a *answer) promptIDs(p []byte) []byte {
	if !a.req.returnIDs {
		return p
	}
	p = append(p, `,"prompt_token_ids":[`...)
	for i, id := range a.req.ids {
		if i > 0 {
			p = append(p, ',')
		}
		p = strconv.AppendInt(p, int64(id), 10)
	}
	return append(p, ']')
}

// body composes and sends the answer to a request without streaming.
func (a *answer) body(due Offset, tokens int) {
	body := a.bodyJSON(tokens)
	a.events, a.tokens = 1, tokens
	a.rec.Status = 200
	a.group = responseHead(a.group, 200, "application/json", len(body), a.connectionHeader())
	a.group = append(a.group, body...)
	a.mark(tokens, EventBody)
	a.tail, a.keep = true, a.keeps()
	a.send(due)
}

// bodyJSON returns the whole answer.
func (a *answer) bodyJSON(tokens int) []byte {
	text := func(p []byte, from, to int) []byte {
		for i := from; i < to; i++ {
			p = append(p, a.word(i)...)
		}
		return p
	}
	p := append([]byte{'{'}, a.req.head...)
	if !a.req.chat {
		p = text(append(p, `"choices":[{"index":0,"text":"`...), 0, tokens)
		p = append(p, `","logprobs":null,"finish_reason":`...)
	} else {
		thought := min(a.opt.Reasoning, tokens)
		tool := max(tokens-a.opt.Tool, thought)
		p = append(p, `"choices":[{"index":0,"message":{"role":"assistant","content":`...)
		if tool > thought {
			p = append(text(append(p, '"'), thought, tool), '"')
		} else {
			p = append(p, "null"...)
		}
		if thought > 0 {
			p = append(append(append(p, `,"`...), a.opt.ReasoningField...), `":"`...)
			p = append(text(p, 0, thought), '"')
		}
		if tool < tokens {
			p = append(p, `,"tool_calls":[{"id":"call_sim","type":"function","function":{"name":"look_up","arguments":"{\"q\":\"`...)
			p = append(text(p, tool, tokens), `\"}"}}]`...)
		}
		p = append(p, `},"logprobs":null,"finish_reason":`...)
	}
	p = append(a.finishReason(p), "}]"...)
	if a.opt.Usage != UsageNone {
		p = a.usageObject(append(p, `,"usage":`...), tokens)
	}
	return append(p, '}')
}

// responseHead composes the head of an answer that is not a stream, with more
// headers, each with its end of line.
func responseHead(p []byte, status int, contentType string, length int, more string) []byte {
	p = strconv.AppendInt(append(p, "HTTP/1.1 "...), int64(status), 10)
	p = append(append(append(p, ' '), http.StatusText(status)...), "\r\nServer: arena-sim\r\nContent-Type: "...)
	p = append(append(p, contentType...), "\r\nContent-Length: "...)
	p = strconv.AppendInt(p, int64(length), 10)
	return append(append(append(p, "\r\n"...), more...), "\r\n"...)
}
