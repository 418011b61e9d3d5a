package sse

import (
	"bytes"
	"io"
)

// fill reads once and takes the time.
func (r *Reader) fill() {
	r.makeRoom()
	for range maxEmpty {
		n, err := r.src.Read(r.buf[r.end:])
		at := r.now()
		if n > 0 {
			r.prev, r.last = r.last, stamp{at, r.last.n + 1}
			r.fresh = r.end
			r.end += n
		}
		if err != nil {
			r.err, r.errAt = err, at
		}
		if n > 0 || err != nil {
			return
		}
	}
	r.err, r.errAt = io.ErrNoProgress, r.now()
}

// makeRoom gives the next read room: for nothing when all has been parsed, else by
// moving what is needed to the front, else by a buffer of twice the size. Moving
// only when it frees half of the buffer keeps the cost of long events linear.
func (r *Reader) makeRoom() {
	keep := r.pos
	if r.ev.hasData {
		keep = r.ev.from
	}
	if keep < r.end && len(r.buf)-r.end >= minRead {
		return
	}
	to := r.buf
	if keep < len(r.buf)/2 && keep < r.end {
		to = make([]byte, 2*len(r.buf))
	}
	copy(to, r.buf[keep:r.end])
	r.buf = to
	r.pos -= keep
	r.end -= keep
	r.fresh -= keep
	r.ev.from -= keep
	r.ev.to -= keep
	r.lf.at -= keep
	r.cr.at -= keep
}

// A finder finds a byte and looks at every byte once, however often it is asked.
type finder struct {
	at    int // where it is, or up to where it is not
	found bool
}

// find returns the index of the first c in b at or after pos.
func (f *finder) find(b []byte, pos int, c byte) (int, bool) {
	if f.found && f.at >= pos {
		return f.at, true
	}
	from := max(f.at, pos)
	i := bytes.IndexByte(b[from:], c)
	if i < 0 {
		f.at, f.found = len(b), false
		return 0, false
	}
	f.at, f.found = from+i, true
	return f.at, true
}
