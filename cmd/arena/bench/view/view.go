// Package view shows a person or a program how a run goes, while it is measured: bars
// on a terminal, lines elsewhere, JSON for programs. It never holds the run up, and
// shows nothing of what a server says but clean text. Widths are in columns.
package view

import (
	"io"
	"slices"
	"sync"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine"
)

// A View shows how a run goes: bars on a terminal, lines elsewhere, JSON for
// programs. What it is told it draws in a goroutine of its own, so that neither a
// slow terminal nor one that is held with Ctrl-S ever stops the measurement.
type View struct {
	snapshot func() engine.Snapshot
	display  display
	period   time.Duration // between two looks at the run

	mu     sync.Mutex
	queue  []engine.Event
	closed bool
	wake   chan struct{}
	done   chan struct{}
}

// A display is a way to show a run. Its methods are called one at a time.
type display interface {
	showEvent(e engine.Event)
	showSnapshot(s engine.Snapshot, now time.Time) // while a cell is under way
	close()
}

// Modes are the ways to ask for a view.
var Modes = []string{"auto", "plain", "json", "none"}

// New returns a view in one of Modes on a screen. It shows none of the words in
// hide, such as a key. It has to be closed.
func New(w io.Writer, mode string, screen terminal.Screen, snapshot func() engine.Snapshot, hide ...string) (*View, error) {
	if !slices.Contains(Modes, mode) {
		return nil, exit.Usagef("--progress %q: want auto, plain, json or none", mode)
	}
	return start(w, mode, screen, snapshot, hide...), nil
}

// The periods of the views. Drawing five times a second costs nothing that the
// measurement could feel.
const (
	livePeriod  = 200 * time.Millisecond
	plainPeriod = 30 * time.Second
	jsonPeriod  = time.Second
)

// start starts a view. The mode is known.
func start(w io.Writer, mode string, screen terminal.Screen, snapshot func() engine.Snapshot, hide ...string) *View {
	v := &View{snapshot: snapshot, wake: make(chan struct{}, 1), done: make(chan struct{})}
	text := wording{hide: hide}
	switch {
	case mode == "none":
		v.display = &quietDisplay{w: w, text: text}
	case mode == "json":
		v.display, v.period = newJSONDisplay(w, text), jsonPeriod
	case mode == "auto" && screen.Live:
		v.display, v.period = &liveDisplay{w: w, text: text, width: screen.Columns, colour: screen.Colour}, livePeriod
	default:
		v.display, v.period = &plainDisplay{w: w, text: text}, plainPeriod
	}
	go v.loop()
	return v
}

// Event shows an event. It never waits for the terminal.
func (v *View) Event(e engine.Event) {
	v.mu.Lock()
	if !v.closed {
		v.queue = append(v.queue, e)
	}
	v.mu.Unlock()
	v.notify()
}

// Close shows what is left, leaves the terminal as it was and ends the view.
// Progress that nobody can read is no fault of a run.
func (v *View) Close() {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.notify()
	<-v.done
}

func (v *View) notify() {
	select {
	case v.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// takeEvents returns the events that wait, and whether they are the last.
func (v *View) takeEvents() ([]engine.Event, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	events := v.queue
	v.queue = nil
	return events, v.closed
}

// loop shows events as they come, and the run once in a period while a cell is
// under way. Between cells no ticker runs.
func (v *View) loop() {
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
			events, last := v.takeEvents()
			for _, e := range events {
				v.display.showEvent(e)
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
				v.display.close()
				return
			}
		case <-tick:
			v.display.showSnapshot(v.snapshot(), time.Now())
		}
	}
}
