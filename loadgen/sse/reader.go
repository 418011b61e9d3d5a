// Package sse reads server-sent events and says when each one arrived. It is not
// a client: it neither connects nor reconnects, and it ignores "id" and "retry".
//
// The events do not depend on how the bytes were split into reads; their times
// do. A line and an event may have any length. Lines end with LF, CR LF or CR.
//
// It is our own because of these times: whatever reads ahead, as bufio does and the
// libraries on top of it, hides which read brought a byte.
//
// Two things differ from the standard, for servers that break it. An event that
// the end of the stream cuts off is given, marked Unterminated. A line
// "error: {...}", as llama.cpp sends it, is an event of the type "error".
package sse

import (
	"bytes"
	"io"
	"time"
)

// An Event is one server-sent event with data. Its slices are valid until the
// next call of [Reader.Next].
type Event struct {
	Type []byte // "event" field; nil when there is none or it is empty
	Data []byte // "data" lines, joined with LF

	First time.Time // end of the read that brought its first byte
	Last  time.Time // end of the read that brought the last byte of its data: it was known then
	End   time.Time // end of the read that brought the blank line after it

	Coalesced    bool // the same read brought the data of the event before it: the two share a time
	Unterminated bool // the stream ended before the blank line
}

const (
	startSize = 16 << 10 // of the buffer: more than one read brings
	minRead   = 1 << 10  // bytes of room that a read gets at least
	keepSize  = 1 << 20  // a larger buffer is not kept for the next stream
	straySize = 2 << 10  // of what Stray keeps
	maxEmpty  = 100      // reads in a row that bring nothing
)

// A Reader reads events. It takes the time after every read and before it looks
// at what the read brought. It allocates only when an event is longer than any
// before it.
type Reader struct {
	src io.Reader
	now func() time.Time

	buf      []byte
	pos, end int    // buf[pos:end] is not parsed yet
	fresh    int    // where the last read's bytes begin
	lf, cr   finder // line ends at or after pos
	skipLF   bool   // the last line ended with CR: a LF that follows belongs to it
	begun    bool   // the stream's first line has been seen
	err      error
	errAt    time.Time

	last, prev stamp // of the last two reads that brought bytes
	taken      int   // number of the read that brought the data of the event before

	ev    event
	typ   []byte
	stray []byte
}

// A stamp is the time of a read and its number, from 1.
type stamp struct {
	at time.Time
	n  int
}

// An event that is being read.
type event struct {
	begun    bool // its first byte is there
	fields   bool // it has a line that is not a comment
	hasType  bool
	hasData  bool
	from, to int // data in buf
	first    time.Time
	last     stamp
}

// NewReader returns a reader of src that takes the time from now, which is
// [time.Now] when nil.
func NewReader(src io.Reader, now func() time.Time) *Reader {
	if now == nil {
		now = time.Now
	}
	r := &Reader{buf: make([]byte, startSize)}
	r.Reset(src, now)
	return r
}

// Reset makes r read another stream with the buffers that it has. It drops what
// it holds of the old one.
func (r *Reader) Reset(src io.Reader, now func() time.Time) {
	buf := r.buf
	if len(buf) > keepSize {
		buf = make([]byte, startSize)
	}
	*r = Reader{src: src, now: now, buf: buf, typ: r.typ[:0], stray: r.stray[:0]}
}

// Next returns the next event. After the last one it returns the error that ended
// the stream: [io.EOF] when it ended in order.
func (r *Reader) Next() (Event, error) {
	r.ev = event{}
	for {
		for {
			from, to, ok := r.line()
			if !ok {
				break
			}
			if r.take(from, to) {
				return r.event(r.last.at, false), nil
			}
		}
		if r.err != nil {
			return r.rest()
		}
		r.fill()
	}
}

// Stray returns the beginning, up to 2 kB, of the lines that are no field of the
// protocol: what a server says that does not speak it.
func (r *Reader) Stray() []byte { return r.stray }

