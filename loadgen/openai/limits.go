package openai

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/arena/loadgen"
)

// A lateError is the cause of a context that a limit of Options ended.
type lateError struct {
	what  string
	limit time.Duration
}

func (e lateError) Error() string { return fmt.Sprintf("%s within %v", e.what, e.limit) }

// within ends a context after a limit, 0 being none. Call stop when it is no
// longer needed.
func within(limit time.Duration, cancel context.CancelCauseFunc, what string) (stop func() bool) {
	if limit <= 0 {
		return func() bool { return true }
	}
	return time.AfterFunc(limit, func() { cancel(lateError{what, limit}) }).Stop
}

// A watchdog ends a context when a connection brings nothing for a while. It looks
// now and then, so that it costs a read nothing. A nil one does nothing.
type watchdog struct {
	tap    *tap
	limit  time.Duration
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// watch starts a watchdog.
func watch(t *tap, limit time.Duration, cancel context.CancelCauseFunc) *watchdog {
	w := &watchdog{tap: t, limit: limit, cancel: cancel}
	w.timer = time.AfterFunc(time.Hour, w.look)
	w.timer.Reset(limit) // look uses w.timer, so it must not run before the line above
	return w
}

func (w *watchdog) look() {
	quiet := w.tap.quiet()
	if quiet >= w.limit {
		w.cancel(lateError{"no byte of the answer", w.limit})
		return
	}
	w.timer.Reset(w.limit - quiet)
}

func (w *watchdog) stop() {
	if w != nil {
		w.timer.Stop()
	}
}

// classify says what an error of sending or reading means. answered tells whether
// a byte of the answer came before it.
func classify(ctx context.Context, err error, answered bool) (loadgen.Outcome, error) {
	if ctx.Err() != nil {
		cause := context.Cause(ctx)
		if _, late := errors.AsType[lateError](cause); late || errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return loadgen.Timeout, cause
		}
		return loadgen.Cancelled, cause
	}
	if _, ok := errors.AsType[protocolError](err); ok || errors.Is(err, errTooLarge) {
		return loadgen.Malformed, err
	}
	if !answered {
		return loadgen.Connect, err
	}
	return loadgen.Truncated, fmt.Errorf("the connection ended too early: %w", err)
}
