package loadgen_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
)

// A slot sends its next request when its last one ended, and only its own.
func TestClosedLoopRefills(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{answer: func(r loadgen.Request) answer {
			if r.Seq == 1 {
				return answer{total: 5 * time.Second}
			}
			return answer{total: time.Second}
		}}
		got := run(t, runner(s), closedCell(2, 6))
		diff(t, table(got.Records, "slot", "due", "sent", "done"), `
0 slot=0 due=0s sent=0s done=1s
1 slot=1 due=0s sent=0s done=5s
2 slot=0 due=1s sent=1s done=2s
3 slot=1 due=5s sent=5s done=6s
4 slot=0 due=2s sent=2s done=3s
5 slot=1 due=6s sent=6s done=7s`)
		if got.Held != 1 {
			t.Errorf("held %v of the places until the first slot was through, want 1", got.Held)
		}
	})
}

// Which slot sends what, and in which order, does not depend on the answers.
func TestSlotsDoNotDependOnTime(t *testing.T) {
	t.Parallel()
	var want string
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 0))
			delays := make([]time.Duration, 40)
			for i := range delays {
				delays[i] = time.Duration(rng.IntN(1000)) * ms
			}
			s := &fake{answer: func(r loadgen.Request) answer { return answer{total: delays[r.Seq]} }}
			got := run(t, runner(s), closedCell(7, 40))
			if text := table(got.Records, "slot"); want == "" {
				want = text
			} else if text != want {
				t.Errorf("seed %d: got\n%s\nwant\n%s", seed, text, want)
			}
		})
	}
}

// Places are idle while a sender dawdles between requests: held says how much.
func TestHeld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{answer: func(r loadgen.Request) answer {
			if r.Seq < 4 {
				return answer{total: time.Second}
			}
			return answer{delay: time.Second, total: time.Second}
		}}
		got := run(t, runner(s), closedCell(4, 12)) // busy for 3 s of 5
		if got.Held != 0.6 || got.Lateness.Max != time.Second {
			t.Errorf("held %v, late by up to %v, want 0.6 and 1 s", got.Held, got.Lateness.Max)
		}
	})
}

// A batch starts together and waits for its slowest answer.
func TestBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{answer: func(r loadgen.Request) answer { return answer{total: time.Duration(r.Seq+1) * time.Second} }}
		c := loadgen.Cell{Schedule: arrival.Synchronised(2, 1, 2), Requests: requests(6), Spread: -1}
		got := run(t, runner(s), c)
		diff(t, table(got.Records, "slot", "due", "sent", "done", "warmup"), `
0 slot=0 due=0s sent=0s done=1s warmup=true
1 slot=1 due=0s sent=0s done=2s warmup=true
2 slot=0 due=2s sent=2s done=5s warmup=false
3 slot=1 due=2s sent=2s done=6s warmup=false
4 slot=0 due=6s sent=6s done=11s warmup=false
5 slot=1 due=6s sent=6s done=12s warmup=false`)
		if want := 18.0 / 20; got.Held != want || got.Sent != 4 || got.Elapsed != 10*time.Second {
			t.Errorf("held %v, sent %d in %v, want %v, 4 and 10 s", got.Held, got.Sent, got.Elapsed, want)
		}
	})
}

// turns follows up to three turns a conversation, each of which names the answer
// before it.
func turns(_ context.Context, last loadgen.Record) (loadgen.Request, bool, error) {
	if last.Seq%3 == 2 {
		return loadgen.Request{}, false, nil
	}
	next := loadgen.Request{Seq: last.Seq + 1, KeepText: true, Body: []byte(last.Text)}
	if last.Outcome != loadgen.OK {
		return next, true, errors.New("no answer to go on from")
	}
	return next, true, nil
}

func conversations(places, n int) loadgen.Cell {
	c := closedCell(places, n)
	for i := range c.Requests {
		c.Requests[i].Seq, c.Requests[i].KeepText = 3*i, true
	}
	c.Follow = turns
	return c
}

