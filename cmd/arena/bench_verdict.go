package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/stat"
	"example.org/arena/site/board"
)

// A benchVerdict says what a bundle is worth.
type benchVerdict struct {
	statuses []board.TestStatus
	breaks   []string // tests that do not keep the contract, and why
	invalid  string   // why the whole run is not valid; empty when it is
}

// judge looks at the tests that a bundle has.
func judge(b *bundle.Bundle, k *contract.Contract) benchVerdict {
	b = stat.Derived(b)
	var v benchVerdict
	for _, s := range board.Statuses(b, k) {
		if s.Test == nil {
			continue // was not asked for
		}
		v.statuses = append(v.statuses, s)
		switch {
		case s.Completeness == contract.NoData:
			v.breaks = append(v.breaks, s.Slug+": nothing was measured")
		case s.Completeness == contract.StoppedEarly && (s.Stopped == nil || s.Stopped.Reason != bundle.StopSaturated):
			v.breaks = append(v.breaks, fmt.Sprintf("%s: %d of %d cells", s.Slug, s.Measured, s.Planned))
		case !s.Counts:
			v.breaks = append(v.breaks, fmt.Sprintf("%s: %d of %d requests succeeded, fewer than %g %%", s.Slug, s.Success.Completed, s.Success.Requests, 100*s.Success.Threshold))
		}
	}
	for _, f := range audit.Audit(audit.Input{Bundle: b, Contract: k}) {
		switch {
		case f.Severity != audit.Error:
		case f.Code == audit.ClientSaturated && v.invalid == "":
			v.invalid = "the load generator could not hold the load of " + cmp.Or(f.Test, "its calibration")
		case slices.Contains(contractBreakers, f.Code):
			if text := fmt.Sprintf("%s: %s", f.Test, strings.ReplaceAll(string(f.Code), "_", " ")); !slices.Contains(v.breaks, text) {
				v.breaks = append(v.breaks, text)
			}
		}
	}
	return v
}

// contractBreakers are the findings that say that a run did not measure what its
// contract asks for. Others are about a tool's figures, or for readers to weigh.
var contractBreakers = []audit.Code{
	audit.ShortOutput, audit.OutputTokensMismatch, audit.PromptTokensMismatch, audit.PrefixCacheHit, audit.ConcurrencyNotHeld,
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
		return withHint(withCode(exitInvalid, errors.New(v.invalid+": the run is not valid, and lies apart from the results")),
			"run arena bench on another machine than the server, or let nothing else run beside it")
	case len(v.breaks) > 0:
		return withCode(exitBreaks, errors.New("the run is valid, but does not keep the contract:\n  "+strings.Join(v.breaks, "\n  ")))
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
