package openai

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"example.org/arena/loadgen"
)

// A lateError is the cause of a context that a limit of Options ended.
type lateError struct {
	what  string
	limit time.Duration
}

func (e lateError) Error() string { return fmt.Sprintf("%s within %v", e.what, e.limit) }

// errTooLarge says that an answer went on after its limit.
var errTooLarge = errors.New("the answer is larger than allowed")

// within ends ctx after limit, 0 being none. Call stop when it is no longer needed.
func within(limit time.Duration, cancel context.CancelCauseFunc, what string) (stop func()) {
	if limit <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(limit, func() { cancel(lateError{what, limit}) })
	return func() { timer.Stop() }
}

// A watchdog ends a context when a connection brings nothing for a while. It looks
// at the connection's stamps now and then, so that it costs a read nothing.
type watchdog struct {
	conn   *stampedConn
	limit  time.Duration
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// watch starts a watchdog; a nil one, for no limit, does nothing.
func watch(conn *stampedConn, limit time.Duration, cancel context.CancelCauseFunc) *watchdog {
	if limit <= 0 {
		return nil
	}
	w := &watchdog{conn: conn, limit: limit, cancel: cancel}
	w.timer = time.AfterFunc(limit, w.look)
	return w
}

func (w *watchdog) look() {
	quiet := time.Since(w.conn.readAt())
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

// classify says what an error of sending or reading over conn, which is nil when
// there was no connection, means. answered tells whether a byte of the answer came
// before it.
func classify(ctx context.Context, err error, conn *stampedConn, answered bool) (loadgen.Outcome, error) {
	if ctx.Err() != nil {
		cause := context.Cause(ctx)
		if _, late := errors.AsType[lateError](cause); late || errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return loadgen.Timeout, cause
		}
		return loadgen.Cancelled, cause
	}
	switch {
	case conn == nil:
		return loadgen.Connect, err
	case errors.Is(err, errTooLarge):
		return loadgen.Malformed, err
	case isTimeout(err): // of the header: nothing else has a limit of net/http's
		return loadgen.Timeout, err
	case !answered:
		return loadgen.Connect, err
	case conn.broken.Load():
		return loadgen.Truncated, fmt.Errorf("the connection ended too early: %w", err)
	}
	return loadgen.Malformed, err // what came over a sound connection was wrong
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout()
}
