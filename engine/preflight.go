package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
)

// New looks whether a run can succeed. It sends a few short requests, and one as
// long as the longest of the plan where the server does not say how long it may be.
// The error is a *Refusal when something has to be changed first. Close ends the
// run, whatever comes of it.
func New(ctx context.Context, o Options) (*Run, error) {
	r := &Run{options: o, facts: o.Stated}
	cells := o.Plan.Cells()
	r.timed = newEstimate(cells)
	r.live = Snapshot{Place: Place{Tests: len(o.Plan.Tests), Cells: len(cells)}, Started: time.Now(), MeanTTFT: -1}
	err := r.preflight(ctx)
	if err == nil {
		err = r.openJournal()
	}
	if err != nil {
		r.Close()
		removeEmpty(filepath.Dir(o.Journal))
		return nil, err
	}
	return r, nil
}

// removeEmpty removes the folders of a run that did not begin: its profile, model and
// platform, as far as nothing is in them.
func removeEmpty(dir string) {
	for range 3 {
		if os.Remove(dir) != nil {
			return
		}
		dir = filepath.Dir(dir)
	}
}

// preflight goes through all checks, the cheap ones first.
func (r *Run) preflight(ctx context.Context) error {
	for _, check := range []func(context.Context) error{
		r.checkPlan, r.checkDisk, r.checkClock, r.checkModel, r.checkMachine, r.probeAnswers, r.checkCounting,
		r.checkContext, r.probeSense, r.checkCache, r.checkRecord,
	} {
		if err := check(ctx); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
	}
	return nil
}

// pass reports a check that went well.
func (r *Run) pass(format string, args ...any) {
	r.emit(Event{Kind: Preflight, Message: fmt.Sprintf(format, args...)})
}

// warn reports what a person should know, and notes it in the bundle.
func (r *Run) warn(n bundle.Note, format string, args ...any) {
	r.facts.Notes = append(r.facts.Notes, n)
	r.emit(Event{Kind: Warning, Code: n.Code, Message: fmt.Sprintf(format, args...)})
}

func refuse(code, advice, format string, args ...any) error {
	return &Refusal{Code: code, Why: fmt.Sprintf(format, args...), Advice: advice}
}

// checkPlan looks whether everything is there that the plan needs.
func (r *Run) checkPlan(context.Context) error {
	p := r.options.Plan
	if len(p.Tests) == 0 {
		return refuse("no_tests", "name tests of the contract with --only", "the plan has no tests")
	}
	for _, t := range p.Tests {
		if t.Spec.FromFile() && r.options.ShareGPT == nil && r.options.Tools == nil {
			r.warn(bundle.NewNote(NoteNoShareGPT, "test", t.Spec.Slug),
				"test %s is left out: its prompts come from a ShareGPT file; give one with --sharegpt", t.Spec.Slug)
			if len(p.Tests) == 1 {
				return refuse("no_sharegpt_file", "give the file with --sharegpt", "test %s takes its prompts from a ShareGPT file", t.Spec.Slug)
			}
		}
	}
	return nil
}

// enough is how many bytes a run may need at the most: the journal, the bundle and
// raw outputs of tools, several times over.
const enough = 256 << 20

// checkDisk looks whether the journal's folder can be written to, and has room.
func (r *Run) checkDisk(context.Context) error {
	dir := filepath.Dir(r.options.Journal)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return refuse("no_folder", "choose another folder with --out", "the folder for results cannot be made: %v", err)
	}
	probe, err := os.CreateTemp(dir, fmt.Sprintf(".arena-%d-probe-*", os.Getpid())) // a name that is swept up if the program is killed now
	if err != nil {
		return refuse("no_folder", "choose another folder with --out", "the folder for results cannot be written to: %v", err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return refuse("no_folder", "choose another folder with --out", "the folder for results cannot be written to: %v", err)
	}
	if r.options.Machine.Free == nil {
		return nil
	}
	free, err := r.options.Machine.Free(dir)
	if err == nil && free < enough {
		return refuse("disk_full", "free some, or choose another folder with --out", "%s has %d MB left, and a run may need %d", dir, free>>20, enough>>20)
	}
	return nil
}

// checkClock looks whether the time can be believed.
func (r *Run) checkClock(context.Context) error {
	if r.options.Machine.Clock.Sane == nil {
		return nil
	}
	for _, n := range r.options.Machine.Clock.Sane() {
		return refuse(n.Code, "set the clock of this machine, for example with timedatectl set-ntp true", "the clock of this machine says %s", time.Now().UTC().Format(time.RFC3339))
	}
	return nil
}

// checkRecord validates the bundle that the run would write, as far as it is known.
func (r *Run) checkRecord(context.Context) error {
	b := r.facts
	b.StartedAt = bundle.Stamp(time.Now())
	b.Engine.Runner = r.runnerName()
	b.Tests = []bundle.Test{{Slug: r.options.Plan.Tests[0].Spec.Slug}}
	var lacking []string
	if err := bundle.Validate(&b); err != nil {
		var faults tomlfile.Faults
		if !errors.As(err, &faults) {
			return err
		}
		for _, f := range faults {
			lacking = append(lacking, strings.ReplaceAll(strings.TrimPrefix(f.Key, "/"), "/", ".")+" "+f.Message)
		}
	}
	if len(lacking) > 0 {
		return refuse("incomplete_record", "state them in a TOML file and give it with --metadata; docs/measuring.md has a template",
			"a bundle of this run would not be accepted:\n  %s", strings.Join(lacking, "\n  "))
	}
	if b.Engine.Dirty {
		r.warn(bundle.Note{Code: NoteDirtyEngine}, "this program was built from changed files: the run will not rank, and cannot be published")
	}
	return nil
}

func (r *Run) runnerName() string {
	if r.options.Tools != nil {
		return "tools"
	}
	return "native"
}
