package simserver

import (
	"context"
	"errors"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Server answers requests. It is made by [New] and ends with [Server.Close].
type Server struct {
	config Config
	keys   keyTable
	origin time.Time
	outs   []*dispatcher
	engine *engineCore // nil on the fixed schedule
	counts counters
	book   *logbook

	conned atomic.Int64 // connections so far
	asked  atomic.Int64 // requests for an answer so far

	mu        sync.Mutex
	listeners map[net.Listener]bool
	conns     map[*conn]*answer // with the answer under way
	closing   bool
	empty     chan struct{} // closed when there are no connections while closing
	ended     chan struct{} // closed when nothing of the server runs any more
	serving   sync.WaitGroup
}

// ErrClosed is returned by Serve and Dial after the server was closed.
var ErrClosed = errors.New("simulated server is closed")

// New starts a server. The error lists everything that is wrong with c.
func New(c Config) (*Server, error) {
	if err := asError(c.Problems()); err != nil {
		return nil, err
	}
	s := &Server{
		config:    c,
		keys:      newKeyTable(),
		origin:    time.Now(),
		listeners: map[net.Listener]bool{},
		conns:     map[*conn]*answer{},
		empty:     make(chan struct{}),
		ended:     make(chan struct{}),
	}
	var waiters []waiter
	for range c.Senders {
		w, err := newWaiter(c.Precise)
		if err != nil {
			for _, w := range waiters {
				w.close()
			}
			return nil, err
		}
		waiters = append(waiters, w)
	}
	for _, w := range waiters {
		d := newDispatcher(s.now, w)
		s.outs = append(s.outs, d)
		go d.loop()
	}
	if c.Engine != nil {
		s.engine = newEngineCore(s, *c.Engine, s.outs[0])
	}
	s.counts.init()
	s.book = newLogbook(s)
	return s, nil
}

func newWaiter(precise bool) (waiter, error) {
	if precise {
		return newPreciseWaiter()
	}
	return newTimerWaiter(), nil
}

// now returns the time since the start of the server.
func (s *Server) now() Offset { return time.Since(s.origin) }

// caches reports whether there is a prefix cache.
func (s *Server) caches() bool { return s.engine != nil && s.engine.PrefixCache }

// out returns the dispatcher of a connection. What the engine computes is sent by
// the engine's.
func (s *Server) out(conn int) *dispatcher {
	if s.engine != nil {
		return s.engine.out
	}
	return s.outs[conn%len(s.outs)]
}

// Serve answers on connections that l accepts, until l fails or the server is
// closed: then the error is ErrClosed. It closes l.
func (s *Server) Serve(l net.Listener) error {
	defer closeListener(l)
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return ErrClosed
	}
	s.listeners[l] = true
	s.mu.Unlock()
	prepareListener(l)
	for {
		c, err := l.Accept()
		if errors.Is(err, syscall.ECONNABORTED) {
			continue // that client is gone already
		}
		if err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.listeners, l)
			if s.closing {
				return ErrClosed
			}
			return err
		}
		s.ServeConn(c)
	}
}

// closeListener closes a listener, which may be closed already.
func closeListener(l net.Listener) { _ = l.Close() }

// ServeConn answers on a connection, in the background, and closes it in the end.
func (s *Server) ServeConn(nc net.Conn) {
	c := newConn(s, nc)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		c.link.drop()
		return
	}
	s.conns[c] = nil
	s.serving.Go(c.serve)
}

// Dial connects in memory; network and address mean nothing. It is made to be the
// DialContext of an http.Transport.
func (s *Server) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	closing := s.closing
	s.mu.Unlock()
	if closing {
		return nil, ErrClosed
	}
	near, far := newMemConns()
	s.ServeConn(far)
	return near, nil
}

// attach notes the answer under way on a connection, nil for none. It reports
// whether the connection is to go on.
func (s *Server) attach(c *conn, a *answer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns[c] = a
	return !s.closing
}

// forget removes a connection that is closed.
func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if s.closing && len(s.conns) == 0 {
		close(s.empty)
	}
}

// Shutdown accepts nothing more, waits until the answers under way are complete or
// ctx is done, and closes the server. A second call waits for the end of the first
// and returns nil.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	first := !s.closing
	s.closing = true
	if first {
		for l := range s.listeners {
			closeListener(l)
		}
		for c, a := range s.conns {
			if a == nil {
				c.link.drop()
			}
		}
		if len(s.conns) == 0 {
			close(s.empty)
		}
	}
	s.mu.Unlock()
	if !first {
		<-s.ended
		return nil
	}
	defer close(s.ended)
	select {
	case <-s.empty:
	case <-ctx.Done():
	}
	s.mu.Lock()
	left := maps.Clone(s.conns)
	s.mu.Unlock()
	for c, a := range left {
		if a != nil {
			a.leave(signalStop)
		} else {
			c.link.drop()
		}
	}
	s.serving.Wait()
	for _, d := range s.outs {
		d.close()
	}
	return s.book.close()
}

// Close ends the server at once. The error is that of writing the log.
func (s *Server) Close() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return s.Shutdown(ctx)
}

// Log returns the newest records of answers that have ended, in the order of
// their numbers.
func (s *Server) Log() []*Record {
	list := s.book.records()
	slices.SortFunc(list, func(a, b *Record) int { return a.Seq - b.Seq })
	return list
}

// Stats returns what happened so far.
func (s *Server) Stats() Stats {
	stats := s.counts.stats()
	stats.Requests = int(s.asked.Load())
	s.mu.Lock()
	defer s.mu.Unlock()
	stats.Connections = len(s.conns)
	return stats
}
