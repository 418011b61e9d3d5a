package simserver

import (
	"errors"
	"net"
	"time"
)

// errWouldBlock says that the other end does not take more for now.
var errWouldBlock = errors.New("write would block")

// A link is a connection that can be written to without waiting.
type link interface {
	net.Conn

	// tryWrite writes what the connection takes at once; errWouldBlock when that
	// is not everything.
	tryWrite(p []byte) (int, error)

	// drop closes the connection; reset does so that the other end sees a reset.
	// What can go wrong with that changes nothing.
	drop()
	reset()

	// readUntil limits how long Read waits; the zero time is no limit.
	readUntil(t time.Time)

	// received returns when the bytes of the newest Read had come, which may be
	// long before a busy server reads them. It belongs to the goroutine that reads.
	received() time.Time
}

// newLink makes a link of a connection. One that is neither TCP nor ours blocks.
func newLink(c net.Conn) link {
	switch c := c.(type) {
	case *memConn:
		return c
	case *net.TCPConn:
		if l, err := newTCPLink(c); err == nil {
			return l
		}
	}
	return &blockingLink{Conn: c}
}

// blockingLink is a link that waits after all.
type blockingLink struct {
	net.Conn
	readAt time.Time
}

func (l *blockingLink) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	l.readAt = time.Now()
	return n, err
}

func (l *blockingLink) received() time.Time            { return l.readAt }
func (l *blockingLink) tryWrite(p []byte) (int, error) { return l.Write(p) }
func (l *blockingLink) drop()                          { _ = l.Close() }
func (l *blockingLink) reset()                         { _ = l.Close() }
func (l *blockingLink) readUntil(t time.Time)          { _ = l.SetReadDeadline(t) }
