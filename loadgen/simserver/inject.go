package simserver

import (
	"net/http"
	"time"
)

// gap returns the time between the bytes of FaultDrip.
func (f *Fault) gap() time.Duration {
	if f.Gap == 0 {
		return 20 * time.Millisecond
	}
	return f.Gap
}

// atArrival reports whether the fault strikes before any byte of the answer.
func (f *Fault) atArrival() bool {
	switch f.Kind {
	case FaultHang, FaultStatus, FaultHTML, FaultEmpty:
		return true
	case FaultReset:
		return f.After == 0
	default:
		return false
	}
}

// midStream reports whether the fault strikes in the course of an answer.
func (f *Fault) midStream() bool {
	switch f.Kind {
	case FaultReset, FaultStall, FaultTruncate, FaultCut, FaultError, FaultMalformed, FaultChunk:
		return true
	default:
		return false
	}
}

// throughout reports whether the fault is there from the start.
func (f *Fault) throughout() bool {
	return f.Kind == FaultDrip || f.Kind == FaultEndless || f.Kind == FaultIdleClose
}

// injectsNow reports whether the fault strikes in place of the tokens that are next,
// or of the end.
func (a *answer) injectsNow(b batch) bool {
	if a.injected || !a.opt.Fault.midStream() {
		return false
	}
	return a.events >= a.opt.Fault.After || b.tokens == 0 || !a.req.stream
}

// inject makes the fault happen.
func (a *answer) inject(due Offset) {
	f := &a.opt.Fault
	if !f.atArrival() {
		a.injectMidStream(due)
		return
	}
	switch f.Kind {
	default:
	case FaultReset:
		a.breakOff(true)
	case FaultHang:
		a.stall()
	case FaultStatus:
		a.respond(due, f.status(), "application/json", f.body())
	case FaultHTML:
		a.respond(due, http.StatusOK, "text/html; charset=utf-8", "<html><body><h1>Please sign in</h1></body></html>")
	case FaultEmpty:
		a.respond(due, http.StatusOK, "text/event-stream; charset=utf-8", "")
	}
}

// status returns the status of FaultStatus.
func (f *Fault) status() int {
	if f.Status == 0 {
		return http.StatusInternalServerError
	}
	return f.Status
}

// body returns the body of FaultStatus.
func (f *Fault) body() string {
	if f.Body != "" {
		return f.Body
	}
	return errorJSON(f.status(), "simulated fault", "")
}

// respond composes and sends an answer that is not a stream.
func (a *answer) respond(due Offset, status int, contentType, body string) {
	a.rec.Status = status
	more := a.connectionHeader()
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		more += "Retry-After: 1\r\n"
	}
	a.group = append(responseHead(a.group, status, contentType, len(body), more), body...)
	a.mark(0, EventFault)
	a.tail, a.keep = true, a.keeps()
	a.send(due)
}

// breakOff ends the answer where it is, with a reset of the connection where asked for.
func (a *answer) breakOff(reset bool) {
	a.outcome = Faulty
	a.keep = false
	if reset {
		a.conn.link.reset()
	}
}

// stall sends nothing more and leaves the connection open.
func (a *answer) stall() {
	a.stalled = true
	if a.seq != nil {
		a.seq.closed = true
	}
}

// injectMidStream makes a fault happen in the course of an answer.
func (a *answer) injectMidStream(due Offset) {
	if !a.req.stream {
		a.injectIntoBody(due)
		return
	}
	if !a.began {
		a.begin()
	}
	switch a.opt.Fault.Kind {
	default:
	case FaultReset, FaultCut:
		a.sendComposed()
		a.breakOff(a.opt.Fault.Kind == FaultReset)
	case FaultStall:
		a.sendComposed()
		a.stall()
	case FaultTruncate:
		a.mark(0, EventFault)
		a.endBody()
		a.tail, a.keep = true, a.keeps()
		a.send(due)
	case FaultError:
		a.frame(append(a.scratch(), a.opt.Fault.Shape.event()...))
		if a.opt.Fault.Shape == ShapeError || a.opt.Fault.Shape == "" {
			a.frame(append(a.scratch(), "data: [DONE]"...))
		}
		a.mark(0, EventFault)
		a.endBody()
		a.tail, a.keep = true, a.keeps()
		a.send(due)
	case FaultMalformed:
		a.frame(append(a.open(), `"choices":[{"index":0,"delta":{"content":" lo`...))
		a.mark(0, EventFault)
		a.send(due)
	case FaultChunk:
		a.mark(0, EventFault)
		a.group = append(a.group, "zz\r\nnot a chunk\r\n"...)
		a.tail = true // and the connection ends
		a.send(due)
	}
}

// sendComposed sends at once what is composed and waits for more: headers that were to
// go out with the first token.
func (a *answer) sendComposed() {
	if len(a.group) > 0 {
		a.write(a.group)
		a.group = a.group[:0]
	}
}

// injectIntoBody makes a fault happen to an answer without streaming.
func (a *answer) injectIntoBody(due Offset) {
	b, _ := a.gather()
	body := a.bodyJSON(b.tokens)
	a.rec.Finish = ""
	switch a.opt.Fault.Kind {
	default: // part of the body
	case FaultError:
		a.respond(due, http.StatusOK, "application/json", errorJSON(http.StatusInternalServerError, "simulated fault", ""))
		return
	case FaultMalformed:
		a.respond(due, http.StatusOK, "application/json", string(body[:len(body)-1]))
		return
	}
	a.rec.Status = http.StatusOK
	a.group = responseHead(a.group, http.StatusOK, "application/json", len(body), a.connectionHeader())
	a.group = append(a.group, body[:len(body)/2]...)
	a.sendComposed()
	if a.opt.Fault.Kind == FaultStall {
		a.stall()
		return
	}
	a.breakOff(a.opt.Fault.Kind == FaultReset)
}

// event returns the lines of an error inside a stream.
func (s Shape) event() string {
	switch s {
	case ShapeString:
		return `data: {"error":"simulated fault"}`
	case ShapeObject:
		return `data: {"object":"error","message":"simulated fault","type":"InternalServerError","param":null,"code":500}`
	case ShapeEvent:
		return "event: error\ndata: {\"error\":{\"message\":\"simulated fault\"}}"
	case ShapeBare:
		return errorJSON(http.StatusInternalServerError, "simulated fault", "")
	default:
		return "data: " + errorJSON(http.StatusInternalServerError, "simulated fault", "")
	}
}
