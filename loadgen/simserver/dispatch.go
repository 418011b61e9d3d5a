package simserver

import (
	"sync"
	"time"
)

// A task is something to do at a moment. Its entry belongs to one dispatcher.
type task interface {
	// run does what is due at now. It runs on the dispatcher's goroutine, one task
	// at a time, and must not block.
	run(now Offset)
	slot() *entry
}

// An entry is a task's place among those of its dispatcher.
type entry struct {
	due   Offset
	order uint64 // of equal moments the one that was added first comes first
	index int    // in the heap, from 1; 0: not in it
}

// A waiter waits for moments.
type waiter interface {
	// wait returns after d, or when ring is called, or earlier for no reason. A
	// negative d is for ever.
	wait(d time.Duration)
	ring()
	close()
}

// A dispatcher runs tasks when they are due. All streams of a server share one or
// a few: a goroutine per stream with timers of its own costs more and is less
// exact (see the benchmarks).
type dispatcher struct {
	clock  func() Offset
	waiter waiter
	done   chan struct{}

	scratch []byte // for tasks

	mu      sync.Mutex
	heap    []task
	added   uint64
	waiting Offset // until when the goroutine waits; Never: it does not
	closed  bool
}

const forever Offset = 1<<63 - 1

func newDispatcher(clock func() Offset, w waiter) *dispatcher {
	return &dispatcher{clock: clock, waiter: w, done: make(chan struct{}), waiting: Never}
}

// add runs t at due. A task that waits already runs at the earlier moment.
func (d *dispatcher) add(t task, due Offset) {
	d.mu.Lock()
	e := t.slot()
	switch {
	case e.index == 0:
		d.added++
		e.due, e.order = due, d.added
		d.heap = append(d.heap, t)
		e.index = len(d.heap)
		d.up(e.index - 1)
	case due < e.due:
		e.due = due
		d.up(e.index - 1)
	}
	ring := due < d.waiting
	if ring {
		d.waiting = Never
	}
	d.mu.Unlock()
	if ring {
		d.waiter.ring()
	}
}

// loop runs tasks until the dispatcher is closed.
func (d *dispatcher) loop() {
	defer close(d.done)
	defer d.waiter.close()
	for {
		now := d.clock()
		d.mu.Lock()
		if d.closed {
			d.mu.Unlock()
			return
		}
		if len(d.heap) > 0 && d.heap[0].slot().due <= now {
			t := d.pop()
			d.mu.Unlock()
			t.run(now)
			continue
		}
		wait := time.Duration(-1)
		d.waiting = forever
		if len(d.heap) > 0 {
			d.waiting = d.heap[0].slot().due
			wait = d.waiting - now
		}
		d.mu.Unlock()
		d.waiter.wait(wait)
		d.mu.Lock()
		d.waiting = Never
		d.mu.Unlock()
	}
}

// close ends the loop; tasks that wait are dropped.
func (d *dispatcher) close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.waiter.ring()
	<-d.done
}

// less orders the heap.
func (d *dispatcher) less(i, j int) bool {
	a, b := d.heap[i].slot(), d.heap[j].slot()
	return a.due < b.due || a.due == b.due && a.order < b.order
}

func (d *dispatcher) swap(i, j int) {
	d.heap[i], d.heap[j] = d.heap[j], d.heap[i]
	d.heap[i].slot().index, d.heap[j].slot().index = i+1, j+1
}

func (d *dispatcher) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !d.less(i, parent) {
			return
		}
		d.swap(i, parent)
		i = parent
	}
}

// pop removes the first task.
func (d *dispatcher) pop() task {
	first := d.heap[0]
	last := len(d.heap) - 1
	d.swap(0, last)
	d.heap[last] = nil
	d.heap = d.heap[:last]
	first.slot().index = 0
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return first
		}
		if child+1 < last && d.less(child+1, child) {
			child++
		}
		if !d.less(child, i) {
			return first
		}
		d.swap(i, child)
		i = child
	}
}
