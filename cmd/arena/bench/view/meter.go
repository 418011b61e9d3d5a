package view

import (
	"cmp"
	"time"

	"example.org/arena/engine"
)

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
