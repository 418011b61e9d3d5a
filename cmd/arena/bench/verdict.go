package bench

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.org/arena/cmd/arena/exit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/verdict"
)

// A benchVerdict says what a bundle is worth, in words.
type benchVerdict struct {
	statuses []verdict.Status // of the tests that the bundle has
	breaks   []string         // tests that do not keep the contract, and why
	invalid  string           // why the whole run is not valid; empty when it is
}

// judge looks at the tests that a bundle has.
func judge(b *bundle.Bundle, k *contract.Contract) benchVerdict {
	run := verdict.Of(b, k, nil, nil)
	var v benchVerdict
	for _, t := range run.Tests {
		if t.Test != nil { // else it was not asked for
			v.statuses = append(v.statuses, t.Status)
		}
	}
	for _, breach := range run.Breaches() {
		v.breaks = append(v.breaks, breach.Test+": "+breachText(breach))
	}
	if f := run.Invalid(); f != nil {
		v.invalid = "the load generator could not hold the load of " + cmp.Or(f.Test, "its calibration")
	}
	return v
}

func breachText(b verdict.Breach) string {
	s := b.Status
	switch b.Kind {
	case verdict.BreachNoData:
		return "nothing was measured"
	case verdict.BreachCells:
		return fmt.Sprintf("%d of %d cells", s.Measured, s.Planned)
	case verdict.BreachRequests:
		return fmt.Sprintf("%d of %d requests succeeded, fewer than %g %%", s.Success.Completed, s.Success.Requests, 100*s.Success.Threshold)
	case verdict.BreachFinding:
		return strings.ReplaceAll(string(b.Code), "_", " ")
	}
	return string(b.Kind)
}

// A verdictObject is a verdict for programs.
type verdictObject struct {
	Type    string   `json:"type"` // "result"
	Path    string   `json:"path"`
	Invalid string   `json:"invalid,omitempty"` // why the run is not valid
	Breaks  []string `json:"breaks"`            // tests that do not keep the contract, and why
}

func (v benchVerdict) object(path string) verdictObject {
	return verdictObject{Type: "result", Path: path, Invalid: v.invalid, Breaks: append([]string{}, v.breaks...)}
}

// err returns the exit code of a verdict, as an error; nil when all is well.
func (v benchVerdict) err() error {
	switch {
	case v.invalid != "":
		return exit.WithHint(exit.WithCode(exit.Invalid, errors.New(v.invalid+": the run is not valid, and lies apart from the results")),
			"run arena bench on another machine than the server, or let nothing else run beside it")
	case len(v.breaks) > 0:
		return exit.WithCode(exit.Breaks, errors.New("the run is valid, but does not keep the contract:\n  "+strings.Join(v.breaks, "\n  ")))
	}
	return nil
}

// printVerdict prints a line for each test.
func printVerdict(w io.Writer, v benchVerdict) {
	for _, s := range v.statuses {
		text := strings.ReplaceAll(string(s.Completeness), "_", " ")
		if s.Stopped != nil {
			text += " (" + strings.ReplaceAll(s.Stopped.Reason, "_", " ") + ")"
		}
		success := ""
		if s.Success.Known {
			success = fmt.Sprintf(", %d of %d requests", s.Success.Completed, s.Success.Requests)
		}
		fmt.Fprintf(w, "%-20s %s, %d of %d cells%s\n", s.Slug, text, s.Measured, s.Planned, success)
	}
}
