package format

import (
	"slices"
	"strings"

	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
)

// Notes writes what an importer or the engine noticed, each remark once. What the
// audit turns into a finding is left to it.
func Notes(p *i18n.Printer, all []bundle.Note) []string {
	var out []string
	for _, n := range all {
		if becomesFinding(n) {
			continue
		}
		var args []any
		for _, a := range n.Args {
			if a.Value != "" && !noExitCode(a) {
				args = append(args, a.Name, noteArgument(p, a))
			}
		}
		text, ok := p.Try("note."+n.Code, args...)
		if !ok {
			text = rawNote(n)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// becomesFinding reports whether the audit speaks of a note.
func becomesFinding(n bundle.Note) bool {
	switch n.Code {
	case bundle.NoteTokenizerFallback, audit.NoteProjected, string(audit.AllRequestsFailed):
		return true
	}
	return audit.Slowed(n)
}

// noExitCode reports whether an argument says that a program left no exit code:
// none ends with one below zero.
func noExitCode(a bundle.Setting) bool {
	return a.Name == "exit" && strings.HasPrefix(a.Value, "-")
}

// noteArgument writes the value of a note: tests by their names, anything else as
// it stands.
func noteArgument(p *i18n.Printer, a bundle.Setting) string {
	switch a.Name {
	case "test":
		return TestName(p, a.Value)
	case "tests":
		var names []string
		for slug := range strings.FieldsSeq(a.Value) {
			names = append(names, TestName(p, slug))
		}
		return p.List(names...)
	}
	return a.Value
}

// rawNote shows a note that has no words here as the data it is.
func rawNote(n bundle.Note) string {
	parts := []string{n.Code}
	for _, a := range n.Args {
		parts = append(parts, a.Name+"="+a.Value)
	}
	return strings.Join(parts, " ")
}
