package loadgen

import (
	"slices"
	"sync"
	"time"
)

// refill sends requests from slots. Slot s has the requests s, s+slots,
// s+2·slots, whatever the answers take, and sends each when the one before it
// ended.
func (l *loop) refill(requests []Request, slots int, follow Follow) []Record {
	perSlot := make([][]Record, min(slots, len(requests)))
	l.startTogether(len(perSlot), func(slot int, due Offset) {
		perSlot[slot] = l.slot(slot, len(perSlot), due, requests, follow)
	})
	records := slices.Concat(perSlot...)
	slices.SortStableFunc(records, func(a, b Record) int { return a.Seq - b.Seq })
	return records
}

// startGroup is how many start at the same moment, so that the pacer sleeps
// between moments and leaves the processors to others.
const startGroup = 4

// startTogether starts n pieces of work a little apart and waits until all are done.
// Due is when a piece was to start.
func (l *loop) startTogether(n int, work func(i int, due Offset)) {
	start := make([]chan Offset, n)
	var ready, done sync.WaitGroup
	for i := range start {
		start[i] = make(chan Offset, 1)
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			work(i, <-start[i])
		})
	}
	ready.Wait()
	at := make([]Offset, n)
	now := l.now()
	for i := range at {
		at[i] = now + time.Duration(i/startGroup*startGroup)*l.spread
	}
	fire := func(i int) { start[i] <- at[i] }
	for i := l.runner.pacer().Pace(l.sending, l.origin, at, fire); i < n; i++ {
		fire(i) // the run is over: the work is to find out
	}
	done.Wait()
}

// slot sends the requests of one slot, each followed by its further turns.
func (l *loop) slot(slot, slots int, due Offset, requests []Request, follow Follow) []Record {
	records := make([]Record, 0, (len(requests)-slot+slots-1)/slots)
	for i := slot; i < len(requests); i += slots {
		next, more := requests[i], true
		var refusal error
		for more {
			rec := unsent(next)
			rec.Slot = slot
			switch {
			case refusal != nil:
				rec.Error = refusal.Error()
			case !l.expired():
				rec.Due = due
				l.send(&rec)
				due = l.ended(rec)
			}
			records = append(records, rec)
			if follow == nil {
				break
			}
			if next, more, refusal = follow(l.sending, rec); more {
				due = l.now() // making a turn takes time that is not the sender's
			}
		}
	}
	return records
}

// ended returns the moment a record's answer ended. What the sender did after it
// counts as lateness of the next request.
func (l *loop) ended(rec Record) Offset {
	if rec.Done != Unknown {
		return rec.Done
	}
	return l.now()
}

// batches sends the requests of each batch together, and a batch when the one
// before it is over.
func (l *loop) batches(c Cell) []Record {
	records := make([]Record, len(c.Requests))
	for _, b := range c.Schedule.Batches {
		l.batch(records[b.First:b.First+b.Size], c.Requests[b.First:b.First+b.Size], b.Warmup)
	}
	return records
}

func (l *loop) batch(records []Record, requests []Request, warmup bool) {
	for i, r := range requests {
		records[i] = unsent(r)
		records[i].Warmup, records[i].Slot = warmup, i
	}
	if l.expired() {
		return
	}
	l.startTogether(len(records), func(i int, due Offset) {
		if !l.expired() {
			records[i].Due = due
			l.send(&records[i])
		}
	})
}
