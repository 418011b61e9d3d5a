package llamabenchy

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/privacy"
)

// model compares the label of the rows with the model that the metadata states.
// A label of another form than an id is a name, of which a difference is only
// worth a note.
func (m *importer) model(r Report) {
	same := func(name string) bool { return name != "" && strings.EqualFold(name, r.Model) }
	if r.Model == "" || same(m.Bundle.Model.ID) || same(m.Bundle.Model.ServedName) {
		return
	}
	if _, err := bundle.ModelSlug(r.Model); err == nil && r.Tool.Name == Tool {
		m.Bundle.Model.ID = ingest.Agree(&m.Faults, "model", m.Bundle.Model.ID, m.Stated(), r.Model, r.place().String())
		return
	}
	m.Bundle.Notes = append(m.Bundle.Notes, bundle.NewNote(bundle.NoteTextDiffers, "what", "model", "first", privacy.Clean(r.Model), "second", cmp.Or(m.Bundle.Model.ServedName, m.Bundle.Model.ID)))
}

// tool returns the tool of a report, with the version that it or the metadata
// states.
func (m *importer) tool(r Report) *bundle.Tool {
	if stated := m.Meta.Tool.Name; stated != "" && stated != r.Tool.Name {
		m.Faults.Add(0, "tool.name", "", "is %q, but %s was written by %s", stated, r.place(), r.Tool.Name)
	}
	tool := m.ToolOf(r.place(), r.Tool)
	return &tool
}

// startOf returns when a test began: as the tool printed it, in the zone that
// the metadata states, or as the metadata says.
func (m *importer) startOf(t ingest.TestMetadata, r Report) string {
	switch {
	case r.StartUnix > 0 && r.StartUnix < 1<<40:
		return ingest.UTC(time.Unix(int64(r.StartUnix), 0))
	case r.Date != "" && m.Meta.Zone != nil:
		if at, err := time.ParseInLocation("2006-01-02 15:04:05", strings.Replace(r.Date, "T", " ", 1), m.Meta.Zone); err == nil {
			return ingest.UTC(at)
		}
	}
	return t.StartedAt
}

// start settles when the first test began.
func (m *importer) start() {
	first := ""
	for _, t := range m.Bundle.Tests {
		if t.StartedAt != "" && (first == "" || t.StartedAt < first) {
			first = t.StartedAt
		}
	}
	if first != "" {
		m.Bundle.StartedAt = first
	}
}

// checkContract compares the cells and the command of a test with the contract.
func (m *importer) checkContract(r Report, out *bundle.Test) {
	t, ok := m.ContractTest(out.Slug)
	if !ok {
		return
	}
	if !t.Closed() {
		m.Departs(r.place(), t.Slug+" is an open-loop test, and the tool measures closed loops")
		return
	}
	if out.Command != nil {
		m.DepartsIn(r.place(), t, out.Command.Argv)
	}
	cover := t.Match(ingest.MeasuredCells(out.Cells))
	for _, c := range cover.Extra {
		m.Departs(r.place(), fmt.Sprintf("%s has no cell with %s, or it was measured twice", t.Slug, ingest.CellText(c)))
	}
	if out.Stopped == nil && len(cover.Missing) > 0 && len(cover.Extra) == 0 {
		out.Stopped = &bundle.Stop{Reason: bundle.StopUnknown}
	}
}
