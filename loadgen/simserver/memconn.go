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
// a socket has, and can be reset. Any number of goroutines may read, write and set
// deadlines at once. It waits with a sync.Cond only, so that the fake time of
// testing/synctest goes on meanwhile.
type memConn struct {
	in, out *memFlow
	readAt  time.Time
}

// newMemConns returns the two ends of a connection.
func newMemConns() (a, b *memConn) {
	ab, ba := newMemFlow(), newMemFlow()
	return &memConn{in: ba, out: ab}, &memConn{in: ab, out: ba}
}

// A memFlow is one direction.
type memFlow struct {
	mu      sync.Mutex
	data    []byte
	readErr error // what Read says after the data
	sendErr error // what Write says
	read    memSide
	write   memSide
}

// A memSide is what the readers or the writers of a flow wait for, with their
// deadline.
type memSide struct {
	news    *sync.Cond // on the flow's mutex
	timer   *time.Timer
	expired bool
}

func newMemFlow() *memFlow {
	f := &memFlow{}
	f.read.news, f.write.news = sync.NewCond(&f.mu), sync.NewCond(&f.mu)
	return f
}

// Read implements net.Conn.
func (c *memConn) Read(p []byte) (int, error) {
	f := c.in
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		switch {
		case f.read.expired:
			return 0, os.ErrDeadlineExceeded
		case len(f.data) > 0:
			c.readAt = time.Now()
			n := copy(p, f.data)
			f.data = f.data[:copy(f.data, f.data[n:])]
			f.write.news.Broadcast()
			return n, nil
		case f.readErr != nil:
			return 0, f.readErr
		}
		f.read.news.Wait()
	}
}

func (c *memConn) received() time.Time { return c.readAt }

// Write implements net.Conn.
func (c *memConn) Write(p []byte) (int, error) {
	f := c.out
	f.mu.Lock()
	defer f.mu.Unlock()
	written := 0
	for {
		n, err := f.put(p[written:])
		written += n
		if !errors.Is(err, errWouldBlock) {
			return written, err
		}
		f.write.news.Wait()
	}
}

// tryWrite writes what fits.
func (c *memConn) tryWrite(p []byte) (int, error) {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.out.put(p)
}

// put takes what fits; the caller holds the lock.
func (f *memFlow) put(p []byte) (int, error) {
	switch {
	case f.sendErr != nil:
		return 0, f.sendErr
	case f.write.expired:
		return 0, os.ErrDeadlineExceeded
	}
	n := min(len(p), memBuffer-len(f.data))
	f.data = append(f.data, p[:n]...)
	if n > 0 {
		f.read.news.Broadcast()
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
	defer f.mu.Unlock()
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
		s.news.Broadcast()
	}
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
		s.news.Broadcast()
		return
	}
	var own *time.Timer
	own = time.AfterFunc(wait, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		s.expired = s.expired || s.timer == own // a deadline that was moved does not count
		s.news.Broadcast()
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
