package view

import (
	"bytes"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine"
)

// A fakeRun is a run whose state a test sets.
type fakeRun struct {
	begun  time.Time
	change func(s *engine.Snapshot, since time.Duration)
	looks  atomic.Int64
}

func (r *fakeRun) snapshot() engine.Snapshot {
	r.looks.Add(1)
	now := time.Now()
	s := engine.Snapshot{
		Place: place(), Phase: engine.Measuring, Started: r.begun, CellSince: r.begun,
		Requests: 20, Sent: 12, Done: 9, MeanTTFT: 312 * time.Millisecond, Tokens: 9 * 512, Remaining: 3*time.Hour + 5*time.Minute,
	}
	if r.change != nil {
		r.change(&s, now.Sub(r.begun))
	}
	return s
}

func place() engine.Place {
	return engine.Place{
		Test: "rag-8k", TestNumber: 2, Tests: 11, Cell: "rag-8k/8192/512/c10", CellNumber: 5, Cells: 31,
		CellInTest: 2, CellsOfTest: 3, Repetition: 2, Repetitions: 3,
	}
}

func event(kind engine.EventKind, message string) engine.Event {
	return engine.Event{Kind: kind, At: time.Now(), Place: place(), Message: message}
}

func done() engine.Event {
	e := event(engine.CellDone, "")
	e.Figures = []engine.Figure{{Name: "TTFT p50", Value: 312.4, Unit: "ms"}, {Name: "decode", Value: math.NaN(), Unit: "tok/s"}, {Name: "output", Value: 41.26, Unit: "tok/s"}}
	return e
}

// wait lets fake time pass. The view has done all that it can when it returns.
func wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// A countingWriter counts writes.
type countingWriter struct {
	text   []byte
	writes int
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.writes++
	w.text = append(w.text, p...)
	return len(p), nil
}

func (w *countingWriter) String() string { return string(w.text) }

func TestPlainView(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w bytes.Buffer
		run := &fakeRun{begun: time.Now(), change: func(s *engine.Snapshot, since time.Duration) {
			s.Done, s.Tokens = int(since/(10*time.Second)), int64(since/time.Second)*50
			s.Failed = min(s.Done, 1)
		}}
		v := start(&w, "plain", terminal.Screen{}, run.snapshot)
		v.Event(event(engine.Preflight, "the server answers"))
		warning := event(engine.Warning, "prefix caching cannot be checked")
		warning.Code = "prefix_unknown"
		v.Event(warning)
		v.Event(event(engine.TestStarted, ""))
		wait(time.Hour)
		v.Event(event(engine.CellStarted, ""))
		wait(65 * time.Second)
		v.Event(done())
		wait(time.Hour)
		v.Event(event(engine.CellSkipped, "the test ended before: saturated"))
		v.Event(event(engine.TestDone, ""))
		v.Event(event(engine.Written, "results/bundles/x.json"))
		v.Close()
		const want = `2000-01-01T00:00:00Z check: the server answers
2000-01-01T00:00:00Z warning: prefix caching cannot be checked (prefix_unknown)
2000-01-01T00:00:00Z test 2/11 rag-8k
2000-01-01T01:00:00Z cell 5/31 rag-8k/8192/512/c10
2000-01-01T01:00:30Z cell 5/31 rag-8k/8192/512/c10: repetition 2 of 3, 363 of 20 requests, TTFT 312 ms, 1 failed, elapsed 1h00m, about 3h05m left
2000-01-01T01:01:00Z cell 5/31 rag-8k/8192/512/c10: repetition 2 of 3, 366 of 20 requests, 0.100 req/s, 50.0 tok/s, TTFT 312 ms, 1 failed, elapsed 1h01m, about 3h05m left
2000-01-01T01:01:05Z cell 5/31 rag-8k/8192/512/c10 done: TTFT p50 312 ms, output 41.3 tok/s
2000-01-01T02:01:05Z cell 5/31 rag-8k/8192/512/c10 skipped: the test ended before: saturated
2000-01-01T02:01:05Z test 2/11 rag-8k done
2000-01-01T02:01:05Z written: results/bundles/x.json
`
		if got := w.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
		if n := run.looks.Load(); n != 2 {
			t.Errorf("looked %d times at the run, want 2: not between cells", n)
		}
	})
}

func TestQuietView(t *testing.T) {
	t.Parallel()
	var w bytes.Buffer
	v := start(&w, "none", terminal.Screen{}, nil)
	v.Event(event(engine.CellStarted, ""))
	v.Event(event(engine.Warning, "the clock of the GPU is capped"))
	v.Event(done())
	v.Close()
	v.Event(event(engine.Warning, "too late"))
	if got, want := w.String(), "warning: the clock of the GPU is capped\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestViewMode(t *testing.T) {
	t.Parallel()
	if _, err := New(&bytes.Buffer{}, "loud", terminal.Screen{}, nil); exit.Code(err) != exit.Usage {
		t.Errorf("%v", err)
	}
	for _, mode := range Modes {
		var w bytes.Buffer
		v, err := New(&w, mode, terminal.Screen{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		v.Event(event(engine.TestStarted, ""))
		v.Close()
		if strings.Contains(w.String(), "\x1b") {
			t.Errorf("%s: control codes without a terminal: %q", mode, w.String())
		}
	}
}
