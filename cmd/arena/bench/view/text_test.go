package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine"
)

// Whatever a server or a user calls things, the terminal and the log stay whole.
func TestViewHostile(t *testing.T) {
	t.Parallel()
	evil := "a\x1b[2J\x1b]0;x\x07b\r\n\u202egnp.\u2066\u200b\u0085c\u009b31m\x00" + strings.Repeat("é\u0301\u6f22", 200) + "\xff"
	for _, mode := range []string{"plain", "json", "none", "auto"} {
		var w bytes.Buffer
		v := start(&w, mode, terminal.Screen{Live: mode == "auto", Columns: func() int { return 80 }},
			(&fakeRun{change: func(s *engine.Snapshot, _ time.Duration) { s.Cell = evil }}).snapshot, "sk-secret")
		for _, kind := range []engine.EventKind{engine.Warning, engine.CellStarted, engine.CellDone, engine.TestDone, engine.Written, "new\x1b[2Jkind"} {
			e := event(kind, "at http://me:pw@10.0.0.1/v1 with sk-secret: "+evil)
			e.Test, e.Cell, e.Code = evil, evil, evil
			e.Figures = []engine.Figure{{Name: evil, Value: 1, Unit: evil}}
			v.Event(e)
		}
		v.Close()
		text := w.String()
		for _, bad := range []string{"\x1b[2J", "\x1b]", "\x07", "\x00", "\u202e", "\u2066", "\u200b", "\u0085", "\u009b", "\u0301", "\xff", "me:pw", "sk-secret"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s shows %q", mode, bad)
			}
		}
		for line := range strings.Lines(text) {
			if n := terminal.Width(line); n > 1100 {
				t.Errorf("%s: a line is %d wide", mode, n)
			}
			if mode == "json" && !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", line)
			}
		}
	}
	lines := (&liveDisplay{width: func() int { return 40 }}).lines(engine.Snapshot{Place: engine.Place{Cell: evil}}, time.Now(), 39)
	for _, l := range lines {
		if n := terminal.Width(l); n > 39 {
			t.Errorf("%q is %d wide", l, n)
		}
	}
}

func TestViewWords(t *testing.T) {
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
		if got := strings.Join(wording{}.state(c.s, &meter{}, now), ", "); got != c.want {
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
