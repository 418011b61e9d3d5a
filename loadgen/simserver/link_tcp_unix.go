//go:build unix

package simserver

import (
	"errors"
	"io"
	"net"
	"syscall"
	"time"
)

// tcpLink reads and writes a socket directly. The runtime's own Write would wait,
// and with it every other stream; its Read cannot tell when data came.
type tcpLink struct {
	*net.TCPConn
	raw syscall.RawConn
	in  transfer
	out transfer

	control [64]byte // what comes with data that is read
	readAt  time.Time
}

// A transfer is what a system call works on: a closure for each would be garbage.
type transfer struct {
	call func(fd uintptr) bool
	data []byte
	n    int
	err  error
}

func newTCPLink(c *net.TCPConn) (link, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, err
	}
	askReceipts(raw)
	l := &tcpLink{TCPConn: c, raw: raw}
	l.in.call, l.out.call = l.readFD, l.writeFD
	return l, nil
}

// prepareListener makes the kernel note when data comes before any connection is
// accepted: data that comes right after the first socket of a machine asked for it
// has no note.
func prepareListener(l net.Listener) {
	if l, ok := l.(*net.TCPListener); ok {
		if raw, err := l.SyscallConn(); err == nil {
			askReceipts(raw)
		}
	}
}

// Read implements net.Conn.
func (l *tcpLink) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	l.in.data, l.in.n, l.in.err = p, 0, nil
	err := l.raw.Read(l.in.call)
	l.in.data = nil
	if err == nil {
		err = l.in.err
	}
	return l.in.n, err
}

// readFD reads once; it returns false to wait for data.
func (l *tcpLink) readFD(fd uintptr) bool {
	for {
		n, control, _, _, err := syscall.Recvmsg(int(fd), l.in.data, l.control[:], 0)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
			return false
		case err != nil:
			l.in.err = err
		case n == 0:
			l.in.err = io.EOF
		default:
			l.in.n = n
			l.readAt = receipt(l.control[:control], time.Now())
		}
		return true
	}
}

func (l *tcpLink) received() time.Time { return l.readAt }

func (l *tcpLink) tryWrite(p []byte) (int, error) {
	l.out.data, l.out.n, l.out.err = p, 0, nil
	err := l.raw.Write(l.out.call)
	l.out.data = nil
	if err == nil {
		err = l.out.err
	}
	return l.out.n, err
}

// writeFD writes as much as the socket takes; it never waits.
func (l *tcpLink) writeFD(fd uintptr) bool {
	for w := &l.out; w.n < len(w.data); {
		n, err := syscall.Write(int(fd), w.data[w.n:])
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
			w.err = errWouldBlock
			return true
		case err != nil:
			w.err = err
			return true
		case n == 0:
			w.err = io.ErrUnexpectedEOF
			return true
		}
		w.n += n
	}
	return true
}

func (l *tcpLink) drop()                 { _ = l.Close() }
func (l *tcpLink) readUntil(t time.Time) { _ = l.SetReadDeadline(t) }

func (l *tcpLink) reset() {
	_ = l.SetLinger(0)
	_ = l.Close()
}
