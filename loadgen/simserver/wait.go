package simserver

import "time"

// timerWaiter waits with the runtime's timers.
type timerWaiter struct {
	timer *time.Timer
	bell  chan struct{}
}

func newTimerWaiter() *timerWaiter {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &timerWaiter{timer: t, bell: make(chan struct{}, 1)}
}

func (w *timerWaiter) wait(d time.Duration) {
	if d >= 0 {
		w.timer.Reset(d)
		defer w.timer.Stop()
	}
	select {
	case <-w.timer.C:
	case <-w.bell:
	}
}

func (w *timerWaiter) ring() {
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

func (w *timerWaiter) close() { w.timer.Stop() }
