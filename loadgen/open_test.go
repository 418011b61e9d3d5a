package loadgen_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
)

// Arrivals do not wait for answers.
func TestOpenLoopKeepsItsSchedule(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		got := run(t, runner(taking(time.Minute)), openCell(0, 0, 10*ms, 10*ms, 25*ms, 2*time.Second))
		diff(t, table(got.Records, "due", "sent", "queued", "done", "outcome"), `
0 due=0s sent=0s queued=0s done=1m0s ok
1 due=10ms sent=10ms queued=0s done=1m0.01s ok
2 due=10ms sent=10ms queued=0s done=1m0.01s ok
3 due=25ms sent=25ms queued=0s done=1m0.025s ok
4 due=2s sent=2s queued=0s done=1m2s ok`)
		if got.Sent != 5 || got.Unsent != 0 || got.Elapsed != 62*time.Second || !math.IsNaN(got.Held) {
			t.Errorf("got %+v", got)
		}
	})
}

// The wait for a place is a number of its own, and leaves the schedule alone.
func TestOpenLoopWithPlaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		got := run(t, runner(taking(time.Second)), openCell(2, 0, 100*ms, 200*ms, 300*ms, 1500*ms, 4*time.Second))
		diff(t, table(got.Records, "due", "sent", "queued", "done"), `
0 due=0s sent=0s queued=0s done=1s
1 due=100ms sent=100ms queued=0s done=1.1s
2 due=200ms sent=1s queued=800ms done=2s
3 due=300ms sent=1.1s queued=800ms done=2.1s
4 due=1.5s sent=2s queued=500ms done=3s
5 due=4s sent=4s queued=0s done=5s`)
		for _, r := range got.Records {
			if r.Lateness() != 0 {
				t.Errorf("request %d is late by %v, it only waited for a place", r.Seq, r.Lateness())
			}
		}
	})
}

// What does not go out before the end is counted, with how long it waited.
func TestOpenLoopCountsWhatIsUnsent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := openCell(1, 0, 100*ms, 200*ms, 5*time.Second)
		c.Limit = 2500 * ms
		got := run(t, runner(taking(2*time.Second)), c)
		diff(t, table(got.Records, "due", "sent", "queued", "outcome"), `
0 due=0s sent=0s queued=0s ok
1 due=100ms sent=2s queued=1.9s ok
2 due=200ms sent=- queued=3.8s unsent
3 due=5s sent=- queued=0s unsent`)
		if got.Sent != 2 || got.Unsent != 2 {
			t.Errorf("sent %d, unsent %d, want 2 and 2", got.Sent, got.Unsent)
		}
	})
}

// The sender's own delay is lateness; the wait for a place is not.
func TestLateness(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{answer: func(r loadgen.Request) answer {
			return answer{delay: time.Duration(r.Seq) * ms, total: time.Second}
		}}
		at := make([]time.Duration, 101)
		for i := range at {
			at[i] = time.Duration(i) * 10 * ms
		}
		got := run(t, runner(s), openCell(0, at...)).Lateness
		if want := (loadgen.Lateness{Count: 101, P50: 50 * ms, P99: 99 * ms, Max: 100 * ms}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// Connections are opened before the clock starts, and again ahead of arrivals
// that come after a gap.
func TestOpenLoopOpensConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := taking(time.Millisecond)
		r := runner(s)
		begin := time.Now()
		r.Connect = func(_ context.Context, n int) error {
			s.note("at %v connect %d", time.Since(begin), n)
			return nil
		}
		c := openCell(0, 0, 20*ms, 5*time.Second, 5500*ms, 20*time.Second)
		c.Warmup = requests(1)
		run(t, r, c)
		diff(t, s.log(), `
at 0s connect 2
0s send 0
at 1ms connect 2
0s send 0
20ms send 1
at 4.711s connect 2
5s send 2
5.5s send 3
at 19.711s connect 1
20s send 4`)
	})
}
