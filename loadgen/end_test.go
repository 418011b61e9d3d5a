package loadgen_test

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
)

// cells are one of each kind of loop, of six requests that come quickly.
func cells() map[string]loadgen.Cell {
	talk := conversations(2, 2)
	return map[string]loadgen.Cell{
		"open":              openCell(0, 0, 1*ms, 2*ms, 3*ms, 4*ms, 5*ms),
		"open with places":  openCell(2, 0, 1*ms, 2*ms, 3*ms, 4*ms, 5*ms),
		"closed":            closedCell(2, 6),
		"batches":           {Schedule: arrival.Synchronised(3, 0, 2), Requests: requests(6)},
		"conversations":     talk,
		"closed, one place": closedCell(1, 6),
	}
}

// Whatever becomes of requests, every loop ends in bounded time, with one record
// for every request and its own outcome. A goroutine that stays would hang the
// bubble.
func TestEveryOutcomeEndsEveryLoop(t *testing.T) {
	t.Parallel()
	const timeout = 10 * time.Second
	outcomes := map[loadgen.Outcome]answer{
		loadgen.OK:          {total: time.Second},
		loadgen.Connect:     {outcome: loadgen.Connect},
		loadgen.Timeout:     {first: time.Second, total: -1},
		loadgen.HTTPStatus:  {total: 1 * ms, outcome: loadgen.HTTPStatus},
		loadgen.StreamError: {first: time.Second, total: 2 * time.Second, outcome: loadgen.StreamError},
		loadgen.Truncated:   {first: time.Second, total: 2 * time.Second, outcome: loadgen.Truncated},
		loadgen.Malformed:   {total: time.Second, outcome: loadgen.Malformed},
	}
	for name, c := range cells() {
		for want, a := range outcomes {
			t.Run(name+"/"+string(want), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					c := c
					c.Timeout = timeout
					s := &fake{answer: func(loadgen.Request) answer { return a }}
					r := runner(s)
					r.Progress = new(loadgen.Progress)
					begin := time.Now()
					got := run(t, r, c)
					if took := time.Since(begin); took > 6*timeout+time.Second {
						t.Errorf("took %v", took)
					}
					counts := map[loadgen.Outcome]int{}
					for i, rec := range got.Records {
						if rec.Seq != i {
							t.Errorf("record %d is of request %d", i, rec.Seq)
						}
						counts[rec.Outcome]++
					}
					sent := 6
					if c.Follow != nil && want != loadgen.OK {
						sent = 2 // nothing to follow up on
					}
					if counts[want] != sent || counts[loadgen.Unsent] != 6-sent || len(got.Records) != 6 {
						t.Errorf("got %v, want %d of %s", counts, sent, want)
					}
					if got.Sent != sent || got.Unsent != 6-sent {
						t.Errorf("counted %d sent, %d unsent, want %d and %d", got.Sent, got.Unsent, sent, 6-sent)
					}
					p := r.Progress
					if p.Sent.Load() != int64(sent) || p.Done.Load() != int64(sent) || (p.Failed.Load() == 0) != (want == loadgen.OK) {
						t.Errorf("progress says %d sent, %d done, %d failed", p.Sent.Load(), p.Done.Load(), p.Failed.Load())
					}
				})
			})
		}
	}
}

// A cancelled run sends nothing more, lets answers end if they do so in time,
// and returns.
func TestCancel(t *testing.T) {
	t.Parallel()
	for name, c := range cells() {
		for _, drain := range []time.Duration{0, 5 * time.Second, time.Minute} {
			t.Run(name+"/"+drain.String(), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					c := c
					c.Drain = drain
					time.AfterFunc(2500*time.Microsecond, cancel)
					begin := time.Now()
					got, err := runner(taking(30*time.Second)).Run(ctx, c)
					if !errors.Is(err, context.Canceled) || got == nil {
						t.Fatalf("got %v, %v, want a run and its end", got, err)
					}
					if took := time.Since(begin); took > min(drain+10*ms, 31*time.Second) {
						t.Errorf("took %v to end", took)
					}
					want := loadgen.Cancelled
					if drain >= 30*time.Second {
						want = loadgen.OK
					}
					for i, rec := range got.Records {
						ended := rec.Outcome == want && rec.Sent <= 2500*time.Microsecond
						if !ended && (rec.Outcome != loadgen.Unsent || rec.Sent != loadgen.Unknown) {
							t.Errorf("request %d, sent at %v: %s", i, rec.Sent, rec.Outcome)
						}
					}
					if len(got.Records) != 6 || got.Sent+got.Unsent != 6 || got.Unsent == 0 {
						t.Errorf("%d records, %d sent, %d unsent", len(got.Records), got.Sent, got.Unsent)
					}
				})
			})
		}
	}
}

