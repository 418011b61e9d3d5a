package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

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
		v := newBenchViewOf(&w, "plain", run.snapshot, viewOptions{})
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
		if err := v.Close(); err != nil {
			t.Error(err)
		}
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
	v := newBenchViewOf(&w, "none", nil, viewOptions{})
	v.Event(event(engine.CellStarted, ""))
	v.Event(event(engine.Warning, "the clock of the GPU is capped"))
	v.Event(done())
	_ = v.Close()
	v.Event(event(engine.Warning, "too late"))
	if got, want := w.String(), "warning: the clock of the GPU is capped\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBenchViewMode(t *testing.T) {
	t.Parallel()
	if _, err := newBenchView(&bytes.Buffer{}, "loud", nil); exitCode(err) != exitUsage {
		t.Errorf("%v", err)
	}
	for _, mode := range viewModes {
		var w bytes.Buffer
		v, err := newBenchView(&w, mode, nil)
		if err != nil {
			t.Fatal(err)
		}
		v.Event(event(engine.TestStarted, ""))
		_ = v.Close()
		if strings.Contains(w.String(), "\x1b") {
			t.Errorf("%s: control codes without a terminal: %q", mode, w.String())
		}
	}
}

// A screen does what a terminal does with the control sequences of a live view.
type screen struct {
	lines  [][]rune
	row    int
	column int
	width  int
	cursor bool
	bad    string
}

var csi = regexp.MustCompile(`^\x1b\[(\??[0-9]*)([A-Za-z])`)

func show(text string, width int) *screen {
	s := &screen{width: width, cursor: true, lines: [][]rune{nil}}
	for text != "" {
		if m := csi.FindStringSubmatch(text); m != nil {
			s.control(m[1], m[2])
			text = text[len(m[0]):]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch {
		case r == '\n':
			s.row, s.column = s.row+1, 0
			if s.row == len(s.lines) {
				s.lines = append(s.lines, nil)
			}
		case r == '\r':
			s.column = 0
		case r < ' ' || r == 0x7f:
			s.bad += fmt.Sprintf("%q", r)
		default:
			s.put(r)
		}
	}
	return s
}

func (s *screen) put(r rune) {
	if s.column == s.width {
		s.row, s.column = s.row+1, 0
		if s.row == len(s.lines) {
			s.lines = append(s.lines, nil)
		}
	}
	for len(s.lines[s.row]) <= s.column {
		s.lines[s.row] = append(s.lines[s.row], ' ')
	}
	s.lines[s.row][s.column] = r
	s.column++
}

func (s *screen) control(number, letter string) {
	switch number + letter {
	case "?25l":
		s.cursor = false
	case "?25h":
		s.cursor = true
	case "J":
		s.lines = append(slices.Clone(s.lines[:s.row]), s.lines[s.row][:min(s.column, len(s.lines[s.row]))])
	case "K":
		s.lines[s.row] = s.lines[s.row][:min(s.column, len(s.lines[s.row]))]
	default:
		var n int
		if _, err := fmt.Sscan(number, &n); letter == "A" && err == nil {
			if s.row -= n; s.row < 0 {
				s.bad, s.row = s.bad+"above the top", 0
			}
		} else if letter != "m" {
			s.bad += number + letter
		}
	}
}

func (s *screen) String() string {
	var b strings.Builder
	for _, l := range s.lines {
		b.WriteString(strings.TrimRight(string(l), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func TestLiveView(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width  int
		during string
	}{
		{80, `check: the server answers
cell 5/31 rag-8k/8192/512/c10 done: TTFT p50 312 ms, output 41.3 tok/s
rag-8k/8192/512/c10  repetition 2 of 3
cell  [###########################.............................]  48%  9 of 20 requests
test  [############################............................]  49%  cell 2 of 3
suite [########................................................]  14%  cell 5 of 31
0 req/s  0 tok/s  TTFT 312 ms  2 failed  elapsed 1m30s  about 3h05m left
`},
		{40, `check: the server answers
cell 5/31 rag-8k/8192/512/c10 done: TTFT
 p50 312 ms, output 41.3 tok/s
rag-8k/8192/512/c10  repetition 2 of 3
cell  [####.....]  48%  9 of 20 requests
test  [####.....]  49%  cell 2 of 3
suite [#........]  14%  cell 5 of 31
0 req/s  0 tok/s  TTFT 312 ms  2 failed
elapsed 1m30s  about 3h05m left
`},
		{24, ""},
		{200, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &countingWriter{}
			run := &fakeRun{begun: time.Now()}
			run.change = func(s *engine.Snapshot, since time.Duration) {
				if since < time.Minute { // longer lines before shorter ones
					s.Failed, s.Phase = 123456, engine.Stopping
				} else {
					s.Failed = 2
				}
			}
			v := newBenchViewOf(w, "auto", run.snapshot, viewOptions{live: true, width: func() int { return c.width }, colour: true})
			v.Event(event(engine.Preflight, "the server answers"))
			v.Event(event(engine.TestStarted, ""))
			v.Event(event(engine.CellStarted, ""))
			wait(50 * time.Second)
			v.Event(done())
			v.Event(event(engine.CellStarted, ""))
			wait(39*time.Second + 900*time.Millisecond)
			s := show(w.String(), c.width)
			if c.during != "" {
				if got := s.String(); squeeze(got) != squeeze(c.during) {
					t.Errorf("%d columns: got\n%swant\n%s", c.width, got, c.during)
				}
			}
			if s.bad != "" || s.cursor {
				t.Errorf("%d columns: %s, cursor %t", c.width, s.bad, s.cursor)
			}
			bars := 0
			for _, line := range s.lines {
				if barLine.MatchString(string(line)) {
					bars++
					if len(line) >= c.width {
						t.Errorf("%d columns: %q is %d wide", c.width, string(line), len(line))
					}
				}
			}
			if bars < 4 {
				t.Errorf("%d columns: drew %d lines, want three bars and what stands below", c.width, bars)
			}
			v.Event(event(engine.Written, "x.json"))
			_ = v.Close()
			s = show(w.String(), c.width)
			if !s.cursor || !strings.HasSuffix(s.String(), "written: x.json\n") || strings.Contains(s.String(), "[###") {
				t.Errorf("%d columns: cursor %t, left\n%s", c.width, s.cursor, s.String())
			}
			if w.writes > 110 {
				t.Errorf("%d columns: %d writes in 90 s of a run that changes once a second", c.width, w.writes)
			}
		})
	}
}

var barLine = regexp.MustCompile(`^(cell  |test  |suite |.*elapsed )`)

// squeeze makes bars of different lengths equal.
func squeeze(text string) string {
	return regexp.MustCompile(`\[#+\.*\]`).ReplaceAllString(text, "[#]")
}

// Bars are drawn at most five times a second, and not at all when nothing changes.
func TestLiveViewRate(t *testing.T) {
	t.Parallel()
	for _, busy := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := &countingWriter{}
			run := &fakeRun{begun: time.Now()}
			run.change = func(s *engine.Snapshot, since time.Duration) {
				s.Started, s.Done = time.Time{}, 9
				if busy {
					s.Sent, s.Done = int(since/time.Millisecond), int(since/time.Millisecond)
				}
			}
			v := newBenchViewOf(w, "auto", run.snapshot, viewOptions{live: true, width: func() int { return 80 }})
			v.Event(event(engine.CellStarted, ""))
			wait(20 * time.Second)
			if busy && (w.writes > 100 || w.writes < 90) {
				t.Errorf("drew %d times in 20 s, want about 100", w.writes)
			}
			if !busy && w.writes > 3 { // the first, and those at which the rates are known
				t.Errorf("drew %d times, though nothing changed", w.writes)
			}
			_ = v.Close()
		})
	}
}

