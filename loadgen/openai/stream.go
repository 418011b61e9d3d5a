package openai

import (
	"context"
	"io"
	"time"

	"example.org/arena/loadgen/sse"
)

// A body is the body of an answer. It notes when the first byte came and ends
// with an error after as many bytes as it may have.
type body struct {
	src   io.Reader
	conn  *stampedConn
	left  int64
	first time.Time
	dog   *watchdog
	stall func() *watchdog
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	if n > 0 && b.first.IsZero() {
		b.first = b.now()
		if b.stall != nil {
			b.dog = b.stall()
		}
	}
	if b.left -= int64(n); b.left < 0 && err == nil {
		err = errTooLarge
	}
	return n, err
}

// now is the time of what has just been read: that of the connection's last read,
// not of this moment, at which net/http has handed it over.
func (b *body) now() time.Time { return b.conn.readAt() }

// watch limits the time between two reads, from the first byte on.
func (b *body) watch(limit time.Duration, cancel context.CancelCauseFunc) {
	b.stall = func() *watchdog { return watch(b.conn, limit, cancel) }
}

// A buffer is what reading a stream needs, to be used again.
type buffer struct {
	events *sse.Reader
	text   []byte
}

func newBuffer() *buffer { return &buffer{events: sse.NewReader(nil, nil)} }
