package engine

import (
	"time"

	"example.org/arena/engine/plan"
)

// guess is what a server is taken to do before anything is measured.
var guess = plan.Speed{Prefill: 2000, Decode: 30}

// Guess returns the speed that estimates begin with: 2,000 prompt tokens per second
// in all and 30 output tokens per second for each request.
func Guess() plan.Speed { return guess }

// An estimate says how long cells take: as planned for a guessed speed, times what
// the cells so far took over what was guessed for them.
type estimate struct {
	cells   []time.Duration // guessed, by number in the run
	done    []bool
	took    time.Duration // of the cells that were measured
	planned time.Duration // guessed for these
}

func newEstimate(cells []plan.Cell) estimate {
	e := estimate{cells: make([]time.Duration, len(cells)), done: make([]bool, len(cells))}
	for i, c := range cells {
		e.cells[i] = c.Size(guess).Time
	}
	return e
}

// measured notes how long a cell took.
func (e *estimate) measured(cell int, took time.Duration) {
	e.over(cell)
	e.took += took
	e.planned += e.cells[cell]
}

// over notes that a cell will not be measured any more.
func (e *estimate) over(cell int) { e.done[cell] = true }

// factor is how many times longer than guessed cells take.
func (e *estimate) factor() float64 {
	if e.planned <= 0 {
		return 1
	}
	return float64(e.took) / float64(e.planned)
}

// expected returns how long the present cell takes and how long the rest of the
// run does.
func (e *estimate) expected(s Snapshot, now time.Time) (cell, rest time.Duration) {
	for i, t := range e.cells {
		if !e.done[i] {
			rest += t
		}
	}
	f := e.factor()
	rest = time.Duration(float64(rest) * f)
	if s.CellNumber < 1 || s.CellNumber > len(e.cells) {
		return 0, rest
	}
	cell = time.Duration(float64(e.cells[s.CellNumber-1]) * f)
	if s.Phase == Measuring {
		rest -= min(now.Sub(s.CellSince), cell)
	}
	return cell, max(rest, 0)
}
