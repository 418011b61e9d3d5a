package simserver

import (
	"errors"
	"slices"
	"time"
)

// send sends what is composed. Due is when the first byte is due; it waits for
// the pieces of what was sent before.
func (a *answer) send(due Offset) {
	a.grouped = 0
	due = max(due, a.pieceDue)
	piece, gap := a.pieces(len(a.group))
	last := due
	if piece < len(a.group) {
		last += time.Duration((len(a.group)-1)/piece) * gap
	}
	for i := a.unsent; i < len(a.rec.Events); i++ {
		a.rec.Events[i].Due = last
	}
	if piece < len(a.group) {
		a.rest = append(a.rest[:0], a.group...)
		a.group = a.group[:0]
		a.piece, a.gap, a.pieceDue = piece, gap, due
		return
	}
	a.write(a.group)
	a.group = a.group[:0]
}

// pieces returns how n bytes are cut, and the time between two pieces.
func (a *answer) pieces(n int) (piece int, gap time.Duration) {
	switch {
	case a.opt.Fault.Kind == FaultDrip && a.events > a.opt.Fault.After:
		return 1, a.opt.Fault.gap()
	case a.opt.Split > 1 && a.began && n >= a.opt.Split:
		return (n + a.opt.Split - 1) / a.opt.Split, a.opt.SplitGap
	}
	return max(n, 1), 0
}

// sendPiece sends the next piece.
func (a *answer) sendPiece() {
	p := a.rest[:min(a.piece, len(a.rest))]
	a.rest = a.rest[len(p):]
	if len(a.rest) > 0 {
		a.pieceDue += a.gap
	}
	a.write(p)
}

// write writes to the connection, and stamps the events that are complete.
func (a *answer) write(p []byte) {
	if a.tail && a.keep && len(a.rest) == 0 {
		// Before the last byte: with it the client may begin anew.
		a.conn.idle()
	}
	at := a.srv.now()
	a.wrote = at
	n, err := a.conn.link.tryWrite(p)
	switch {
	case err == nil:
		a.stamp(at)
	case errors.Is(err, errWouldBlock):
		a.blocked = true
		go a.flush(slices.Clone(p[n:]))
	default:
		a.broken()
	}
}

// flush writes what the connection did not take at once.
func (a *answer) flush(p []byte) {
	_, a.flushErr = a.conn.link.Write(p)
	a.flushed.Store(true)
	a.out.add(a, a.srv.now())
}

// resume goes on after flush, and reports whether it is done.
func (a *answer) resume() bool {
	if !a.flushed.Load() {
		return false
	}
	a.blocked = false
	a.flushed.Store(false)
	switch {
	case a.outcome != "": // the end was decided meanwhile
	case a.flushErr != nil:
		a.broken()
	default:
		a.stamp(a.srv.now())
	}
	return true
}

// stamp notes that everything composed so far, pieces aside, was sent at a moment.
func (a *answer) stamp(at Offset) {
	if a.rec.Headers == Never {
		a.rec.Headers = at
	}
	if len(a.rest) > 0 {
		return
	}
	for ; a.unsent < len(a.rec.Events); a.unsent++ {
		e := &a.rec.Events[a.unsent]
		e.Sent = at
		a.rec.Tokens += e.Tokens
		a.srv.counts.generated.Add(int64(e.Tokens))
	}
}

// broken notes that the connection does not work.
func (a *answer) broken() {
	a.outcome = Disconnected
	a.keep = false
}
