package simserver

import (
	"errors"
	"net"
)

// errWouldBlock says that the other end does not take more for now.
var errWouldBlock = errors.New("write would block")

// A link is a connection that can be written to without waiting.
type link interface {
	net.Conn

	// tryWrite writes what the connection takes at once; errWouldBlock when that
	// is not everything.
	tryWrite(p []byte) (int, error)

	// reset closes the connection so that the other end sees a reset.
	reset()
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
	return blockingLink{c}
}

// blockingLink is a link that waits after all.
type blockingLink struct{ net.Conn }

func (l blockingLink) tryWrite(p []byte) (int, error) { return l.Write(p) }
func (l blockingLink) reset()                         { l.Close() }