// A run that is cancelled during its warm-up measures nothing, and says so.
func TestCancelDuringWarmup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		c := closedCell(1, 2)
		c.Warmup = requests(3)
		r := runner(taking(700 * ms))
		r.Connect = func(ctx context.Context, _ int) error { return ctx.Err() }
		got, err := r.Run(ctx, c)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		diff(t, table(got.Warmup, "outcome"), "0 ok\n1 cancelled\n2 unsent")
		diff(t, table(got.Records, "outcome"), "0 unsent\n1 unsent")
	})
}

func TestNothingToConnectTo(t *testing.T) {
	t.Parallel()
	r := runner(taking(0))
	r.Connect = func(context.Context, int) error { return errors.New("connection refused") }
	got, err := r.Run(t.Context(), closedCell(1, 1))
	if got != nil || err == nil || err.Error() != "open connections: connection refused" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestImpossibleCells(t *testing.T) {
	t.Parallel()
	cases := []struct {
		cell loadgen.Cell
		want string
	}{
		{loadgen.Cell{}, `load: unknown kind of schedule ""`},
		{loadgen.Cell{Schedule: arrival.ClosedLoop(1, 2), Requests: requests(1)}, "load: the schedule has 2 requests, the cell 1"},
		{loadgen.Cell{Schedule: arrival.Schedule{Kind: arrival.Refill}}, "load: a closed loop needs a place, not 0"},
		{openCell(0, 2*ms, 1*ms), "load: arrival 1 comes before arrival 0"},
		{
			loadgen.Cell{Schedule: arrival.Schedule{Kind: arrival.Open, Requests: 1}, Requests: requests(1), Follow: turns},
			"load: the schedule has 1 requests, but 0 arrivals\nonly a closed loop with refill can follow up",
		},
		{
			loadgen.Cell{Schedule: arrival.Schedule{Kind: arrival.Batched, Requests: 2, Batches: []arrival.Batch{{First: 1, Size: 1}}}, Requests: requests(2)},
			"load: batch 0 has 1 requests from 1 on, expected some from 0 on\nthe batches hold 0 requests of 2",
		},
	}
	for _, c := range cases {
		_, err := runner(taking(0)).Run(t.Context(), c.cell)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	for _, c := range []loadgen.Cell{closedCell(3, 0), openCell(0), {Schedule: arrival.Synchronised(1, 0, 0)}} {
		if got := run(t, runner(taking(0)), c); len(got.Records) != 0 || got.Sent != 0 || got.Elapsed != 0 {
			t.Errorf("nothing to send, got %+v", got)
		}
	}
}

// The collector is put off during a cell and left as it was after it.
func TestCollectorIsRestored(t *testing.T) {
	percent := debug.SetGCPercent(77)
	limit := debug.SetMemoryLimit(1 << 40)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	var during int
	s := &fake{answer: func(loadgen.Request) answer {
		during = debug.SetGCPercent(-1) // it is off already
		return answer{}
	}}
	r := &loadgen.Runner{Sender: s}
	got := run(t, r, closedCell(1, 1))
	if after := debug.SetGCPercent(percent); after != 77 || during != -1 {
		t.Errorf("percent was %d during the cell and %d after it, want -1 and 77", during, after)
	}
	if after := debug.SetMemoryLimit(-1); after != 1<<40 {
		t.Errorf("limit is %d after the cell", after)
	}
	if got.Collection.Cycles != 0 || got.Collection.Objects == 0 || got.Collection.Heap == 0 {
		t.Errorf("got %+v", got.Collection)
	}
}

// The thread fires in order, never early, and stops when told.
func TestThread(t *testing.T) {
	t.Parallel()
	at := make([]time.Duration, 50)
	for i := range at {
		at[i] = time.Duration(i/2) * ms
	}
	ctx, cancel := context.WithCancel(t.Context())
	origin := time.Now()
	var fired []string
	n := loadgen.Thread{}.Pace(ctx, origin, at, func(i int) {
		if early := at[i] - time.Since(origin); early > 0 {
			t.Errorf("fired %d early by %v", i, early)
		}
		fired = append(fired, ".")
		if i == 39 {
			cancel()
		}
	})
	if n != 40 || strings.Join(fired, "") != strings.Repeat(".", 40) {
		t.Errorf("fired %d, said %d, want 40", len(fired), n)
	}
	if n := (loadgen.Thread{}).Pace(ctx, time.Now(), []time.Duration{time.Hour}, func(int) { t.Error("fired") }); n != 0 {
		t.Errorf("fired %d after the end", n)
	}
}
