package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/store"
	"example.org/arena/engine"
	"example.org/arena/results/contract"
)

// readJournal reads the journal that --resume names, or the newest below the
// folder for results.
func (j *job) readJournal() (*engine.Journal, error) {
	path := j.Resume
	if path == NewestJournal {
		found, err := j.journals()
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, exit.WithHint(exit.Usagef("there is no journal below %s", j.folder(false)), "begin a run without --resume, or name its journal with --resume=FILE")
		}
		path = found[len(found)-1]
	}
	data, err := store.Read(path)
	if err != nil {
		return nil, fmt.Errorf("resume: %w", err)
	}
	journal, err := engine.DecodeJournal(path, data)
	if err != nil {
		return nil, fmt.Errorf("resume: %w", err)
	}
	return journal, nil
}

// journals lists the journals below the folders for results, the newest last: their
// names begin with the time.
func (j *job) journals() ([]string, error) {
	var found []string
	for _, simulated := range []bool{false, true} {
		paths, err := filepath.Glob(filepath.Join(store.EscapeGlob(j.folder(simulated)), "*", "*", "*", "*"+JournalSuffix))
		if err != nil {
			return nil, err
		}
		found = append(found, paths...)
	}
	slices.SortFunc(found, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return found, nil
}

// JournalSuffix ends the name of a journal.
const JournalSuffix = ".journal"

// interrupted says how a run that was ended goes on: by a command that can be pasted.
func (j *job) interrupted(run *engine.Run, err error) error {
	argv := []string{"arena", "bench", "--resume=" + run.Journal()}
	for _, flag := range j.Given {
		if flag.Name != "resume" && flag.Name != "only" {
			argv = append(argv, "--"+flag.Name+"="+flag.Value)
		}
	}
	if errors.Is(err, context.Canceled) {
		err = exit.WithCode(exit.Interrupted, errors.New("interrupted; what is complete is in "+run.Journal()))
	} else {
		err = fmt.Errorf("%w; what is complete is in %s", asRefusal(err), run.Journal())
	}
	return exit.WithHint(err, "this goes on, and with --finish it writes what there is: "+contract.Command{Argv: argv}.OneLine())
}
