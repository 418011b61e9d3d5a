//go:build !unix

package simserver

import (
	"errors"
	"net"
)

func newTCPLink(*net.TCPConn) (link, error) { return nil, errors.ErrUnsupported }

func prepareListener(net.Listener) {}
