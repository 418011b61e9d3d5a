package loadgen

import (
	"sync"
	"sync/atomic"
	"time"
)

// An openLoop hands requests to workers when they are due.
type openLoop struct {
	*loop
	records []Record
	places  int          // most requests under way
	queue   chan job     // holds every request, so that the pacer never waits
	busy    atomic.Int64 // requests that are due and not over
	workers int          // the pacer's alone
	done    sync.WaitGroup
}

// A job is a request that is due.
type job struct {
	index int
	waits bool // all places were taken when it became due
}

// open sends requests at their moments, however long the answers take. Where
// places are limited, a request waits for one after it is due, in order, and the
// wait is measured. What is due after the end, or still waits then, is unsent.
func (l *loop) open(c Cell) []Record {
	o := &openLoop{
		loop:    l,
		records: make([]Record, len(c.Requests)),
		places:  c.places(),
		queue:   make(chan job, len(c.Requests)),
	}
	if o.places == 0 {
		o.places = len(c.Requests)
	}
	for i, r := range c.Requests {
		r.At = c.Schedule.At[i]
		o.records[i] = unsent(r)
		o.records[i].Due = r.At
	}
	for range min(o.places, c.connections()) {
		o.addWorker()
	}
	warm := l.keepWarm(c)
	l.runner.pacer().Pace(l.sending, l.origin, c.Schedule.At, o.fire)
	close(o.queue)
	o.done.Wait()
	warm()
	return o.records
}

// fire is called by the pacer when a request is due.
func (o *openLoop) fire(i int) {
	busy := int(o.busy.Add(1))
	if busy > o.workers && o.workers < o.places {
		o.addWorker()
	}
	o.queue <- job{i, busy > o.places}
}

func (o *openLoop) addWorker() {
	o.workers++
	o.done.Go(o.work)
}

// work sends what is due until nothing more comes.
func (o *openLoop) work() {
	for j := range o.queue {
		rec := &o.records[j.index]
		if j.waits {
			rec.Queued = o.now() - rec.Due
		}
		if !o.expired() {
			o.send(rec)
		}
		o.busy.Add(-1)
	}
}

// Servers close connections that idle for some seconds. Ahead of arrivals that
// come after a gap, connections are opened again, so that none of them pays for
// it.
const (
	idleGap   = time.Second
	warmAhead = 300 * time.Millisecond
)

// keepWarm opens connections ahead of arrivals after gaps. The function that it
// returns ends that.
func (l *loop) keepWarm(c Cell) (stop func()) {
	if l.runner.Connect == nil {
		return func() {}
	}
	moments, counts := bursts(c.Schedule.At, c.connections())
	over := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		for i, at := range moments {
			timer := time.NewTimer(time.Until(l.origin.Add(at)))
			select {
			case <-timer.C:
			case <-l.sending.Done():
			case <-over:
			}
			timer.Stop()
			if l.expired() {
				return
			}
			// Without a connection the request opens its own, late and measured.
			_ = l.runner.Connect(l.sending, counts[i])
		}
	})
	return func() {
		close(over)
		done.Wait()
	}
}

// bursts returns when to open connections, and how many: one for each arrival of
// the second that follows a gap.
func bursts(at []Offset, most int) (moments []Offset, counts []int) {
	for i := range at {
		if i == 0 && at[0] < idleGap || i > 0 && at[i]-at[i-1] < idleGap {
			continue
		}
		n := 1
		for i+n < len(at) && at[i+n]-at[i] < idleGap && n < most {
			n++
		}
		moments, counts = append(moments, at[i]-warmAhead), append(counts, n)
	}
	return moments, counts
}
