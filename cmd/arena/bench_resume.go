package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.org/arena/engine"
	"example.org/arena/results/contract"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// readJournal reads the journal that --resume names, or the newest below the
// folder for results.
func (f *benchFlags) readJournal() (*engine.Journal, error) {
	path := f.resume
	if path == newestJournal {
		found, err := f.journals()
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, withHint(usagef("there is no journal below %s", f.folder(false)), "begin a run without --resume, or name its journal with --resume=FILE")
		}
		path = found[len(found)-1]
	}
	data, err := readRegular(path)
	if err != nil {
		return nil, fmt.Errorf("resume: %w", err)
	}
	j, err := engine.DecodeJournal(path, data)
	if err != nil {
		return nil, fmt.Errorf("resume: %w", err)
	}
	return j, nil
}

// journals lists the journals below the folders for results, the newest last: their
// names begin with the time.
func (f *benchFlags) journals() ([]string, error) {
	var found []string
	for _, simulated := range []bool{false, true} {
		paths, err := filepath.Glob(filepath.Join(escapeGlob(f.folder(simulated)), "*", "*", "*", "*"+journalSuffix))
		if err != nil {
			return nil, err
		}
		found = append(found, paths...)
	}
	slices.SortFunc(found, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return found, nil
}

// journalSuffix ends the name of a journal.
const journalSuffix = ".journal"

// interrupted says how a run that was ended goes on: by a command that can be pasted.
func interrupted(c *cobra.Command, run *engine.Run, err error) error {
	argv := []string{"arena", "bench", "--resume=" + run.Journal()}
	c.Flags().Visit(func(flag *pflag.Flag) {
		if flag.Name != "resume" && flag.Name != "only" {
			argv = append(argv, "--"+flag.Name+"="+flag.Value.String())
		}
	})
	if errors.Is(err, context.Canceled) {
		err = withCode(exitInterrupted, errors.New("interrupted; what is complete is in "+run.Journal()))
	} else {
		err = fmt.Errorf("%w; what is complete is in %s", asRefusal(err), run.Journal())
	}
	return withHint(err, "this goes on, and with --finish it writes what there is: "+contract.Command{Argv: argv}.OneLine())
}