// A terminal that became narrower has broken the lines on it.
func TestLiveViewResized(t *testing.T) {
	t.Parallel()
	width := 80
	w := &bytes.Buffer{}
	v := &liveView{w: w, width: func() int { return width }}
	run := &fakeRun{begun: time.Now()}
	v.look(run.snapshot(), time.Now())
	rows := 0
	for _, l := range v.drawn {
		rows += (len(l) + 39) / 40
	}
	width = 40
	w.Reset()
	v.look(run.snapshot(), time.Now())
	if want := fmt.Sprintf("\r\x1b[%dA\x1b[J", rows); rows < 8 || !strings.HasPrefix(w.String(), want) {
		t.Errorf("drew %q after %d broken rows", w.String(), rows)
	}
	for _, l := range v.drawn {
		if len(l) > 39 {
			t.Errorf("%q is %d wide", l, len(l))
		}
	}
	width = 0 // not known
	v.look(run.snapshot(), time.Now())
	if v.columns != 80 {
		t.Errorf("%d columns", v.columns)
	}
}

func TestLiveViewColours(t *testing.T) {
	t.Parallel()
	s := (&fakeRun{change: func(s *engine.Snapshot, _ time.Duration) { s.Failed = 3 }}).snapshot()
	for _, colour := range []bool{true, false} {
		w := &bytes.Buffer{}
		v := &liveView{w: w, width: func() int { return 80 }, colour: colour}
		v.event(event(engine.Warning, "hot"))
		v.look(s, time.Now())
		for _, want := range []string{yellow + "warning:" + uncoloured + " hot", "[" + green + "#", red + "3 failed" + uncoloured} {
			if strings.Contains(w.String(), want) != colour {
				t.Errorf("colour %t: %q", colour, w.String())
			}
		}
		if !colour && strings.Contains(w.String(), "m") && regexp.MustCompile(`\x1b\[[0-9]*m`).MatchString(w.String()) {
			t.Errorf("colours without colour: %q", w.String())
		}
	}
}

