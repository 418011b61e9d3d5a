// Package bench is one run of arena bench: it puts together what the engine has to
// know from flags, files and facts, shows how the run goes, and writes its bundle or
// says how it can go on. It measures nothing itself, which package engine does, and
// reads neither arguments nor environment: the program hands it both.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"example.org/arena/cmd/arena/bench/view"
	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/engine"
	"example.org/arena/engine/plan"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/tomlfile"
)

// A Program is what a run has of the program around it.
type Program struct {
	Stdout, Stderr io.Writer
	Getenv         func(name string) string
	Executable     func() (string, error)                           // path of this program, which is also the simulated server
	Contract       func(version string) (*contract.Contract, error) // of those inside the program; the newest for no version
	Pin            func(k *contract.Contract) (*bundle.ContractPin, error)
	Engine         bundle.EnginePin // of a native run
	Built          time.Time        // when the revision was committed that the program was built from; zero when unknown
	Private        []string         // words that no output of a tool may keep
}

// A job is one call of arena bench.
type job struct {
	Options
	program Program
}

// Run measures what is asked for, or prints what it would send. Its error carries
// the exit code.
func Run(ctx context.Context, program Program, o Options) error {
	j := &job{o, program}
	if err := j.check(); err != nil {
		return err
	}
	var old *engine.Journal
	if j.Resume != "" {
		var err error
		if old, err = j.readJournal(); err != nil {
			return err
		}
		j.Contract, j.Only = cmp.Or(j.Contract, old.Start.Contract), old.Start.Only
	}
	k, err := j.contract()
	if err != nil {
		return err
	}
	salt := newSalt()
	if old != nil {
		salt = old.Start.Salt
	}
	p, err := plan.Make(k, j.Only, salt)
	if err != nil {
		return exit.WithCode(exit.Usage, err)
	}
	if err := j.checkRunner(p); err != nil {
		return err
	}
	switch {
	case j.DryRun:
		meta, err := store.ReadMetadata(j.Metadata)
		if err == nil {
			err = j.nameSubject(&bundle.Bundle{}, meta)
		}
		if err != nil {
			return j.printFaults(err)
		}
		return printPlan(program.Stdout, p, j.Runner)
	case j.Finish:
		b, err := old.Interrupted(p)
		if err != nil {
			return fmt.Errorf("finish %s: %w", old.Path, err)
		}
		return j.publish(b, k, func() error { return os.Remove(old.Path) })
	case j.Runner == "both":
		return j.compareRunners(ctx, p)
	}
	return j.measure(ctx, p, old)
}

// measure measures and writes the bundle.
func (j *job) measure(ctx context.Context, p *plan.Plan, old *engine.Journal) error {
	run, err := j.runEngine(ctx, p, old)
	if err != nil {
		return err
	}
	defer run.Close()
	b, err := run.Bundle()
	if err != nil {
		return err
	}
	return j.publish(b, p.Contract, run.Finish)
}

// runEngine prepares a run and measures to its end. After an error there is no run to
// be closed.
func (j *job) runEngine(ctx context.Context, p *plan.Plan, old *engine.Journal) (*engine.Run, error) {
	store.Sweep(j.folder(false))
	store.Sweep(j.folder(true))
	o, err := j.engineOptions(ctx, p, old)
	if err != nil {
		return nil, j.printFaults(err)
	}
	var running atomic.Pointer[engine.Run]
	shown, err := view.New(j.program.Stderr, j.Progress, terminal.Look(j.program.Stderr, j.program.Getenv), func() engine.Snapshot {
		if run := running.Load(); run != nil {
			return run.Snapshot()
		}
		return engine.Snapshot{}
	}, string(o.Client.Key))
	if err != nil {
		return nil, err
	}
	o.Observe = shown.Event
	run, err := engine.New(ctx, o)
	if err != nil {
		shown.Close()
		return nil, asRefusal(err)
	}
	running.Store(run)
	err = run.Measure(ctx)
	shown.Close()
	if err != nil {
		run.Close()
		return nil, j.interrupted(run, err)
	}
	return run, nil
}

// asRefusal turns what has to be changed into an error with its advice.
func asRefusal(err error) error {
	if r, ok := errors.AsType[*engine.Refusal](err); ok {
		return exit.WithHint(err, r.Advice)
	}
	return err
}

// printFaults prints each fault of the metadata file as it is, and returns how many
// there were. Other errors pass.
func (j *job) printFaults(err error) error {
	var faults tomlfile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	fmt.Fprintln(j.program.Stderr, faults.Error())
	return exit.WithCode(exit.Usage, fmt.Errorf("%s in %s; nothing was measured", terminal.Counted(len(faults), "fault"), j.Metadata))
}
