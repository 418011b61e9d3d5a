//go:build unix

package openai

import (
	"errors"
	"syscall"
)

// peek reports whether a socket has neither an end nor an error, and no bytes to
// read unless they are allowed.
func peek(c syscall.RawConn, bytesAllowed bool) bool {
	alive := true
	err := c.Read(func(fd uintptr) bool {
		var b [1]byte
		n, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		switch {
		case err == nil:
			alive = n > 0 && bytesAllowed
		case errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR): // nothing there
		default:
			alive = false
		}
		return true // do not wait
	})
	return alive && err == nil
}
