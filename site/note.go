package site

import (
	"slices"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/site/render"
)

// notes writes what an importer or the engine noticed, each remark once. What the
// audit turns into a finding is left to it.
func (w *words) notes(all []bundle.Note) []string {
	var out []string
	for _, n := range all {
		if n.Code == bundle.NoteTokenizerFallback || n.Code == audit.NoteProjected || n.Code == string(audit.AllRequestsFailed) {
			continue
		}
		var args []any
		for _, a := range n.Args {
			args = append(args, a.Name, a.Value)
		}
		if text := w.T("note."+n.Code, args...); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
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
