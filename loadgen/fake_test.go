package loadgen_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
)

const ms = time.Millisecond

// An answer is what a fake endpoint does with a request.
type answer struct {
	delay   time.Duration // between being called and sending
	first   time.Duration // from sent to first token
	total   time.Duration // from sent to the end; negative never ends
	outcome loadgen.Outcome
}

// A fake answers requests as told, in whatever time its clock has.
type fake struct {
	answer func(r loadgen.Request) answer

	mu     sync.Mutex
	events []string // in the order in which they happened
}

func (f *fake) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, fmt.Sprintf(format, args...))
}

func (f *fake) log() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.events, "\n")
}

// wait reports whether d passed before ctx was done.
func wait(ctx context.Context, d time.Duration) bool {
	if d < 0 {
		<-ctx.Done()
		return false
	}
	if d == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (f *fake) Send(ctx context.Context, origin time.Time, r loadgen.Request) loadgen.Result {
	now := func() loadgen.Offset { return time.Since(origin) }
	a := f.answer(r)
	res := loadgen.NoResult()
	res.PromptTokens = r.PromptTokens
	end := func(o loadgen.Outcome) loadgen.Result {
		res.Done, res.Outcome = now(), o
		return res
	}
	wait(ctx, a.delay)
	if a.outcome == loadgen.Connect {
		return end(loadgen.Connect)
	}
	res.Sent = now()
	f.note("%v send %d", res.Sent, r.Seq)
	broken := func() loadgen.Result {
		if ctx.Err() == context.DeadlineExceeded {
			return end(loadgen.Timeout)
		}
		return end(loadgen.Cancelled)
	}
	if a.first > 0 && !wait(ctx, a.first) {
		return broken()
	}
	res.FirstByte, res.FirstToken, res.FirstVisible, res.LastToken = now(), now(), now(), now()
	res.Arrivals = []loadgen.Arrival{{At: now(), Tokens: 1}}
	res.Chunks, res.CompletionTokens = 1, 1
	if a.total < 0 && !wait(ctx, -1) || !wait(ctx, a.total-a.first) {
		return broken()
	}
	if r.KeepText {
		res.Text = fmt.Sprintf("answer %d", r.Seq)
	}
	if a.outcome == "" {
		a.outcome = loadgen.OK
	}
	return end(a.outcome)
}

// taking answers every request after d.
func taking(d time.Duration) *fake {
	return &fake{answer: func(loadgen.Request) answer { return answer{total: d} }}
}

func runner(s loadgen.Sender) *loadgen.Runner {
	return &loadgen.Runner{Sender: s, Pacer: loadgen.Timers{}, KeepGC: true}
}

func requests(n int) []loadgen.Request {
	out := make([]loadgen.Request, n)
	for i := range out {
		out[i] = loadgen.Request{Seq: i, Body: fmt.Appendf(nil, "body %d", i), PromptTokens: 10, OutputTokens: 1}
	}
	return out
}

func openCell(limit int, at ...time.Duration) loadgen.Cell {
	return loadgen.Cell{
		Schedule: arrival.Schedule{Kind: arrival.Open, Requests: len(at), At: at, MaxConcurrency: limit},
		Requests: requests(len(at)),
	}
}

func closedCell(places, n int) loadgen.Cell {
	return loadgen.Cell{Schedule: arrival.ClosedLoop(places, n), Requests: requests(n), Spread: -1}
}

func run(t *testing.T, r *loadgen.Runner, c loadgen.Cell) *loadgen.Run {
	t.Helper()
	got, err := r.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// table shows records as text: one line each, the fields that are named.
func table(records []loadgen.Record, fields ...string) string {
	var b strings.Builder
	for _, r := range records {
		fmt.Fprintf(&b, "%d", r.Seq)
		for _, f := range fields {
			switch f {
			case "slot":
				fmt.Fprintf(&b, " slot=%d", r.Slot)
			case "due":
				fmt.Fprintf(&b, " due=%v", shown(r.Due))
			case "sent":
				fmt.Fprintf(&b, " sent=%v", shown(r.Sent))
			case "done":
				fmt.Fprintf(&b, " done=%v", shown(r.Done))
			case "queued":
				fmt.Fprintf(&b, " queued=%v", r.Queued)
			case "outcome":
				fmt.Fprintf(&b, " %s", r.Outcome)
			case "warmup":
				fmt.Fprintf(&b, " warmup=%t", r.Warmup)
			case "error":
				fmt.Fprintf(&b, " %q", r.Error)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func shown(d loadgen.Offset) string {
	if d == loadgen.Unknown {
		return "-"
	}
	return d.String()
}

func diff(t *testing.T, got, want string) {
	t.Helper()
	if got = strings.TrimSpace(got); got != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(want))
	}
}
