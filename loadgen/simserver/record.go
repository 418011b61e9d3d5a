package simserver

import "time"

// An Offset is a moment: the time since the start of the server.
type Offset = time.Duration

// Never is the Offset of what did not happen.
const Never Offset = -1

// A Record is what the server knows about one request for an answer.
type Record struct {
	Seq    int    // number of the request, from 0 in order of arrival
	ID     string // what the request's X-Request-Id header said
	Conn   int    // number of the connection, from 0
	Use    int    // how many requests came on the connection before
	Stream bool

	Arrived Offset // when the first byte of the request came, by the kernel's clock where it tells
	Headers Offset // when the headers were sent; Never
	Ended   Offset // when the last byte was sent, or the end was noticed

	PromptTokens int
	CachedTokens int // of the prompt, found in the prefix cache
	Tokens       int // generated and sent
	Preempted    int // times the engine stopped it for lack of memory

	Status  int // HTTP status; 0 without an answer
	Outcome Outcome
	Fault   FaultKind
	Finish  string  // finish reason that was sent
	Events  []Event // in order
}

// Outcome says how an answer ended, as the server sees it.
type Outcome string

// The outcomes.
const (
	Complete     Outcome = "complete"     // everything was sent
	Refused      Outcome = "refused"      // the request was wrong
	Faulty       Outcome = "fault"        // it went wrong as it was told to
	Disconnected Outcome = "disconnected" // the client left
	Stopped      Outcome = "stopped"      // the server was closed
)

// An Event is one server-sent event, or the body of an answer without streaming.
type Event struct {
	Due    Offset // when its last byte was to be written
	Sent   Offset // when it was: just before the write
	Tokens int    // new tokens in it
	Kind   EventKind
}

// EventKind says what an event carries. It is one letter.
type EventKind byte

// The kinds of events.
const (
	EventRole      EventKind = 'a' // the role of the assistant and no token
	EventContent   EventKind = 'c'
	EventReasoning EventKind = 'r'
	EventTool      EventKind = 't'
	EventBody      EventKind = 'b' // everything, without streaming
	EventEnd       EventKind = 'e' // finish reason, usage and [DONE], as far as they stand alone
	EventFault     EventKind = 'x'
)

// FirstToken returns when the first token was sent, or Never.
func (r *Record) FirstToken() Offset {
	for _, e := range r.Events {
		if e.Tokens > 0 {
			return e.Sent
		}
	}
	return Never
}

// LastToken returns when the last token was sent, or Never.
func (r *Record) LastToken() Offset {
	last := Never
	for _, e := range r.Events {
		if e.Tokens > 0 {
			last = e.Sent
		}
	}
	return last
}
