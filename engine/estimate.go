package engine

import (
	"time"

	"example.org/arena/engine/plan"
)

// guess is the speed that a server is assumed to have before anything is measured.
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
	e.close(cell)
	e.took += took
	e.planned += e.cells[cell]
}

// close takes a cell out of the time that is left.
func (e *estimate) close(cell int) { e.done[cell] = true }

// factor is how many times longer than guessed cells take.
func (e *estimate) factor() float64 {
	if e.planned <= 0 {
		return 1
	}
	return float64(e.took) / float64(e.planned)
}

// expected returns how long the present cell takes and how long the rest of the run
// does. What the present cell has done so far counts, once it is enough to tell.
func (e *estimate) expected(s Snapshot, now time.Time) (cell, rest time.Duration) {
	here := s.CellNumber - 1
	inCell := here >= 0 && here < len(e.cells) && !e.done[here]
	f := e.factor()
	spent := time.Duration(0)
	if inCell {
		cell = time.Duration(float64(e.cells[here]) * f)
		if s.Phase == Measuring {
			spent = now.Sub(s.CellSince)
			if done := s.share(); done > 0.05 {
				cell = time.Duration(float64(spent) / done)
			}
			if e.planned == 0 && e.cells[here] > 0 {
				f = float64(cell) / float64(e.cells[here])
			}
		}
	}
	for i, t := range e.cells {
		switch {
		case e.done[i]:
		case i == here && inCell:
			rest += max(cell-spent, 0)
		default:
			rest += time.Duration(float64(t) * f)
		}
	}
	return cell, rest
}

// share returns how much of the present cell is done, in [0,1].
func (s Snapshot) share() float64 {
	if s.Requests < 1 || s.Repetition < 1 || s.Repetitions < 1 {
		return 0
	}
	return (float64(s.Repetition-1) + float64(s.Done)/float64(s.Requests)) / float64(s.Repetitions)
}
