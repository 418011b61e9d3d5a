package content

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/facts"
	"example.org/arena/results/tomlfile"
)

// StoredCopy is the Via of a figure that was read in a copy without an address
// of its own.
const StoredCopy = "stored copy"

// A figure is written as text, so that its last digits stay as its source
// prints them: 80.0 is not 80.
var figure = regexp.MustCompile(`^[0-9]{1,6}(\.[0-9]{1,6})?$`)

// readQuality reads the published figures, those to show before the others of
// their dimension.
func readQuality(t *tomlfile.Table, m facts.Model) []facts.Quality {
	var all []facts.Quality
	shown := map[[2]string]bool{}
	for _, sub := range t.Subs("quality") {
		q := readFigure(sub, m)
		if q.Suggested {
			key := [2]string{q.Checkpoint, string(q.Dimension)}
			if shown[key] {
				sub.Fault("suggested", "another figure of %s in %q is suggested already", q.Checkpoint, q.Dimension)
			}
			shown[key] = true
		}
		all = append(all, q)
	}
	slices.SortStableFunc(all, func(a, b facts.Quality) int {
		if a.Dimension != b.Dimension {
			return slices.Index(facts.Dimensions, a.Dimension) - slices.Index(facts.Dimensions, b.Dimension)
		}
		return rank(a) - rank(b)
	})
	return all
}

func rank(q facts.Quality) int {
	if q.Suggested {
		return 0
	}
	return 1
}

func readFigure(t *tomlfile.Table, m facts.Model) facts.Quality {
	t.Need("dimension", "benchmark", "value", "mode", "by", "source")
	q := facts.Quality{
		Checkpoint:  t.Str("checkpoint"),
		Dimension:   facts.Dimension(t.Str("dimension")),
		Benchmark:   t.Str("benchmark"),
		Unit:        "%",
		Mode:        facts.Mode(t.Str("mode")),
		Effort:      t.Str("effort"),
		Source:      t.Str("source"),
		Via:         t.Str("via"),
		By:          t.Str("by"),
		Suggested:   t.Boolean("suggested"),
		Doubt:       words(t, "doubt"),
		Note:        words(t, "note"),
		Attribution: t.Str("attribution"),
	}
	q.Value, q.Digits = readValue(t)
	q.Independent = q.By != m.Vendor
	checkOneOf(t, "dimension", q.Dimension, facts.Dimensions...)
	checkOneOf(t, "mode", q.Mode, facts.Thinking, facts.NonThinking, facts.UnknownMode)
	for _, key := range []string{"benchmark", "effort", "by", "attribution"} {
		checkName(t, key, t.Str(key))
	}
	checkURL(t, "source", q.Source)
	if q.Via != StoredCopy {
		checkURL(t, "via", q.Via)
	}
	checkMeasuredOn(t, &q, m)
	t.Done()
	return q
}

// checkMeasuredOn fills in the checkpoint of a figure that names none: figures
// belong to the base.
func checkMeasuredOn(t *tomlfile.Table, q *facts.Quality, m facts.Model) {
	if !t.Has("checkpoint") {
		if base, ok := m.Base(); ok {
			q.Checkpoint = base.ID
		}
		return
	}
	if !slices.ContainsFunc(m.Checkpoints, func(cp facts.Checkpoint) bool { return cp.ID == q.Checkpoint }) {
		t.Fault("checkpoint", "%q is not a checkpoint of this model", q.Checkpoint)
	}
}

// readValue reads a percentage and the number of decimals that it is printed
// with.
func readValue(t *tomlfile.Table) (*float64, int) {
	s := t.Str("value")
	if s == "" {
		return nil, 0
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !figure.MatchString(s) || v > 100 {
		t.Fault("value", "%q is not a percentage: want digits with a decimal point, at most 100", s)
		return nil, 0
	}
	_, decimals, _ := strings.Cut(s, ".")
	return &v, len(decimals)
}
