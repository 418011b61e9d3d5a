package bench

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"example.org/arena/cmd/arena/store"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// publish writes a bundle and says what is in it.
func (j *job) publish(b *bundle.Bundle, k *contract.Contract, done func() error) error {
	verdict := judge(b, k)
	out := j.folder(b.Kind == bundle.Simulated)
	if verdict.invalid != "" {
		out = invalidBeside(out)
	}
	path, err := store.WriteBundle(out, b)
	if err != nil {
		return err
	}
	if err := done(); err != nil {
		return err
	}
	if j.Progress == "json" {
		if err := json.NewEncoder(j.program.Stderr).Encode(verdict.object(path)); err != nil {
			return err
		}
	} else {
		printVerdict(j.program.Stderr, verdict)
	}
	if _, err := fmt.Fprintln(j.program.Stdout, path); err != nil {
		return err
	}
	return verdict.err()
}

// folder returns where bundles are written below. Simulated ones never lie among
// the results.
func (j *job) folder(simulated bool) string {
	switch {
	case j.Out != "":
		return j.Out
	case simulated:
		return "simulated"
	}
	return store.DefaultFolder()
}

// invalidBeside returns the folder for bundles that are not valid: beside that for
// the others, where nobody takes them for results.
func invalidBeside(out string) string {
	if out = filepath.Clean(out); out == "." {
		return "invalid"
	}
	return out + "-invalid"
}
