package hostinfo

import (
	"math"
	"strconv"
	"time"

	"example.org/arena/results/bundle"
)

// slowdowns are the reasons for which a GPU is slower than it could be, and what is
// said about each.
var slowdowns = []struct {
	code string
	any  reasons // one of these
	none reasons // and none of these, which say it more exactly
}{
	{NoteSlowedByHeat, softwareHeat | hardwareHeat, 0},
	{NoteSlowedByBrake, hardwareBrake, 0},
	{NoteSlowedByHardware, hardware, hardwareHeat | hardwareBrake},
	{NotePowerCapped, powerCap, 0},
}

// Notes says what was wrong with the GPUs from one time to another: why they were
// slowed down and in how many samples, whether their clock was held down, and what
// is not known. No note means that they were seen all the time and ran freely, as
// far as the driver tells.
func (s *Sampler) Notes(from, to time.Time) []bundle.Note {
	samples, before, after := s.between(from, to)
	if len(samples) == 0 && !bridged(before, after) {
		return append([]bundle.Note{bundle.NewNote(NoteTelemetryMissing)}, s.failed...)
	}
	var notes []bundle.Note
	if missing := gaps(samples, from, to); missing > 0 && len(samples) > 0 {
		notes = append(notes, bundle.NewNote(NoteTelemetryGap, "missing_s", seconds(missing), "of_s", seconds(to.Sub(from))))
	}
	if len(samples) == 0 { // a short span, of which its neighbours tell
		samples = []sample{*before, *after}
	}
	told := 0
	for _, x := range samples {
		if x.reasonsKnown {
			told++
		}
	}
	if told == 0 {
		notes = append(notes, bundle.NewNote(NoteReasonsUnknown))
	}
	for _, r := range slowdowns {
		hits, clock := 0, math.NaN()
		for _, x := range samples {
			if x.reasonsKnown && x.reasons&r.any != 0 && x.reasons&r.none == 0 {
				hits++
				clock = least([]float64{clock, x.clock})
			}
		}
		if hits > 0 {
			notes = append(notes, withClock(bundle.NewNote(r.code, "samples", strconv.Itoa(hits), "of", strconv.Itoa(told)), "clock_mhz", clock))
		}
	}
	if n, capped := clockCap(samples); capped {
		notes = append(notes, n)
	}
	return notes
}

// bridged reports whether a span without samples is short enough for the samples
// around it to speak for it.
func bridged(before, after *sample) bool {
	return before != nil && after != nil && after.at.Sub(before.at) <= longestGap
}

// gaps returns for how long there were no samples: the parts of a span that are
// further from a sample than a missed one explains.
func gaps(samples []sample, from, to time.Time) time.Duration {
	missing, last := time.Duration(0), from
	for _, x := range samples {
		if d := x.at.Sub(last); d > longestGap {
			missing += d
		}
		last = x.at
	}
	if d := to.Sub(last); d > longestGap {
		missing += d
	}
	return missing
}

// What makes a clock that is held down: while the GPU works, it stays within a step
// of its highest value, far below what it can. A GB10 that runs freely may stand
// still too, at 83 % of what it says that it can.
const (
	busy       = 50   // percent of utilisation
	enoughBusy = 10   // samples
	clockStep  = 15   // MHz
	farBelow   = 0.75 // of what it can
)

// clockCap reports whether the clock was held down by a setting: the driver says
// so, or it stood still below what the GPU can while there was work and no other
// reason was given.
func clockCap(samples []sample) (bundle.Note, bool) {
	low, high, limit := math.NaN(), math.NaN(), math.NaN()
	working, set := 0, false
	for _, x := range samples {
		if !(x.utilisation >= busy) || math.IsNaN(x.clock) {
			continue
		}
		working++
		low, high, limit = least([]float64{low, x.clock}), most([]float64{high, x.clock}), most([]float64{limit, x.limit})
		set = set || x.reasonsKnown && x.reasons&clockSetting != 0
		if x.reasonsKnown && x.reasons&(powerCap|hardware|softwareHeat|hardwareHeat|hardwareBrake) != 0 {
			return bundle.Note{}, false
		}
	}
	still := working >= enoughBusy && high-low <= clockStep && high < farBelow*limit
	if working == 0 || !set && !still {
		return bundle.Note{}, false
	}
	return withClock(withClock(bundle.NewNote(NoteClockCapped), "clock_mhz", high), "limit_mhz", limit), true
}

// withClock adds a frequency to a note, if it is known.
func withClock(n bundle.Note, name string, mhz float64) bundle.Note {
	if !math.IsNaN(mhz) {
		n.Args = append(n.Args, bundle.Setting{Name: name, Value: strconv.FormatFloat(mhz, 'f', -1, 64)})
	}
	return n
}

// seconds writes a time in seconds to the tenth.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) }
