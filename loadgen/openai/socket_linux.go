//go:build linux && (amd64 || arm64)

package openai

import (
	"io"
	"net"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// A socket is a connection whose reads tell when the kernel received their bytes:
// however late this process gets to read them, and however many processors the
// server leaves it, the moment is right. When one read brings several packets, it
// is that of the last.
type socket struct {
	net.Conn
	raw   syscall.RawConn
	ready func(fd uintptr) bool // receive, made once

	msg     syscall.Msghdr
	iov     syscall.Iovec
	control [8]uint64 // a header and the time, in whole words
	n       int
	errno   syscall.Errno
	stamped time.Duration // since 1970, of what has been received; 0 when the kernel does not say

	now  time.Time     // this process's clock after the last read
	wall time.Duration // the same on the wall, since 1970
	at   time.Time     // when the bytes of the last read arrived
}

// newSocket returns conn with the kernel's time, or conn itself when the system
// does not tell it.
func newSocket(conn net.Conn) net.Conn {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return conn
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return conn
	}
	var refused error
	err = raw.Control(func(fd uintptr) {
		refused = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1)
	})
	if err != nil || refused != nil {
		return conn
	}
	now := time.Now()
	s := &socket{Conn: conn, raw: raw, now: now, wall: time.Duration(now.UnixNano()), at: now}
	s.ready = s.receive
	return s
}

// SyscallConn implements [syscall.Conn].
func (s *socket) SyscallConn() (syscall.RawConn, error) { return s.raw, nil }

// arrived returns when the bytes of the last read arrived.
func (s *socket) arrived() time.Time { return s.at }

// Read implements [net.Conn].
func (s *socket) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.iov.Base = &p[0]
	s.iov.SetLen(len(p))
	err := s.raw.Read(s.ready)
	s.iov.Base = nil
	now := time.Now()
	wall := time.Duration(now.UnixNano())
	s.at = s.arrival(now, wall)
	s.now, s.wall = now, wall
	switch {
	case err != nil:
		return 0, err
	case s.errno != 0:
		return 0, &net.OpError{Op: "read", Net: "tcp", Source: s.LocalAddr(), Addr: s.RemoteAddr(), Err: os.NewSyscallError("recvmsg", s.errno)}
	case s.n == 0:
		return 0, io.EOF
	}
	return s.n, nil
}

// receive receives what there is, and reports false when there is nothing yet.
func (s *socket) receive(fd uintptr) bool {
	s.msg = syscall.Msghdr{Iov: &s.iov, Iovlen: 1, Control: (*byte)(unsafe.Pointer(&s.control))}
	s.msg.SetControllen(int(unsafe.Sizeof(s.control)))
	s.n, s.stamped = 0, 0
	for {
		n, _, errno := syscall.Syscall(syscall.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&s.msg)), syscall.MSG_DONTWAIT)
		if errno == syscall.EINTR {
			continue
		}
		if errno == syscall.EAGAIN {
			return false
		}
		if s.errno = errno; errno == 0 {
			s.n, s.stamped = int(n), s.stamp()
		}
		return true
	}
}

// stamp returns the time that came with a message, since 1970, or 0.
func (s *socket) stamp() time.Duration {
	h := (*syscall.Cmsghdr)(unsafe.Pointer(&s.control))
	if s.msg.Controllen < syscall.SizeofCmsghdr || h.Level != syscall.SOL_SOCKET || h.Type != syscall.SO_TIMESTAMPNS {
		return 0
	}
	const words = syscall.SizeofCmsghdr / 8
	return time.Duration(s.control[words])*time.Second + time.Duration(s.control[words+1])
}

// arrival turns the kernel's time of the last read, which is the wall clock's, into
// one of this process's clock. now and wall are the present on both. A wall clock
// that was set since the read before makes it useless; then, and without it, the
// present must do.
func (s *socket) arrival(now time.Time, wall time.Duration) time.Time {
	const most = time.Millisecond
	step := wall - s.wall - now.Sub(s.now)
	if s.stamped == 0 || step > most || step < -most {
		return now
	}
	if at := now.Add(-max(wall-s.stamped, 0)); at.After(s.at) {
		return at
	}
	return s.at // never before what came before
}
