package openai

import (
	"slices"
	"sync"
	"time"
)

// A pool keeps open connections.
type pool struct {
	idleTime time.Duration // 0: for ever

	mu     sync.Mutex
	idle   []*link // the last one was used last
	closed bool
}

// take returns the idle connection that was used last, nil when there is none.
func (p *pool) take() *link {
	for {
		l := p.pop()
		if l == nil || l.alive() {
			return l
		}
		l.close()
	}
}

func (p *pool) pop() *link {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	l := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	if l.expiry != nil {
		l.expiry.Stop()
	}
	return l
}

// put adds a connection to the idle ones.
func (p *pool) put(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		l.close()
		return
	case p.idleTime <= 0:
	case l.expiry == nil:
		l.expiry = time.AfterFunc(p.idleTime, func() { p.expire(l) })
	default:
		l.expiry.Reset(p.idleTime)
	}
	p.idle = append(p.idle, l)
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