// A terminal that takes nothing does not stop the run.
func TestBenchViewNeverWaits(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	v := newBenchViewOf(writerFunc(func(p []byte) (int, error) { <-gate; return len(p), nil }), "plain", nil, viewOptions{})
	for range 1000 {
		v.Event(event(engine.TestStarted, ""))
	}
	close(gate)
	_ = v.Close()
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestJSONView(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w bytes.Buffer
		run := &fakeRun{begun: time.Now()}
		run.change = func(s *engine.Snapshot, since time.Duration) {
			s.Done, s.Tokens = int(since/time.Second)*2, int64(since/time.Second)*100
		}
		v := newBenchViewOf(&w, "json", run.snapshot, viewOptions{})
		v.Event(event(engine.CellStarted, ""))
		wait(2500 * time.Millisecond)
		v.Event(done())
		_ = v.Close()
		const head = `"test":"rag-8k","test_number":2,"tests":11,"cell":"rag-8k/8192/512/c10","cell_number":5,"cells":31,"cell_in_test":2,"cells_of_test":3,"repetition":2,"repetitions":3`
		const want = `{"type":"event","kind":"cell_started","at":"2000-01-01T00:00:00.000Z",` + head + `}
{"type":"snapshot","at":"2000-01-01T00:00:01.000Z",` + head + `,"phase":"measuring","elapsed_s":1,"phase_elapsed_s":1,"requests":20,"sent":12,"done":2,"failed":0,"output_tokens":100,"mean_ttft_ms":312,"remaining_s":11100,"cell_done_ratio":0.367,"suite_done_ratio":0.141}
{"type":"snapshot","at":"2000-01-01T00:00:02.000Z",` + head + `,"phase":"measuring","elapsed_s":2,"phase_elapsed_s":2,"requests":20,"sent":12,"done":4,"failed":0,"output_tokens":200,"mean_ttft_ms":312,"requests_per_s":2,"output_tokens_per_s":100,"remaining_s":11100,"cell_done_ratio":0.4,"suite_done_ratio":0.142}
{"type":"event","kind":"cell_done","at":"2000-01-01T00:00:02.500Z",` + head + `,"figures":[{"name":"TTFT p50","value":312.4,"unit":"ms"},{"name":"output","value":41.26,"unit":"tok/s"}]}
`
		if got := w.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

// Whatever a server or a user calls things, the terminal and the log stay whole.
func TestBenchViewHostile(t *testing.T) {
	t.Parallel()
	evil := "a\x1b[2J\x1b]0;x\x07b\r\n\u202egnp.\u2066\u200b\u0085c\u009b31m\x00" + strings.Repeat("é\u0301\u6f22", 200) + "\xff"
	for _, mode := range []string{"plain", "json", "none", "live"} {
		var w bytes.Buffer
		v := newBenchViewOf(&w, mode, (&fakeRun{change: func(s *engine.Snapshot, _ time.Duration) { s.Cell = evil }}).snapshot,
			viewOptions{live: mode == "live", width: func() int { return 80 }, hide: []string{"sk-secret"}})
		for _, kind := range []engine.EventKind{engine.Warning, engine.CellStarted, engine.CellDone, engine.TestDone, engine.Written, "new\x1b[2Jkind"} {
			e := event(kind, "at http://me:pw@10.0.0.1/v1 with sk-secret: "+evil)
			e.Test, e.Cell, e.Code = evil, evil, evil
			e.Figures = []engine.Figure{{Name: evil, Value: 1, Unit: evil}}
			v.Event(e)
		}
		_ = v.Close()
		text := w.String()
		for _, bad := range []string{"\x1b[2J", "\x1b]", "\x07", "\x00", "\u202e", "\u2066", "\u200b", "\u0085", "\u009b", "\u0301", "\xff", "me:pw", "sk-secret"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s shows %q", mode, bad)
			}
		}
		for line := range strings.Lines(text) {
			if n := columnsOf.StringWidth(line); n > 1100 {
				t.Errorf("%s: a line is %d wide", mode, n)
			}
			if mode == "json" && !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", line)
			}
		}
	}
	lines := (&liveView{width: func() int { return 40 }}).lines(engine.Snapshot{Place: engine.Place{Cell: evil}}, time.Now(), 39)
	for _, l := range lines {
		if n := columnsOf.StringWidth(l); n > 39 {
			t.Errorf("%q is %d wide", l, n)
		}
	}
}

func TestBenchViewWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 400 * time.Millisecond: "0s", 59*time.Second + 600*time.Millisecond: "1m00s", 12*time.Minute + 3*time.Second: "12m03s",
		3*time.Hour + 5*time.Minute + 59*time.Second: "3h05m", 98 * time.Hour: "98h00m", 100 * time.Hour: "4d04h",
	} {
		if got := span(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 0.3125: "0.312", 9.876: "9.88", 41.26: "41.3", 312.4: "312", 12345.6: "12346", -0.5: "-0.500"} {
		if got := compact(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
	now := time.Now()
	for _, c := range []struct {
		s    engine.Snapshot
		want string
	}{
		{engine.Snapshot{}, "time left not known yet"},
		{engine.Snapshot{Started: now.Add(-time.Minute), Remaining: 90 * time.Second}, "elapsed 1m00s, about 1m30s left"},
		{engine.Snapshot{MeanTTFT: -1, Failed: 2, Remaining: 48 * time.Hour}, "2 failed, about 48h00m left"},
	} {
		if got := strings.Join(viewText{}.state(c.s, &meter{}, now), ", "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

func TestShares(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct {
		name              string
		s                 engine.Snapshot
		cell, test, suite float64
		known             bool
	}{
		{"nothing", engine.Snapshot{}, 0, 0, 0, false},
		{"preparing", engine.Snapshot{Phase: engine.Preparing, Place: engine.Place{CellInTest: 2, CellsOfTest: 4, CellNumber: 5, Cells: 8}}, 0, 0.25, 0.5, true},
		{"half", engine.Snapshot{Phase: engine.Measuring, Requests: 10, Done: 5, Place: engine.Place{CellInTest: 1, CellsOfTest: 2, CellNumber: 1, Cells: 10}}, 0.5, 0.25, 0.05, true},
		{"second of four repetitions", engine.Snapshot{Phase: engine.Measuring, Requests: 10, Done: 5, Place: engine.Place{Repetition: 2, Repetitions: 4}}, 0.375, 0, 0, true},
		{"by time", engine.Snapshot{Phase: engine.Measuring, CellExpected: time.Minute, CellSince: now.Add(-15 * time.Second)}, 0.25, 0, 0, true},
		{"over time", engine.Snapshot{Phase: engine.Measuring, CellExpected: time.Minute, CellSince: now.Add(-time.Hour)}, 0.99, 0, 0, true},
		{"more than asked for", engine.Snapshot{Phase: engine.Measuring, Requests: 2, Done: 5}, 1, 0, 0, true},
	} {
		cell, test, suite, known := shares(c.s, now)
		if cell != c.cell || test != c.test || suite != c.suite || known != c.known {
			t.Errorf("%s: %v %v %v %t", c.name, cell, test, suite, known)
		}
	}
}

func TestMeter(t *testing.T) {
	t.Parallel()
	var m meter
	at := time.Now()
	see := func(after time.Duration, done int, tokens int64, repetition int) string {
		s := engine.Snapshot{Phase: engine.Measuring, Done: done, Tokens: tokens, Place: engine.Place{Repetition: repetition}}
		requests, rate, ok := m.rates(s, at.Add(after))
		return fmt.Sprintf("%.2f %.0f %t", requests, rate, ok)
	}
	for _, c := range []struct {
		got, want string
	}{
		{see(0, 0, 0, 1), "0.00 0 false"},
		{see(500*time.Millisecond, 5, 100, 1), "0.00 0 false"},
		{see(2*time.Second, 8, 400, 1), "4.00 200 true"},
		{see(10*time.Second, 8, 400, 1), "0.80 40 true"},
		{see(20*time.Second, 8, 400, 1), "0.00 0 true"}, // the server hangs: the rate says so
		{see(21*time.Second, 1, 10, 2), "0.00 0 false"},
		{see(23*time.Second, 3, 110, 2), "1.00 50 true"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"plain", 10, "plain"},
		{"  two\t\nlines ", 20, "two lines"},
		{"abcdefghij", 5, "abcd…"},
		{"漢字漢字", 5, "漢字…"},
		{"a\u202eb\u200fc", 10, "abc"},
		{"x\xffy", 10, "x\ufffdy"},
		{"", 5, ""},
	} {
		if got := oneLine(c.text, c.columns); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

// No text gets a terminal to do anything, or is wider than allowed.
func FuzzOneLine(f *testing.F) {
	for _, seed := range []string{"plain", "a\x1b[2Jb", "\u202ex\u0301", "漢字\u200d👩\u200d🚀", "\xff\xfe", "\u2028\u0085\t"} {
		f.Add(seed, 5)
	}
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns = min(max(columns, 0), 500)
		got := oneLine(text, columns)
		if n := columnsOf.StringWidth(got); n > max(columns, 1) {
			t.Errorf("%q in %d is %q, %d wide", text, columns, got, n)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Mn) {
				t.Errorf("%q keeps %q", text, r)
			}
		}
	})
}
