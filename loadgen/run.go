package loadgen

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.org/arena/loadgen/arrival"
)

// A Run is what became of a cell.
type Run struct {
	Origin  time.Time // the zero of all offsets in Records
	Records []Record  // one for every request, by Seq
	Warmup  []Record  // offsets count from the start of the warm-up

	Elapsed    time.Duration // from the first send to the end of the last answer
	Sent       int           // requests that were sent, those of warm-up batches aside
	Unsent     int           // requests that were not
	Lateness   Lateness      // of those that were sent
	Held       float64       // closed loop: requests in flight over places, in [0,1]; NaN where it means nothing
	Stall      time.Duration // longest time in which this process did not run, as far as it is more than some 50 ms
	Collection Collection    // what memory cost
	CPU        time.Duration // processor time of this process; Unknown where the system does not say
}

// A Runner sends cells. It runs one at a time: it changes how the process
// collects garbage.
type Runner struct {
	Sender Sender

	// Pacer times the sends of open loops and the start of closed ones; nil means
	// Thread.
	Pacer Pacer

	// Connect makes sure that n connections are open, idle, and will stay open
	// for a second at least; nil opens none.
	Connect func(ctx context.Context, n int) error

	// KeepGC leaves the garbage collector as it is. Otherwise it is put off while
	// a cell runs, as far as memory allows.
	KeepGC bool

	Progress *Progress // counts while a cell runs; may be nil
}

// lead is the time between the last preparation and the first moment of an open
// loop.
const lead = 10 * time.Millisecond

// Run sends a cell and returns when every request has ended: with an answer, by
// its timeout, or, when ctx is done, at the latest when the cell's drain time is
// over. Failed requests are no error. An error without a run says that nothing
// was measured; a run with an error was cancelled, and is incomplete.
func (r *Runner) Run(ctx context.Context, c Cell) (*Run, error) {
	if err := c.validate(); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	answers, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	defer drain(ctx, c.Drain, abort)()

	run := &Run{}
	if err := r.connect(ctx, c); err != nil {
		return nil, err
	}
	if len(c.Warmup) > 0 {
		warm := &loop{runner: r, timeout: c.timeout(), spread: c.spread(), sending: ctx, answers: answers, origin: time.Now()}
		run.Warmup = warm.refill(c.Warmup, max(c.places(), 1), nil)
		for i := range run.Warmup {
			run.Warmup[i].Warmup = true
		}
		if r.Progress != nil {
			r.Progress.Reset()
		}
		if err := r.connect(ctx, c); err != nil {
			return nil, err
		}
	}

	finish := r.collection()
	before, _ := processorTime()
	l := &loop{runner: r, timeout: c.timeout(), spread: c.spread(), limit: c.Limit, answers: answers}
	stall := watchStalls()
	run.Records = l.run(ctx, c)
	run.Stall = stall()
	run.Origin = l.origin
	run.CPU = Unknown
	if after, known := processorTime(); known {
		run.CPU = after - before
	}
	run.Collection = finish()
	run.sumUp(c)
	return run, ctx.Err()
}

// drain gives answers under way a last chance when ctx is done, then calls abort.
// The function that it returns ends the watch.
func drain(ctx context.Context, patience time.Duration, abort func()) (stop func()) {
	over := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-timer.C:
			abort()
		case <-over:
		}
	})
	return func() {
		unwatch()
		close(over)
	}
}

func (r *Runner) pacer() Pacer {
	if r.Pacer != nil {
		return r.Pacer
	}
	return Thread{}
}

func (r *Runner) connect(ctx context.Context, c Cell) error {
	if r.Connect == nil || len(c.Requests) == 0 {
		return nil
	}
	if err := r.Connect(ctx, c.connections()); err != nil && ctx.Err() == nil {
		return fmt.Errorf("open connections: %w", err)
	}
	return nil
}

// A loop is one pass over requests.
type loop struct {
	runner  *Runner
	origin  time.Time
	timeout time.Duration   // of one request
	spread  time.Duration   // between two that start together
	limit   time.Duration   // of the whole
	sending context.Context // done: nothing more is sent
	answers context.Context // done: answers under way are broken off
}

// run sends the requests of a cell.
func (l *loop) run(ctx context.Context, c Cell) []Record {
	l.origin = time.Now()
	if c.Schedule.Kind == arrival.Open {
		l.origin = l.origin.Add(lead)
	}
	l.sending = ctx
	if l.limit > 0 {
		var cancel context.CancelFunc
		l.sending, cancel = context.WithDeadline(ctx, l.origin.Add(l.limit))
		defer cancel()
	}
	if c.Follow == nil {
		c.Requests = slices.Clone(c.Requests)
		for i := range c.Requests {
			c.Requests[i].Seq = i
		}
	}
	switch c.Schedule.Kind {
	case arrival.Open:
		return l.open(c)
	case arrival.Batched:
		return l.batches(c)
	default:
		return l.refill(c.Requests, c.places(), c.Follow)
	}
}

// now returns the offset of this moment.
func (l *loop) now() Offset { return time.Since(l.origin) }

// expired reports whether nothing more is to be sent: the limit of time is over, or
// the run was cancelled.
func (l *loop) expired() bool { return l.sending.Err() != nil }

// send sends the request of a record and fills in what became of it.
func (l *loop) send(rec *Record) {
	ctx, cancel := context.WithTimeout(l.answers, l.timeout)
	defer cancel()
	progress := l.runner.Progress
	if progress != nil {
		progress.Sent.Add(1)
	}
	rec.Result = l.runner.Sender.Send(ctx, l.origin, rec.Request)
	if progress != nil {
		progress.add(&rec.Result)
	}
}

// unsent returns the record of a request before it is sent.
func unsent(r Request) Record {
	rec := Record{Request: r, Result: NoResult(), Due: Unknown}
	rec.Outcome = Unsent
	return rec
}
