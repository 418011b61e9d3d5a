package simserver

import (
	"math"
	"sync/atomic"
	"time"
)

// A batch is some tokens that are known at the same moment.
type batch struct {
	due    Offset
	tokens int
}

// An answer is one answer on its way. All its methods but leave and flush run on
// the goroutine of its dispatcher.
type answer struct {
	entry
	srv  *Server
	conn *conn
	out  *dispatcher
	opt  Options
	req  *request
	rec  *Record

	// What is generated: see generate.go.
	limit   int    // tokens in all
	reason  string // why it stops there
	made    int    // tokens generated so far
	queue   []batch
	steps   int       // batches made on the fixed schedule
	drafts  drafts    // of the fixed schedule
	seq     *sequence // in the engine; nil on the fixed schedule
	started Offset    // when the engine began with it
	held    int       // tokens that wait for the next event
	batches int       // that left the queue
	lastDue Offset    // of the newest tokens that left it

	// What is composed: see compose.go.
	began    bool // the headers
	tokens   int  // tokens
	events   int  // events with tokens
	comments int  // comments before the first token
	injected bool // the fault
	stalled  bool // nothing more will be
	tail     bool // the end
	keep     bool // after which the connection stays open
	grouped  int  // events that wait for company

	// What is sent: see send.go.
	group    []byte // composed, not yet sent
	unsent   int    // first of rec.Events that is not sent
	rest     []byte // of a group that is sent in pieces
	piece    int    // bytes of one
	gap      time.Duration
	pieceDue Offset      // of the next piece, or of the last one
	wrote    Offset      // when the last piece was
	blocked  bool        // flush waits until the connection takes more
	flushErr error       // of flush
	flushed  atomic.Bool // flush is done

	signal  atomic.Int32 // what leave said
	outcome Outcome      // empty: not known yet
	ended   bool
	done    chan struct{} // closed at the end
}

// What leave can say.
const (
	signalNone = iota
	signalGone // the client is gone
	signalStop // the server is closed
)

// unlimited is the length of an answer that never ends.
const unlimited = math.MaxInt32

// slot implements task.
func (a *answer) slot() *entry { return &a.entry }

// leave makes the answer end early. Any goroutine may call it.
func (a *answer) leave(signal int32) {
	a.signal.CompareAndSwap(signalNone, signal)
	a.out.add(a, a.srv.now())
}

// run implements task: it does everything that is due.
func (a *answer) run(now Offset) {
	if a.ended {
		return
	}
	if s := a.signal.Load(); s != signalNone && a.outcome == "" {
		switch {
		case s == signalStop:
			a.outcome = Stopped
		case a.rec.Fault != NoFault:
			a.outcome = Faulty // that is how it ends
		default:
			a.outcome = Disconnected
		}
		a.keep = false
		a.conn.link.drop() // flush may be waiting for it
	}
	if a.blocked && !a.resume() {
		return
	}
	for a.outcome == "" {
		what, due := a.next()
		if what == doNothing {
			return
		}
		if due > now {
			a.out.add(a, due)
			return
		}
		a.do(what, due)
		if a.blocked {
			return
		}
	}
	a.end()
}

// action is something that an answer does at a moment.
type action int

const (
	doNothing action = iota // until something else happens
	doPiece                 // send the next piece
	doEnd                   // everything is sent
	doFault                 // the fault
	doBegin                 // the headers
	doComment
	doEvent  // with tokens
	doFinish // what comes after the last token
)

// next returns what is to be done next, and when it is due.
func (a *answer) next() (action, Offset) {
	switch {
	case a.stalled:
		return doNothing, 0
	case len(a.rest) > 0:
		return doPiece, a.pieceDue
	case a.tail:
		return doEnd, a.lastDue
	case !a.began && !a.injected && a.opt.Fault.atArrival():
		return doFault, a.rec.Arrived
	case !a.began && a.beginsEarly():
		return doBegin, a.rec.Arrived
	}
	b, ok := a.gather()
	if beat := a.nextComment(); beat != Never && (!ok || beat < b.due) {
		return doComment, beat
	}
	switch {
	case !ok:
		return doNothing, 0
	case a.injectsNow(b):
		return doFault, b.due
	case b.tokens == 0:
		return doFinish, b.due
	}
	return doEvent, b.due
}

// do does what is due.
func (a *answer) do(what action, due Offset) {
	switch what {
	case doPiece:
		a.sendPiece()
	case doEnd:
		a.outcome = Complete
		if a.injected {
			a.outcome = Faulty
		}
	case doFault:
		a.injected = true
		a.rec.Fault = a.opt.Fault.Kind
		a.inject(due)
	case doBegin:
		a.begin()
		a.send(due)
	case doComment:
		a.comment()
		a.send(due)
	case doEvent:
		a.event(due)
	case doFinish:
		a.finishUp(due)
	case doNothing:
	}
}

// end finishes the answer: nothing of it is touched any more.
func (a *answer) end() {
	if !a.keep {
		a.conn.link.drop()
	}
	a.ended = true
	if a.seq != nil && !a.seq.closed {
		a.seq.closed = true
		a.srv.engine.wake()
	}
	a.rec.Outcome = a.outcome
	a.rec.Ended = a.srv.now()
	a.srv.finished(a)
	close(a.done)
}
