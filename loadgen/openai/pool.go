package openai

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A link is one connection to the server. It carries one request at a time.
type link struct {
	http     *http.ClientConn
	conn     *stampedConn
	trace    *httptrace.ClientTrace
	answered atomic.Int64 // stamp of the first byte of the answer
	expiry   *time.Timer  // closes it when it has been idle for too long
}

// begin prepares l for a request and returns the context to send it with.
func (l *link) begin(ctx context.Context) context.Context {
	l.conn.mark()
	l.answered.Store(none)
	return httptrace.WithClientTrace(ctx, l.trace)
}

// close closes the connection.
func (l *link) close() {
	l.expiry.Stop()
	l.http.Close() //nolint:errcheck // there is nobody to tell
}

// A linkKey carries a pointer to the dialled connection through net/http, which
// gives no way to ask for it.
type linkKey struct{}

// A pool keeps open connections. It is ours and not net/http's because that one
// does not say whether a request will get a used connection, cannot open
// connections without sending, and picks when to open another.
type pool struct {
	transport *http.Transport
	scheme    string
	address   string
	idleTime  time.Duration // 0: for ever
	once      bool          // a connection serves one request

	mu     sync.Mutex
	idle   []*link // the last one was used last
	closed bool
}

// dial opens a connection.
func (p *pool) dial(ctx context.Context) (*link, error) {
	var conn *stampedConn
	cc, err := p.transport.NewClientConn(context.WithValue(ctx, linkKey{}, &conn), p.scheme, p.address)
	if err != nil {
		return nil, err
	}
	l := &link{http: cc, conn: conn}
	l.trace = &httptrace.ClientTrace{
		GotFirstResponseByte: func() { l.answered.Store(conn.read.Load()) },
	}
	l.expiry = time.AfterFunc(time.Hour, func() { p.expire(l) })
	l.expiry.Stop()
	return l, nil
}

// stamped wraps a dialler so that its connections note their times.
func stamped(dial func(ctx context.Context, network, addr string) (net.Conn, error), timeout time.Duration) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, timeout)
			defer cancel()
		}
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		s := newStampedConn(c)
		if out, ok := ctx.Value(linkKey{}).(**stampedConn); ok {
			*out = s
		}
		return s, nil
	}
}

// take returns the idle connection that was used last, nil when there is none.
func (p *pool) take() *link {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		l := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		l.expiry.Stop()
		if l.http.Err() == nil {
			return l
		}
		l.close()
	}
	return nil
}

// put gives a connection back after use. One that cannot carry another request
// is closed.
func (p *pool) put(l *link) {
	if p.once || l.http.Available() != 1 {
		l.close()
		return
	}
	p.keep(l)
}

// keep adds a connection to the idle ones.
func (p *pool) keep(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		l.close()
		return
	}
	p.idle = append(p.idle, l)
	if p.idleTime > 0 {
		l.expiry.Reset(p.idleTime)
	}
}

// expire closes a connection that is idle still.
func (p *pool) expire(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.idle, l); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		l.close()
	}
}

// clear closes all idle connections, and for good those that come back later.
func (p *pool) clear(forGood bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = p.closed || forGood
	for _, l := range p.idle {
		l.close()
	}
	p.idle = nil
}
