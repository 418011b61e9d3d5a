package engine

import (
	"slices"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// unitsOf returns units as the commands of a test leave them, run against another
// address than the contract's.
func unitsOf(c *contract.Contract, t contract.Test, n int) []Unit {
	var units []Unit
	for i, command := range c.Commands(t, contract.Names{}) {
		if i == n {
			break
		}
		argv := slices.Clone(command.Argv)
		argv[slices.Index(argv, "--base-url")+1] = "http://host:8123"
		units = append(units, Unit{
			Test: t.Slug, Began: "2026-08-09T06:00:00.000000Z", Cells: []bundle.Cell{{Concurrency: i + 1}},
			Command: &bundle.Command{Argv: argv}, Notes: []bundle.Note{bundle.NewNote("address_withheld", "placeholder", "host")},
		})
	}
	return units
}

// TestCommandsOfATest: a test of one command shows it; one of several shows none, and
// says how they differ from the contract's, each difference once.
func TestCommandsOfATest(t *testing.T) {
	t.Parallel()
	p := planOf(t, "v2", "rate-sweep")
	spec := p.Tests[0].Spec
	for n, want := range map[int][]string{
		1: {"address_withheld"},
		3: {"address_withheld", NoteCommandDiffers, bundle.NoteSeveralCommands},
	} {
		j := Journal{Units: unitsOf(p.Contract, spec, n)}
		got, ok := j.test(p.Contract, p.Tests[0])
		if !ok || len(got.Cells) != n {
			t.Fatalf("%d commands: %d cells", n, len(got.Cells))
		}
		if (got.Command != nil) != (n == 1) {
			t.Errorf("%d commands: the test shows %v", n, got.Command)
		}
		var codes []string
		for _, note := range got.Notes {
			codes = append(codes, note.Code)
			if a := note.Args; note.Code == NoteCommandDiffers &&
				(a[0].Value != "--base-url" || a[1].Value != "http://localhost:8000" || a[2].Value != "http://host:8123") {
				t.Errorf("the deviation is %v", a)
			}
		}
		if !slices.Equal(codes, want) {
			t.Errorf("%d commands: notes %q, want %q", n, codes, want)
		}
	}
}
