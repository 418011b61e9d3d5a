package openai

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"sync/atomic"
	"syscall"
	"time"
)

// A link is one connection to the server. It carries one request at a time.
type link struct {
	conn   net.Conn
	raw    syscall.RawConn // of the socket, nil when there is none
	tls    bool
	clock  arriver     // tells when bytes arrived, nil when only this process's clock does
	expiry *time.Timer // closes it when it has been idle for too long
}

// An arriver is a connection that tells when the bytes of its last read reached this
// machine, which may be long before the read itself.
type arriver interface{ arrived() time.Time }

// close closes the connection.
func (l *link) close() {
	if l.expiry != nil {
		l.expiry.Stop()
	}
	l.conn.Close() //nolint:errcheck // there is nobody to tell
}

// alive reports whether an idle connection can still be used, as far as the system
// tells without waiting. What the server sends unasked makes it useless, but for
// the session tickets of TLS, which look the same from here.
func (l *link) alive() bool { return l.raw == nil || peek(l.raw, l.tls) }

// A dialler opens connections to one server.
type dialler struct {
	dial    func(ctx context.Context, network, addr string) (net.Conn, error)
	address string
	timeout time.Duration // 0: none

	kernelTime bool        // ask the kernel when bytes arrived
	stamped    atomic.Bool // the kernel told so of the connection opened last
	config     *tls.Config // nil: no TLS
	tlsTimeout time.Duration
}

func newDialler(o Options, root *url.URL) *dialler {
	d := &dialler{
		dial: o.DialContext, address: address(root), timeout: o.DialTimeout, tlsTimeout: o.TLSTimeout,
		kernelTime: !o.ProcessTime,
	}
	if d.dial == nil {
		d.dial = new(net.Dialer).DialContext
	}
	if root.Scheme == "https" {
		d.config = &tls.Config{
			RootCAs: o.RootCAs, ServerName: root.Hostname(), MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		}
	}
	return d
}

// link opens a connection.
func (d *dialler) link(ctx context.Context) (*link, error) {
	dialCtx, cancel := limit(ctx, d.timeout)
	defer cancel()
	conn, err := d.dial(dialCtx, "tcp", d.address)
	if err != nil {
		return nil, err
	}
	if d.kernelTime {
		conn = newSocket(conn)
	}
	l := &link{conn: conn, tls: d.config != nil}
	l.clock, _ = conn.(arriver)
	d.stamped.Store(l.clock != nil)
	if s, ok := conn.(syscall.Conn); ok {
		l.raw, _ = s.SyscallConn() // without it the system is not asked
	}
	if !l.tls {
		return l, nil
	}
	secure := tls.Client(conn, d.config)
	tlsCtx, cancel := limit(ctx, d.tlsTimeout)
	defer cancel()
	if err := secure.HandshakeContext(tlsCtx); err != nil {
		conn.Close() //nolint:errcheck // the handshake's error says more
		return nil, err
	}
	l.conn = secure
	return l, nil
}

// limit returns ctx with a limit of time, 0 being none.
func limit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d)
}
