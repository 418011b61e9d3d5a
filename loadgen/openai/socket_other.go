//go:build !linux || (!amd64 && !arm64)

package openai

import "net"

// newSocket returns conn with the kernel's time where there is one: not here.
func newSocket(conn net.Conn) net.Conn { return conn }
