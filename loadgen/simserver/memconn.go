package simserver

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// memBuffer is how many bytes each direction of a connection in memory holds
// before writers have to wait.
const memBuffer = 256 << 10

// memConn is one end of a connection in memory. Unlike net.Pipe it has buffers, as
// a socket has, and can be reset. All its waits are waits for a channel, so that
// it lives in fake time.
type memConn struct {
	in, out *memFlow
	readAt  time.Time
}

// newMemConns returns the two ends of a connection.
func newMemConns() (a, b *memConn) {
	ab, ba := newMemFlow(), newMemFlow()
	return &memConn{in: ba, out: ab}, &memConn{in: ab, out: ba}
}

// A memFlow is one direction. Its reader and its writer may each be one goroutine
// at a time.
type memFlow struct {
	mu      sync.Mutex
	data    []byte
	readErr error // what Read says after the data
	sendErr error // what Write says
	read    memSide
	write   memSide
}

// A memSide is a waiting reader or writer with its deadline.
type memSide struct {
	wake    chan struct{} // holds one token when there may be news
	timer   *time.Timer
	expired bool
}

func newMemFlow() *memFlow {
	return &memFlow{read: memSide{wake: make(chan struct{}, 1)}, write: memSide{wake: make(chan struct{}, 1)}}
}

func (s *memSide) ring() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Read implements net.Conn.
func (c *memConn) Read(p []byte) (int, error) {
	f := c.in
	for {
		f.mu.Lock()
		switch {
		case f.read.expired:
			f.mu.Unlock()
			return 0, os.ErrDeadlineExceeded
		case len(f.data) > 0:
			c.readAt = time.Now()
			n := copy(p, f.data)
			f.data = f.data[:copy(f.data, f.data[n:])]
			f.mu.Unlock()
			f.write.ring()
			return n, nil
		case f.readErr != nil:
			err := f.readErr
			f.mu.Unlock()
			return 0, err
		}
		f.mu.Unlock()
		<-f.read.wake
	}
}

func (c *memConn) received() time.Time { return c.readAt }

// Write implements net.Conn.
func (c *memConn) Write(p []byte) (int, error) {
	written := 0
	for {
		n, err := c.tryWrite(p[written:])
		written += n
		if !errors.Is(err, errWouldBlock) {
			return written, err
		}
		<-c.out.write.wake
	}
}

// tryWrite writes what fits.
func (c *memConn) tryWrite(p []byte) (int, error) {
	f := c.out
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.sendErr != nil:
		return 0, f.sendErr
	case f.write.expired:
		return 0, os.ErrDeadlineExceeded
	}
	n := min(len(p), memBuffer-len(f.data))
	f.data = append(f.data, p[:n]...)
	if n > 0 {
		f.read.ring()
	}
	if n < len(p) {
		return n, errWouldBlock
	}
	return n, nil
}

// Close implements net.Conn: the other end reads what was sent, then io.EOF.
func (c *memConn) Close() error {
	c.out.end(io.EOF, net.ErrClosed, false)
	c.in.end(net.ErrClosed, syscall.EPIPE, true)
	return nil
}

func (c *memConn) drop()                 { _ = c.Close() }
func (c *memConn) readUntil(t time.Time) { _ = c.SetReadDeadline(t) }

// reset ends the connection as a TCP reset does.
func (c *memConn) reset() {
	c.out.end(syscall.ECONNRESET, net.ErrClosed, false)
	c.in.end(net.ErrClosed, syscall.ECONNRESET, true)
}

// end makes a flow end; the first end counts.
func (f *memFlow) end(readErr, sendErr error, drop bool) {
	f.mu.Lock()
	if f.readErr == nil {
		f.readErr = readErr
	}
	if f.sendErr == nil {
		f.sendErr = sendErr
	}
	if drop {
		f.data, f.readErr = nil, readErr
	}
	for _, s := range []*memSide{&f.read, &f.write} {
		if s.timer != nil {
			s.timer.Stop()
		}
	}
	f.mu.Unlock()
	f.read.ring()
	f.write.ring()
}

// SetDeadline implements net.Conn.
func (c *memConn) SetDeadline(t time.Time) error {
	c.in.deadline(&c.in.read, t)
	c.out.deadline(&c.out.write, t)
	return nil
}

// SetReadDeadline implements net.Conn.
func (c *memConn) SetReadDeadline(t time.Time) error {
	c.in.deadline(&c.in.read, t)
	return nil
}

// SetWriteDeadline implements net.Conn.
func (c *memConn) SetWriteDeadline(t time.Time) error {
	c.out.deadline(&c.out.write, t)
	return nil
}

func (f *memFlow) deadline(s *memSide, t time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer, s.expired = nil, false
	if t.IsZero() || f.readErr != nil {
		return
	}
	wait := time.Until(t)
	if wait <= 0 {
		s.expired = true
		s.ring()
		return
	}
	var own *time.Timer
	own = time.AfterFunc(wait, func() {
		f.mu.Lock()
		s.expired = s.expired || s.timer == own // a deadline that was moved does not count
		f.mu.Unlock()
		s.ring()
	})
	s.timer = own
}

// LocalAddr implements net.Conn.
func (c *memConn) LocalAddr() net.Addr { return memAddr{} }

// RemoteAddr implements net.Conn.
func (c *memConn) RemoteAddr() net.Addr { return memAddr{} }

type memAddr struct{}

func (memAddr) Network() string { return "memory" }
func (memAddr) String() string  { return "memory" }
