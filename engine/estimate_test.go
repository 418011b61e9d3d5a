package engine

import (
	"testing"
	"time"

	"example.org/arena/engine/plan"
)

// TestEstimate: before anything is measured cells take what was guessed; then the
// present cell tells, and after it the cells that went before.
func TestEstimate(t *testing.T) {
	t.Parallel()
	e := newEstimate(make([]plan.Cell, 3))
	for i, m := range []int{10, 20, 30} {
		e.cells[i] = time.Duration(m) * time.Minute
	}
	begin := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	at := func(cell, repetition, done int, phase Phase) Snapshot {
		return Snapshot{Place: Place{CellNumber: cell, Repetition: repetition, Repetitions: 2}, Phase: phase, CellSince: begin, Requests: 10, Done: done}
	}
	check := func(when string, s Snapshot, after, cell, rest time.Duration) {
		t.Helper()
		gotCell, gotRest := e.expected(s, begin.Add(after))
		if gotCell.Round(time.Second) != cell || gotRest.Round(time.Second) != rest {
			t.Errorf("%s: %s for the cell and %s left, want %s and %s", when, gotCell, gotRest, cell, rest)
		}
	}
	check("before all", Snapshot{}, 0, 0, 60*time.Minute)
	check("at the start", at(1, 1, 0, Measuring), 0, 10*time.Minute, 60*time.Minute)
	check("a quarter is done", at(1, 1, 5, Measuring), time.Minute, 4*time.Minute, 3*time.Minute+20*time.Minute)
	e.measured(0, 5*time.Minute)
	check("twice as fast as guessed", at(2, 0, 0, Preparing), time.Minute, 10*time.Minute, 25*time.Minute)
	check("and this one slower", at(2, 2, 0, Measuring), 8*time.Minute, 16*time.Minute, 8*time.Minute+15*time.Minute)
	e.close(1)
	e.close(2)
	check("after all", Snapshot{}, 0, 0, 0)
}