// line finds the next complete line. The read that brought its first byte is the
// last one whenever pos has just moved, since every read is parsed to its end.
func (r *Reader) line() (from, to int, ok bool) {
	if r.skipLF && r.pos < r.end {
		r.skipLF = false
		if r.buf[r.pos] == '\n' {
			r.pos++
		}
	}
	if r.pos == r.end {
		return 0, 0, false
	}
	if !r.ev.begun {
		r.ev.begun, r.ev.first = true, r.last.at
	}
	lf, okLF := r.lf.find(r.buf[:r.end], r.pos, '\n')
	cr, okCR := r.cr.find(r.buf[:r.end], r.pos, '\r')
	switch {
	case okCR && (!okLF || cr < lf):
		to, r.skipLF = cr, true
	case okLF:
		to = lf
	default:
		return 0, 0, false
	}
	from, r.pos = r.pos, to+1
	return r.afterBOM(from, to), to, true
}

// afterBOM skips the byte order mark that a stream may begin with.
func (r *Reader) afterBOM(from, to int) int {
	if !r.begun {
		r.begun = true
		if bytes.HasPrefix(r.buf[from:to], []byte("\ufeff")) {
			from += len("\ufeff")
		}
	}
	return from
}

// take reads the line buf[from:to] and reports whether it completed an event.
func (r *Reader) take(from, to int) bool {
	line := r.buf[from:to]
	switch {
	case len(line) == 0: // ends an event; one without data is none
		if r.ev.hasData {
			return true
		}
		r.ev = event{}
		return false
	case line[0] == ':': // a comment
		r.ev.begun = r.ev.fields
		return false
	}
	r.ev.fields = true
	name, value, colon := bytes.Cut(line, []byte(":"))
	at := to - len(value)
	if colon && len(value) > 0 && value[0] == ' ' {
		at++
	}
	switch string(name) {
	case "data":
		r.addData(at, to)
	case "event":
		r.setType(r.buf[at:to])
	case "error":
		r.setType(name)
		r.addData(at, to)
	case "id", "retry":
	default:
		r.addStray(line)
	}
	return false
}

func (r *Reader) setType(t []byte) {
	// A copy: joining data lines moves bytes over those between them.
	r.typ = append(r.typ[:0], t...)
	r.ev.hasType = len(t) > 0
}

// addData appends buf[from:to] to the data. Lines move together in place.
func (r *Reader) addData(from, to int) {
	r.ev.last = r.last
	if to <= r.fresh { // the last read brought only the line end
		r.ev.last = r.prev
	}
	if !r.ev.hasData {
		r.ev.hasData, r.ev.from, r.ev.to = true, from, to
		return
	}
	r.buf[r.ev.to] = '\n'
	r.ev.to += 1 + copy(r.buf[r.ev.to+1:], r.buf[from:to])
}

func (r *Reader) addStray(line []byte) {
	if len(r.stray) > 0 && len(r.stray) < straySize {
		r.stray = append(r.stray, '\n')
	}
	r.stray = append(r.stray, line[:min(len(line), straySize-len(r.stray))]...)
}

// event returns the event that has been read.
func (r *Reader) event(end time.Time, unterminated bool) Event {
	e := Event{
		Data:         r.buf[r.ev.from:r.ev.to:r.ev.to],
		First:        r.ev.first,
		Last:         r.ev.last.at,
		End:          end,
		Coalesced:    r.ev.last.n == r.taken,
		Unterminated: unterminated,
	}
	if r.ev.hasType {
		e.Type = r.typ
	}
	r.taken = r.ev.last.n
	return e
}

// rest returns the event that the end of the stream cut off, or that end.
func (r *Reader) rest() (Event, error) {
	if r.pos < r.end {
		from, to := r.afterBOM(r.pos, r.end), r.end
		r.pos = r.end
		r.take(from, to)
	}
	if !r.ev.hasData {
		return Event{}, r.err
	}
	return r.event(r.errAt, true), nil
}
