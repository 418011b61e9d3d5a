package loadgen

import (
	"context"
	"runtime"
	"time"
)

// A Pacer waits for moments.
type Pacer interface {
	// Pace calls fire(i) for every i, in order, when origin+at[i] has come and not
	// before. It returns how many it called: fewer than len(at) when ctx is done.
	Pace(ctx context.Context, origin time.Time, at []Offset, fire func(i int)) int
}

// Timers paces by the runtime's timers. On Linux they are late by up to a
// millisecond, but they know fake time, where a thread that sleeps or spins by
// itself would wait for ever.
type Timers struct{}

// Pace implements [Pacer].
func (Timers) Pace(ctx context.Context, origin time.Time, at []Offset, fire func(i int)) int {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for i, due := range at {
		if wait := time.Until(origin.Add(due)); wait > 0 {
			timer.Reset(wait)
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return i
		}
		fire(i)
	}
	return len(at)
}

// Thread paces from a thread of its own, which sleeps until shortly before a
// moment and spins for the rest: late by microseconds, for a few percent of one
// processor. It is the pacer to measure with.
type Thread struct{}

// nap is the longest that the thread sleeps before it looks at its context.
const nap = 20 * time.Millisecond

// Pace implements [Pacer].
func (Thread) Pace(ctx context.Context, origin time.Time, at []Offset, fire func(i int)) int {
	fired := make(chan int)
	go func() {
		// The thread is not unlocked: its timers stay sharpened, so it ends with
		// its goroutine.
		runtime.LockOSThread()
		sharpenTimers()
		for i, due := range at {
			if !spinUntil(ctx, origin.Add(due)) {
				fired <- i
				return
			}
			fire(i)
			// Whoever fire woke runs at once, on the processor that this thread
			// would keep while it sleeps.
			runtime.Gosched()
		}
		fired <- len(at)
	}()
	return <-fired
}

// spinUntil returns when a moment has come, or false when ctx is done before.
func spinUntil(ctx context.Context, moment time.Time) bool {
	for {
		if ctx.Err() != nil {
			return false
		}
		wait := time.Until(moment)
		if wait <= spin {
			break
		}
		sleep(min(wait-spin, nap))
	}
	for time.Until(moment) > 0 { // the last stretch, awake
	}
	return true
}

var (
	_ Pacer = Timers{}
	_ Pacer = Thread{}
)
