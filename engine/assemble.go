package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"time"

	"example.org/arena/engine/plan"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// Bundle puts the bundle together from the journal. Tests of the plan without a unit
// are left out, and a test that lacks cells is marked as interrupted; a complete run
// has neither. A run that has measured nothing has no bundle.
func (r *Run) Bundle() (*bundle.Bundle, error) { return r.journal.bundle(r.options.Plan) }

// Journal returns the path of the journal.
func (r *Run) Journal() string { return r.journal.Path }

// Interrupted returns the bundle of a journal whose run is not continued.
func (j *Journal) Interrupted(p *plan.Plan) (*bundle.Bundle, error) {
	if digest := p.Digest(); digest != j.Start.Plan {
		return nil, errors.New("the contract is not the one that the run followed")
	}
	return j.bundle(p)
}

func (j *Journal) bundle(p *plan.Plan) (*bundle.Bundle, error) {
	b := j.Start.Facts
	b.Calibration = slices.Clone(j.Calibrations)
	for _, t := range p.Tests {
		test, ok := j.test(p.Contract, t)
		if !ok {
			continue
		}
		if b.StartedAt == "" || test.StartedAt < b.StartedAt {
			b.StartedAt = test.StartedAt
		}
		b.Tests = append(b.Tests, test)
	}
	if len(b.Tests) == 0 {
		return nil, errors.New("nothing was measured")
	}
	if err := bundle.Validate(&b); err != nil {
		return nil, fmt.Errorf("the bundle is not valid: %w", err)
	}
	return &b, nil
}

// test puts a test together from its units, in the order of the plan. A bundle has
// room for one command a test: where there were several, notes say how they differ from
// the contract's.
func (j *Journal) test(c *contract.Contract, t plan.Test) (bundle.Test, bool) {
	out := bundle.Test{Slug: t.Spec.Slug}
	var units []Unit
	for _, u := range j.Units {
		if u.Test == t.Spec.Slug {
			units = append(units, u)
		}
	}
	if len(units) == 0 {
		return out, false
	}
	out.StartedAt = units[0].Began
	commands := 0
	for _, u := range units {
		out.StartedAt = min(out.StartedAt, u.Began)
		if u.Command != nil {
			commands++
		}
	}
	for _, u := range units {
		out.Cells = append(out.Cells, u.Cells...)
		notes := u.Notes
		if commands > 1 && u.Command != nil {
			notes = slices.Concat(notes, deviations(c, t.Spec, u.Command.Argv))
		}
		for _, n := range notes {
			if !slices.ContainsFunc(out.Notes, func(have bundle.Note) bool { return reflect.DeepEqual(have, n) }) {
				out.Notes = append(out.Notes, n)
			}
		}
		out.Telemetry = appendTelemetry(out.Telemetry, u.Telemetry, secondsBetween(out.StartedAt, u.Began))
		for _, f := range u.Files {
			if !slices.ContainsFunc(out.Files, func(have bundle.File) bool { return have.Name == f.Name }) {
				out.Files = append(out.Files, f)
			}
		}
		if u.Tool != nil {
			out.Tool = u.Tool
		}
		if u.Command != nil && commands == 1 {
			out.Command = u.Command
		}
		if u.LatencyMS != nil && out.LatencyMS == nil {
			out.LatencyMS = u.LatencyMS
		}
		if u.Stop != nil {
			out.Stopped = u.Stop
		}
	}
	if commands > 1 {
		out.Notes = append(out.Notes, bundle.NewNote(bundle.NoteSeveralCommands))
	}
	if out.Stopped == nil && len(out.Cells) < len(t.Cells) {
		out.Stopped = &bundle.Stop{Reason: bundle.StopInterrupted, Detail: fmt.Sprintf("%d of %d cells", len(out.Cells), len(t.Cells))}
	}
	return out, true
}

// deviations notes in which parameters a command differs from the contract's.
func deviations(c *contract.Contract, t contract.Test, argv []string) []bundle.Note {
	var notes []bundle.Note
	for _, d := range c.Deviations(t, argv) {
		notes = append(notes, bundle.NewNote(NoteCommandDiffers, "parameter", d.Parameter, "contract", d.Contract, "recorded", d.Recorded))
	}
	return notes
}

// secondsBetween returns how long b is after a; both were written by bundle.Stamp.
func secondsBetween(a, b string) float64 {
	from, errA := time.Parse(time.RFC3339Nano, a)
	to, errB := time.Parse(time.RFC3339Nano, b)
	if errA != nil || errB != nil {
		return 0
	}
	return to.Sub(from).Seconds()
}

// Finish removes the journal, once its bundle is written.
func (r *Run) Finish() error {
	if err := os.Remove(r.journal.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
