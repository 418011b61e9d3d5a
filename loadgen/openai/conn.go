package openai

import (
	"net"
	"sync/atomic"
	"time"
)

// A stampedConn notes when bytes cross a connection: before the first write since
// mark, and after the last read. These are the moments that count, whichever
// goroutine works on the bytes before or after, and however late.
type stampedConn struct {
	net.Conn
	base    time.Time // stamps are nanoseconds since; atomic, since net/http reads and writes in goroutines of its own
	written atomic.Int64
	read    atomic.Int64
	broken  atomic.Bool // a read has failed: the other side closed it, or worse
}

// none is a stamp of what did not happen.
const none = -1

func newStampedConn(c net.Conn) *stampedConn {
	s := &stampedConn{Conn: c, base: time.Now()}
	s.mark()
	return s
}

// mark forgets the stamps: a new request begins.
func (s *stampedConn) mark() {
	s.written.Store(none)
	s.read.Store(none)
}

// Write implements [net.Conn].
func (s *stampedConn) Write(p []byte) (int, error) {
	if s.written.Load() == none {
		s.written.Store(int64(time.Since(s.base)))
	}
	return s.Conn.Write(p)
}

// Read implements [net.Conn].
func (s *stampedConn) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	s.read.Store(int64(time.Since(s.base)))
	if err != nil {
		s.broken.Store(true)
	}
	return n, err
}

// readAt returns the end of the last read.
func (s *stampedConn) readAt() time.Time { return s.base.Add(time.Duration(s.read.Load())) }

// writtenAt returns the moment before the first write, and whether there was one.
func (s *stampedConn) writtenAt() (time.Time, bool) {
	n := s.written.Load()
	return s.base.Add(time.Duration(n)), n != none
}
