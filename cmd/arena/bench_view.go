package main

import (
	"cmp"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/term"

	"example.org/arena/engine"
)

// A benchView shows how a run goes: bars on a terminal, lines elsewhere, JSON for
// programs. What it is told it draws in a goroutine of its own, so that neither a
// slow terminal nor one that is held with Ctrl-S ever stops the measurement.
type benchView struct {
	snapshot func() engine.Snapshot
	face     viewFace
	period   time.Duration // between two looks at the run

	mu     sync.Mutex
	queue  []engine.Event
	closed bool
	wake   chan struct{}
	done   chan struct{}
}

// A viewFace is a way to show a run. Its methods are called one at a time.
type viewFace interface {
	event(e engine.Event)
	look(s engine.Snapshot, now time.Time) // while a cell is under way
	close()
}

// viewModes are the ways to ask for a view.
var viewModes = []string{"auto", "plain", "json", "none"}

// A viewOptions is what a view depends on besides its mode.
type viewOptions struct {
	live   bool       // bars are wanted and w can show them
	width  func() int // of the terminal, columns; asked for before each drawing
	colour bool
	hide   []string // words that never appear, such as a key
}

// newBenchView returns a view in one of viewModes. It shows none of the words in
// hide. It has to be closed.
func newBenchView(w io.Writer, mode string, snapshot func() engine.Snapshot, hide ...string) (*benchView, error) {
	if !slices.Contains(viewModes, mode) {
		return nil, usagef("--progress %q: want auto, plain, json or none", mode)
	}
	return newBenchViewOf(w, mode, snapshot, terminalOptions(w, mode, hide)), nil
}

// terminalOptions finds out what w can show.
func terminalOptions(w io.Writer, mode string, hide []string) viewOptions {
	o := viewOptions{width: func() int { return 0 }, hide: hide}
	f, ok := w.(*os.File)
	if !ok || mode != "auto" || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return o
	}
	o.live = true
	o.colour = os.Getenv("NO_COLOR") == ""
	o.width = func() int {
		columns, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return columns
	}
	return o
}

// The periods of the views. Drawing five times a second costs nothing that the
// measurement could feel.
const (
	livePeriod  = 200 * time.Millisecond
	plainPeriod = 30 * time.Second
	jsonPeriod  = time.Second
)

func newBenchViewOf(w io.Writer, mode string, snapshot func() engine.Snapshot, o viewOptions) *benchView {
	v := &benchView{snapshot: snapshot, wake: make(chan struct{}, 1), done: make(chan struct{})}
	text := viewText{hide: o.hide}
	switch {
	case mode == "none":
		v.face = &quietView{w: w, text: text}
	case mode == "json":
		v.face, v.period = newJSONView(w, text), jsonPeriod
	case o.live:
		v.face, v.period = &liveView{w: w, text: text, width: o.width, colour: o.colour}, livePeriod
	default:
		v.face, v.period = &plainView{w: w, text: text}, plainPeriod
	}
	go v.loop()
	return v
}

// Event shows an event. It never waits for the terminal.
func (v *benchView) Event(e engine.Event) {
	v.mu.Lock()
	if !v.closed {
		v.queue = append(v.queue, e)
	}
	v.mu.Unlock()
	v.notify()
}

// Close shows what is left, leaves the terminal as it was and ends the view.
// Progress that nobody can read is no fault of a run.
func (v *benchView) Close() {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.notify()
	<-v.done
}

func (v *benchView) notify() {
	select {
	case v.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// take returns the events that wait, and whether they are the last.
func (v *benchView) take() ([]engine.Event, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	events := v.queue
	v.queue = nil
	return events, v.closed
}

// loop shows events as they come, and the run once in a period while a cell is
// under way. Between cells no ticker runs.
func (v *benchView) loop() {
	defer close(v.done)
	var ticker *time.Ticker
	var tick <-chan time.Time
	stop := func() {
		if ticker != nil {
			ticker.Stop()
		}
		ticker, tick = nil, nil
	}
	defer stop()
	for {
		select {
		case <-v.wake:
			events, last := v.take()
			for _, e := range events {
				v.face.event(e)
				switch e.Kind {
				case engine.CellStarted:
					stop()
					if v.period > 0 {
						ticker = time.NewTicker(v.period)
						tick = ticker.C
					}
				case engine.CellDone, engine.CellSkipped, engine.TestDone, engine.Written:
					stop()
				default:
				}
			}
			if last {
				v.face.close()
				return
			}
		case <-tick:
			v.face.look(v.snapshot(), time.Now())
		}
	}
}

// A meter measures how fast a run goes at present, from two snapshots up to ten
// seconds apart. The average since the start of a cell would hide that a server
// has slowed down.
type meter struct {
	seen []reading
}

type reading struct {
	at     time.Time
	place  engine.Place
	done   int
	tokens int64
}

const meterSpan = 10 * time.Second

// rates returns requests and tokens per second, and whether enough was seen to
// tell.
func (m *meter) rates(s engine.Snapshot, now time.Time) (requests, tokens float64, ok bool) {
	r := reading{now, s.Place, s.Done, s.Tokens}
	if s.Phase != engine.Measuring && s.Phase != engine.Stopping {
		m.seen = nil
		return 0, 0, false
	}
	if n := len(m.seen); n > 0 && (m.seen[n-1].place != r.place || m.seen[n-1].done > r.done || m.seen[n-1].tokens > r.tokens) {
		m.seen = nil // the counts began anew
	}
	for len(m.seen) > 1 && now.Sub(m.seen[1].at) >= meterSpan {
		m.seen = m.seen[1:]
	}
	m.seen = append(m.seen, r)
	first := m.seen[0]
	span := now.Sub(first.at).Seconds()
	if span < 1 {
		return 0, 0, false
	}
	return float64(r.done-first.done) / span, float64(r.tokens-first.tokens) / span, true
}

// shares returns how much of its cell, test and suite a run has done, in [0,1].
// The share of a cell whose requests are not counted follows its expected time, and
// known is false when there is none.
func shares(s engine.Snapshot, now time.Time) (cell, test, suite float64, known bool) {
	within, known := 0.0, true
	switch {
	case s.Phase == engine.Preparing:
	case s.Requests > 0:
		within = float64(s.Done) / float64(s.Requests)
	case s.CellExpected > 0 && !s.CellSince.IsZero():
		within = min(now.Sub(s.CellSince).Seconds()/s.CellExpected.Seconds(), 0.99)
	default:
		known = false
	}
	cell = within
	if s.Requests > 0 && s.Repetitions > 1 {
		cell = (float64(max(s.Repetition, 1)-1) + within) / float64(s.Repetitions)
	}
	cell = min(max(cell, 0), 1)
	return cell, partOf(s.CellInTest, s.CellsOfTest, cell), partOf(s.CellNumber, s.Cells, cell), known
}

// partOf returns the share that is done when the n-th of a number of parts, from 1,
// is done to a share.
func partOf(n, of int, share float64) float64 {
	if of <= 0 {
		return 0
	}
	return min(max((float64(cmp.Or(n, 1)-1)+share)/float64(of), 0), 1)
}
