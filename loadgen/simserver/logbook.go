package simserver

import (
	"bufio"
	"slices"
	"sync"
)

// A logbook keeps the records of answers that have ended, and writes them from a
// goroutine of its own.
type logbook struct {
	keep int
	bell chan struct{}
	done chan struct{}

	mu     sync.Mutex
	kept   []*Record
	queue  []*Record
	closed bool
	err    error
}

func newLogbook(s *Server) *logbook {
	b := &logbook{keep: s.config.LogKeep, bell: make(chan struct{}, 1), done: make(chan struct{})}
	if s.config.LogTo == nil {
		close(b.done)
		b.closed = true // nothing is queued
		return b
	}
	w := bufio.NewWriter(s.config.LogTo)
	head := logHeader(LogHeader{Version: s.config.Version, Started: s.origin, Seed: s.config.Seed, Model: s.config.Model})
	_, _ = w.Write(head) // an error stays in w
	go b.writeTo(w)
	return b
}

// add takes a record, which is not changed any more.
func (b *logbook) add(r *Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.keep > 0 {
		if len(b.kept) >= 2*b.keep {
			b.kept = append(b.kept[:0], b.kept[b.keep:]...)
			clear(b.kept[len(b.kept):cap(b.kept)])
		}
		b.kept = append(b.kept, r)
	}
	if !b.closed {
		b.queue = append(b.queue, r)
		b.ring()
	}
}

func (b *logbook) ring() {
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

// records returns the newest records.
func (b *logbook) records() []*Record {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.kept[max(len(b.kept)-b.keep, 0):])
}

// writeTo writes what is queued until the book is closed.
func (b *logbook) writeTo(w *bufio.Writer) {
	defer close(b.done)
	var line []byte
	for range b.bell {
		b.mu.Lock()
		queue, closed := b.queue, b.closed
		b.queue = nil
		b.mu.Unlock()
		for _, r := range queue {
			line = appendRecord(line[:0], r)
			_, _ = w.Write(line) // an error stays in w
		}
		if err := w.Flush(); err != nil || closed {
			b.mu.Lock()
			b.err, b.closed, b.queue = err, true, nil
			b.mu.Unlock()
			return
		}
	}
}

// close writes what is left.
func (b *logbook) close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.ring()
	<-b.done
	return b.err
}
