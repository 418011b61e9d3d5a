//go:build unix

package simserver

import (
	"errors"
	"io"
	"net"
	"syscall"
)

// tcpLink writes to a socket directly. The runtime's own Write would wait, and
// with it every other stream.
type tcpLink struct {
	*net.TCPConn
	raw syscall.RawConn

	// What write works on: a closure for each write would be garbage.
	write func(fd uintptr) bool
	data  []byte
	n     int
	err   error
}

func newTCPLink(c *net.TCPConn) (link, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, err
	}
	l := &tcpLink{TCPConn: c, raw: raw}
	l.write = l.writeFD
	return l, nil
}

func (l *tcpLink) writeFD(fd uintptr) bool {
	for l.n < len(l.data) {
		n, err := syscall.Write(int(fd), l.data[l.n:])
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
			l.err = errWouldBlock
			return true
		case err != nil:
			l.err = err
			return true
		case n == 0:
			l.err = io.ErrUnexpectedEOF
			return true
		}
		l.n += n
	}
	return true // never wait
}

func (l *tcpLink) tryWrite(p []byte) (int, error) {
	l.data, l.n, l.err = p, 0, nil
	err := l.raw.Write(l.write)
	l.data = nil
	if err != nil {
		return l.n, err
	}
	return l.n, l.err
}

func (l *tcpLink) reset() {
	l.SetLinger(0)
	l.Close()
}