// A conversation feeds its answers back, turn after turn, in one slot.
func TestConversations(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		got := run(t, runner(taking(time.Second)), conversations(2, 3))
		diff(t, table(got.Records, "slot", "due", "sent", "outcome"), `
0 slot=0 due=0s sent=0s ok
1 slot=0 due=1s sent=1s ok
2 slot=0 due=2s sent=2s ok
3 slot=1 due=0s sent=0s ok
4 slot=1 due=1s sent=1s ok
5 slot=1 due=2s sent=2s ok
6 slot=0 due=3s sent=3s ok
7 slot=0 due=4s sent=4s ok
8 slot=0 due=5s sent=5s ok`)
		for _, r := range got.Records {
			if want := fmt.Sprintf("answer %d", r.Seq-1); r.Seq%3 != 0 && string(r.Body) != want {
				t.Errorf("turn %d says %q, want %q", r.Seq, r.Body, want)
			}
		}
	})
}

// After a turn that failed, the rest of the conversation is counted as unsent.
func TestConversationBreaks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{answer: func(r loadgen.Request) answer {
			if r.Seq == 1 {
				return answer{total: time.Second, outcome: loadgen.Truncated}
			}
			return answer{total: time.Second}
		}}
		got := run(t, runner(s), conversations(1, 2))
		diff(t, table(got.Records, "sent", "outcome", "error"), `
0 sent=0s ok ""
1 sent=1s truncated ""
2 sent=- unsent "no answer to go on from"
3 sent=2s ok ""
4 sent=3s ok ""
5 sent=4s ok ""`)
		if got.Sent != 5 || got.Unsent != 1 {
			t.Errorf("sent %d, unsent %d, want 5 and 1", got.Sent, got.Unsent)
		}
	})
}

// Warm-up requests go first, are marked, and are in no figure.
func TestWarmup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := taking(time.Second)
		r := runner(s)
		r.Connect = func(_ context.Context, n int) error { s.note("connect %d", n); return nil }
		c := closedCell(2, 2)
		c.Warmup = requests(3)
		got := run(t, r, c)
		diff(t, table(got.Warmup, "sent", "outcome", "warmup"), `
0 sent=0s ok warmup=true
1 sent=0s ok warmup=true
2 sent=1s ok warmup=true`)
		diff(t, table(got.Records, "sent", "warmup"), `
0 sent=0s warmup=false
1 sent=0s warmup=false`)
		if events := strings.Split(s.log(), "\n"); len(events) != 7 || events[0] != "connect 2" || events[4] != "connect 2" {
			t.Errorf("got %q, want connections before the warm-up and after it", events)
		}
		if got.Sent != 2 || got.Lateness.Count != 2 {
			t.Errorf("the warm-up counts: %+v", got)
		}
	})
}

// Slots start a little apart, and batches too, unless told otherwise; that is no
// lateness, and places count as held from when the last one is taken.
func TestSpread(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := closedCell(6, 12)
		c.Spread = 0
		got := run(t, runner(taking(time.Second)), c)
		diff(t, table(got.Records[3:8], "slot", "due", "sent"), `
3 slot=3 due=0s sent=0s
4 slot=4 due=400µs sent=400µs
5 slot=5 due=400µs sent=400µs
6 slot=0 due=1s sent=1s
7 slot=1 due=1s sent=1s`)
		if got.Lateness.Max != 0 || got.Held != 1 {
			t.Errorf("late by up to %v, held %v", got.Lateness.Max, got.Held)
		}
		b := loadgen.Cell{Schedule: arrival.Synchronised(5, 0, 1), Requests: requests(5), Spread: time.Millisecond}
		diff(t, table(run(t, runner(taking(time.Second)), b).Records[3:], "due", "sent"), `
3 due=0s sent=0s
4 due=4ms sent=4ms`)
	})
}
