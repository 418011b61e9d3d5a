package hostinfo

import (
	"strconv"
	"time"

	"example.org/arena/results/bundle"
)

// A Clock watches whether the clock on the wall goes as the steady clock does, by
// which a run is measured. When it is set, or the machine sleeps, the times of day
// in a bundle do not fit its durations.
type Clock struct {
	wall    func() time.Time     // as on the wall
	elapsed func() time.Duration // since the clock was made, steady
	date    time.Time            // at the last look
	since   time.Duration
}

// NewClock starts to watch. Without functions it takes the machine's clocks.
func NewClock(wall func() time.Time, elapsed func() time.Duration) *Clock {
	if wall == nil {
		wall = func() time.Time { return time.Now().Round(0) }
	}
	if elapsed == nil {
		start := time.Now()
		elapsed = func() time.Duration { return time.Since(start) }
	}
	return &Clock{wall: wall, elapsed: elapsed, date: wall(), since: elapsed()}
}

// How far the clocks may part between two looks: the readings take time, and a
// clock that is being corrected gains or loses up to 500 µs in a second.
const (
	clockSlack = 100 * time.Millisecond
	clockSlew  = 600e-6
)

// Check returns a note if the clock on the wall was set since the last look, or
// since the start.
func (c *Clock) Check() []bundle.Note {
	date, since := c.wall().Round(0), c.elapsed()
	steady := since - c.since
	step := date.Sub(c.date) - steady
	c.date, c.since = date, since
	if step.Abs() <= clockSlack+time.Duration(float64(steady)*clockSlew) {
		return nil
	}
	return []bundle.Note{bundle.NewNote(NoteClockStepped, "seconds", strconv.FormatFloat(step.Seconds(), 'f', 3, 64))}
}

// beginning is the earliest time that a right clock can show.
var beginning = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Sane returns a note if the clock on the wall shows a time before the program was
// built, or, when that is not known, before 2026.
func (c *Clock) Sane(built time.Time) []bundle.Note {
	earliest := beginning
	if built.After(earliest) {
		earliest = built
	}
	now := c.wall()
	if !now.Before(earliest) {
		return nil
	}
	return []bundle.Note{bundle.NewNote(NoteClockWrong, "now", now.UTC().Format(time.RFC3339), "earliest", earliest.UTC().Format(time.RFC3339))}
}
