package view

import (
	"fmt"
	"io"
	"strings"
	"time"

	"example.org/arena/engine"
)

// A plainDisplay writes a line for each event, and one from time to time during a
// long cell: for logs, and for terminals that can do no more.
type plainDisplay struct {
	w     io.Writer
	text  wording
	meter meter
}

func (v *plainDisplay) showEvent(e engine.Event) { v.write(e.At, v.text.line(e)) }

func (v *plainDisplay) showSnapshot(s engine.Snapshot, now time.Time) {
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

func (v *plainDisplay) close() {}

// write writes a line with its time. An error is not reported: who closed the log
// does not want it.
func (v *plainDisplay) write(at time.Time, line string) {
	_, _ = fmt.Fprintf(v.w, "%s %s\n", at.UTC().Format(time.RFC3339), line)
}

// A quietDisplay writes warnings only.
type quietDisplay struct {
	w    io.Writer
	text wording
}

func (v *quietDisplay) showEvent(e engine.Event) {
	if e.Kind == engine.Warning {
		_, _ = fmt.Fprintln(v.w, v.text.line(e))
	}
}

func (v *quietDisplay) showSnapshot(engine.Snapshot, time.Time) {}

func (v *quietDisplay) close() {}
