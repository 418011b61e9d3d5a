package view

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine"
)

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
			v := start(w, "auto", terminal.Screen{Live: true, Columns: func() int { return c.width }, Colour: true}, run.snapshot)
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
			v.Close()
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
			v := start(w, "auto", terminal.Screen{Live: true, Columns: func() int { return 80 }}, run.snapshot)
			v.Event(event(engine.CellStarted, ""))
			wait(20 * time.Second)
			if busy && (w.writes > 100 || w.writes < 90) {
				t.Errorf("drew %d times in 20 s, want about 100", w.writes)
			}
			if !busy && w.writes > 3 { // the first, and those at which the rates are known
				t.Errorf("drew %d times, though nothing changed", w.writes)
			}
			v.Close()
		})
	}
}

// A terminal that became narrower has broken the lines on it.
func TestLiveViewResized(t *testing.T) {
	t.Parallel()
	width := 80
	w := &bytes.Buffer{}
	v := &liveDisplay{w: w, width: func() int { return width }}
	run := &fakeRun{begun: time.Now()}
	v.showSnapshot(run.snapshot(), time.Now())
	rows := 0
	for _, l := range v.drawn {
		rows += (len(l) + 39) / 40
	}
	width = 40
	w.Reset()
	v.showSnapshot(run.snapshot(), time.Now())
	if want := fmt.Sprintf("\r\x1b[%dA\x1b[J", rows); rows < 8 || !strings.HasPrefix(w.String(), want) {
		t.Errorf("drew %q after %d broken rows", w.String(), rows)
	}
	for _, l := range v.drawn {
		if len(l) > 39 {
			t.Errorf("%q is %d wide", l, len(l))
		}
	}
	width = 0 // not known
	v.showSnapshot(run.snapshot(), time.Now())
	if v.columns != 80 {
		t.Errorf("%d columns", v.columns)
	}
}

func TestLiveViewColours(t *testing.T) {
	t.Parallel()
	s := (&fakeRun{change: func(s *engine.Snapshot, _ time.Duration) { s.Failed = 3 }}).snapshot()
	for _, colour := range []bool{true, false} {
		w := &bytes.Buffer{}
		v := &liveDisplay{w: w, width: func() int { return 80 }, colour: colour}
		v.showEvent(event(engine.Warning, "hot"))
		v.showSnapshot(s, time.Now())
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
func TestViewNeverWaits(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	v := start(writerFunc(func(p []byte) (int, error) { <-gate; return len(p), nil }), "plain", terminal.Screen{}, nil)
	for range 1000 {
		v.Event(event(engine.TestStarted, ""))
	}
	close(gate)
	v.Close()
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
		v := start(&w, "json", terminal.Screen{}, run.snapshot)
		v.Event(event(engine.CellStarted, ""))
		wait(2500 * time.Millisecond)
		v.Event(done())
		v.Close()
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
