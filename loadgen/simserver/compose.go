package simserver

import (
	"strconv"
	"time"
)

// beginsEarly reports whether the headers leave before the first token.
func (a *answer) beginsEarly() bool {
	return a.req.stream && (a.opt.Headers == HeadersEarly || a.opt.Role == RoleEarly)
}

// begin composes the headers of a stream.
func (a *answer) begin() {
	a.began = true
	a.rec.Status = 200
	b := append(a.group, "HTTP/1.1 200 OK\r\nServer: arena-sim\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-store\r\n"...)
	if a.opt.Framing == FramingChunked {
		b = append(b, "Transfer-Encoding: chunked\r\n"...)
	}
	b = append(b, a.connectionHeader()...)
	a.group = append(b, "\r\n"...)
	if a.opt.Role == RoleEarly {
		a.roleEvent()
	}
}

// connectionHeader returns the header that says what becomes of the connection.
func (a *answer) connectionHeader() string {
	switch {
	case a.opt.Close == CloseAnnounced, a.opt.Framing == FramingClose, a.req.close:
		return "Connection: close\r\n"
	case a.opt.Close == CloseSilent:
		return "Connection: keep-alive\r\nKeep-Alive: timeout=5, max=100\r\n"
	}
	return "Connection: keep-alive\r\n"
}

// keeps reports whether the connection stays open after a proper end.
func (a *answer) keeps() bool {
	return a.opt.Close == CloseNever && a.opt.Framing == FramingChunked && !a.req.close
}

// nextComment returns when the next comment before the first token is due.
func (a *answer) nextComment() Offset {
	if a.opt.CommentEvery == 0 || a.events > 0 || !a.req.stream {
		return Never
	}
	return a.rec.Arrived + time.Duration(a.comments+1)*a.opt.CommentEvery
}

// comment composes a comment.
func (a *answer) comment() {
	if !a.began {
		a.begin()
	}
	a.comments++
	a.frame(append(a.scratch(), ": waiting"...))
}

// event composes the tokens that gather showed and sends them, unless they are to
// be joined by others.
func (a *answer) event(due Offset) {
	b, _ := a.gather()
	last := a.atLast()
	a.held = 0
	a.pop(a.queue[0])
	if !a.req.stream {
		a.body(due, b.tokens)
		return
	}
	if !a.began {
		a.begin()
	}
	if a.opt.CommentEvents {
		a.frame(append(a.scratch(), ": event"...))
	}
	if a.opt.Role == RoleBefore && a.events == 0 {
		a.roleEvent()
	}
	a.tokenEvent(b.tokens, last)
	a.events++
	a.tokens += b.tokens
	a.grouped++
	if last || a.grouped >= a.opt.Coalesce {
		a.send(due)
	}
}

// finishUp composes and sends what follows the last token.
func (a *answer) finishUp(due Offset) {
	a.tail = true
	a.keep = a.keeps()
	before := len(a.group)
	if a.opt.Finish == FinishOwn {
		a.finishEvent()
	}
	if a.opt.Usage == UsageAlways || a.req.includeUsage && (a.opt.Usage == UsageAsked || a.opt.Usage == UsageNull) {
		a.usageEvent()
	}
	if a.opt.Done {
		a.frame(append(a.scratch(), "data: [DONE]"...))
	}
	if len(a.group) > before {
		a.mark(0, EventEnd)
	}
	a.endBody()
	if len(a.group) > 0 {
		a.send(due)
	}
}

// mark notes an event that is composed.
func (a *answer) mark(tokens int, kind EventKind) {
	a.rec.Events = append(a.rec.Events, Event{Due: Never, Sent: Never, Tokens: tokens, Kind: kind})
}

// endBody composes the end of the body.
func (a *answer) endBody() {
	if a.opt.Framing == FramingChunked {
		a.group = append(a.group, "0\r\n\r\n"...)
	}
}

// scratch returns an empty buffer that lives until the next call of frame.
func (a *answer) scratch() []byte { return a.out.scratch[:0] }

// frame adds the lines of one event, which come without their end, to what is
// composed.
func (a *answer) frame(p []byte) {
	end := "\n\n"
	if a.opt.CRLF {
		end = "\r\n\r\n"
	}
	p = append(p, end...)
	a.out.scratch = p
	if a.opt.Framing == FramingClose {
		a.group = append(a.group, p...)
		return
	}
	a.group = strconv.AppendInt(a.group, int64(len(p)), 16)
	a.group = append(a.group, "\r\n"...)
	a.group = append(a.group, p...)
	a.group = append(a.group, "\r\n"...)
}
