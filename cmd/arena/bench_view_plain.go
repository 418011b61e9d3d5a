package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"example.org/arena/engine"
)

// A plainView writes a line for each event, and one from time to time during a
// long cell: for logs, and for terminals that can do no more.
type plainView struct {
	w     io.Writer
	text  viewText
	meter meter
}

func (v *plainView) event(e engine.Event) { v.write(e.At, v.text.line(e)) }

func (v *plainView) look(s engine.Snapshot, now time.Time) {
	parts := []string{phase(s)}
	if s.Requests > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d requests", s.Done, s.Requests))
	}
	parts = append(parts, v.text.state(s, &v.meter, now)...)
	if parts[0] == "" {
		parts = parts[1:]
	}
	v.write(now, v.text.cell(s.Place)+": "+strings.Join(parts, ", "))
}

func (v *plainView) close() {}

// write writes a line with its time. An error is not reported: who closed the log
// does not want it.
func (v *plainView) write(at time.Time, line string) {
	_, _ = fmt.Fprintf(v.w, "%s %s\n", at.UTC().Format("2006-01-02T15:04:05Z"), line)
}

// A quietView writes warnings only.
type quietView struct {
	w    io.Writer
	text viewText
}

func (v *quietView) event(e engine.Event) {
	if e.Kind == engine.Warning {
		_, _ = fmt.Fprintln(v.w, v.text.line(e))
	}
}

func (v *quietView) look(engine.Snapshot, time.Time) {}

func (v *quietView) close() {}
