package site

import (
	"slices"
	"strings"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/site/render"
)

// notes writes what an importer or the engine noticed, each remark once. What the
// audit turns into a finding is left to it.
func (w *words) notes(all []bundle.Note) []string {
	var out []string
	for _, n := range all {
		if n.Code == bundle.NoteTokenizerFallback || n.Code == audit.NoteProjected || n.Code == string(audit.AllRequestsFailed) || audit.Slowed(n) {
			continue
		}
		var args []any
		for _, a := range n.Args {
			if a.Value != "" && !(a.Name == "exit" && strings.HasPrefix(a.Value, "-")) { // no program ends with a code below zero: it says that there is none
				args = append(args, a.Name, w.argument(a))
			}
		}
		text, ok := w.Try("note."+n.Code, args...)
		if !ok {
			text = rawNote(n)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// argument writes the value of a note: tests by their names, anything else as it
// stands.
func (w *words) argument(a bundle.Setting) string {
	switch a.Name {
	case "test":
		return w.testName(a.Value)
	case "tests":
	default:
		return a.Value
	}
	var names []string
	for _, slug := range strings.Fields(a.Value) {
		names = append(names, w.testName(slug))
	}
	return w.List(names...)
}

// rawNote shows a note that has no words here as the data it is.
func rawNote(n bundle.Note) string {
	parts := []string{n.Code}
	for _, a := range n.Args {
		parts = append(parts, a.Name+"="+a.Value)
	}
	return strings.Join(parts, " ")
}

// noteValues writes notes as the values of a fact.
func (w *words) noteValues(all []bundle.Note) []render.Value {
	var out []render.Value
	for _, text := range w.notes(all) {
		out = append(out, render.Value{Text: text})
	}
	return out
}

// testNotes returns the notes on a test and on its cells.
func testNotes(t *bundle.Test) []bundle.Note {
	if t == nil {
		return nil
	}
	all := slices.Clone(t.Notes)
	for _, c := range t.Cells {
		all = append(all, c.Notes...)
	}
	return all
}
