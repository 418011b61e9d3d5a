package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/tomlfile"
)

// Check refuses bundles of a platform that is not among the known ones, and warns of a
// start that lies in the future: the clock of either machine may be wrong.
func Check(w io.Writer, bundles []*bundle.Bundle, meta ingest.Metadata, known []string, now time.Time) error {
	where := cmp.Or(meta.File, "the metadata")
	for _, b := range bundles {
		if !slices.Contains(known, b.Platform) {
			return exit.WithHint(fmt.Errorf("import: %s: platform: there is no platform %q", where, b.Platform),
				"known are "+strings.Join(known, ", ")+"; a new one is a file in content/platforms")
		}
		if start, err := time.Parse(time.RFC3339, b.StartedAt); err == nil && start.After(now.Add(clockSlack)) {
			fmt.Fprintf(w, "arena: warning: the measurement of %s starts at %s, but now it is %s\n", b.Model.ID, b.StartedAt, now.UTC().Format(time.RFC3339))
		}
	}
	return nil
}

// clockSlack is how far a clock may be behind the one that timed a measurement.
const clockSlack = time.Hour

// PrintFaults prints each fault of a user's files as it is, with its hint, and
// returns how many there were. Where says in which files, " in the metadata", and
// is empty for those that are imported. Other errors pass.
func PrintFaults(w io.Writer, err error, where string) error {
	var faults tomlfile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	fmt.Fprintln(w, faults.Error())
	return fmt.Errorf("import: %s%s; nothing was written", terminal.Counted(len(faults), "fault"), where)
}

// Warn says what keeps the bundles from being published.
func Warn(w io.Writer, engine bundle.EnginePin, raw bool) {
	switch {
	case engine.Revision == "":
		fmt.Fprintln(w, "arena: warning: this program was built without its revision: its bundles cannot be published")
	case engine.Dirty:
		fmt.Fprintln(w, "arena: warning: this program was built from a changed tree: its bundles cannot be published")
	}
	if raw {
		fmt.Fprintln(w, "arena: warning: raw files are kept as they are: look for private paths and names before you publish them")
	}
}
