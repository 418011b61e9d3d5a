package importer

import (
	"fmt"
	"io"
	"path/filepath"

	"example.org/arena/cmd/arena/terminal"
	"example.org/arena/results/bundle"
)

// Print writes the path of every bundle to stdout, and on stderr which of them
// were there before.
func (p *Plan) Print(stdout, stderr io.Writer) error {
	there := 0
	for _, f := range p.files {
		if f.there {
			there++
		}
		if _, err := fmt.Fprintln(stdout, f.path); err != nil {
			return err
		}
	}
	if there > 0 {
		fmt.Fprintf(stderr, "arena: already there: %s of %d\n", terminal.Counted(there, "bundle"), len(p.files))
	}
	return nil
}

// Report is what arena import --json prints.
type Report struct {
	DryRun  bool             `json:"dry_run"`
	Bundles []ReportedBundle `json:"bundles"`
}

// ReportedBundle is one bundle of an import.
type ReportedBundle struct {
	Path     string `json:"path"`
	ID       string `json:"id"` // SHA-256 of its bytes
	Bytes    int    `json:"bytes"`
	There    bool   `json:"already_there"`
	Platform string `json:"platform"`
	Model    string `json:"model"`
	Profile  string `json:"profile"`
	Started  string `json:"started_at"`
	Tests    int    `json:"tests"`
	Dirty    bool   `json:"dirty"`
}

// Report says what the plan wrote, or would write, for programs.
func (p *Plan) Report(dryRun bool) Report {
	r := Report{DryRun: dryRun, Bundles: []ReportedBundle{}}
	for _, f := range p.files {
		b := f.bundle
		r.Bundles = append(r.Bundles, ReportedBundle{
			Path: filepath.ToSlash(f.path), ID: bundle.ID(f.data), Bytes: len(f.data), There: f.there,
			Platform: b.Platform, Model: b.Model.ID, Profile: b.Profile, Started: b.StartedAt,
			Tests: len(b.Tests), Dirty: b.Engine.Dirty,
		})
	}
	return r
}
