package llamabenchy

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/privacy"
	"example.org/arena/results/tomlfile"
)

// model compares the label of the rows with the model that the metadata states.
// A label of another form than an id is a name, of which a difference is only
// worth a note.
func (m *importer) model(r Report) {
	same := func(name string) bool { return name != "" && strings.EqualFold(name, r.Model) }
	if r.Model == "" || same(m.b.Model.ID) || same(m.b.Model.ServedName) {
		return
	}
	if _, err := bundle.ModelSlug(r.Model); err == nil && r.Tool.Name == Tool {
		m.b.Model.ID = ingest.Agree(&m.f, "model", m.b.Model.ID, cmp.Or(m.meta.File, "the metadata"), r.Model, fmt.Sprintf("%s:%d", r.File, r.Line))
		return
	}
	m.b.Notes = append(m.b.Notes, bundle.NewNote(bundle.NoteTextDiffers, "what", "model", "first", privacy.Clean(r.Model), "second", cmp.Or(m.b.Model.ServedName, m.b.Model.ID)))
}

// tool returns the tool of a report, with the version that it or the metadata
// states.
func (m *importer) tool(r Report) bundle.Tool {
	tool := r.Tool
	stated := m.meta.Tool
	where := fmt.Sprintf("%s:%d", r.File, r.Line)
	if stated.Name != "" && stated.Name != tool.Name {
		m.f.Add(0, "tool.name", "", "is %q, but %s was written by %s", stated.Name, where, tool.Name)
		return tool
	}
	tool.Version = ingest.Agree(&m.f, "tool.version", tool.Version, where, stated.Version, cmp.Or(m.meta.File, "the metadata"))
	return tool
}

// startOf returns when a test began: as the tool printed it, in the zone that
// the metadata states, or as the metadata says.
func (m *importer) startOf(t ingest.TestMetadata, r Report) string {
	switch {
	case r.StartUnix > 0 && r.StartUnix < 1<<40:
		return ingest.UTC(time.Unix(int64(r.StartUnix), 0))
	case r.Date != "" && m.meta.Zone != nil:
		if at, err := time.ParseInLocation("2006-01-02 15:04:05", strings.Replace(r.Date, "T", " ", 1), m.meta.Zone); err == nil {
			return ingest.UTC(at)
		}
	}
	return t.StartedAt
}

// start settles when the first test began.
func (m *importer) start() {
	first := ""
	for _, t := range m.b.Tests {
		if t.StartedAt != "" && (first == "" || t.StartedAt < first) {
			first = t.StartedAt
		}
	}
	if first != "" {
		m.b.StartedAt = first
	}
}

// checkContract compares the cells and the command of a test with the contract.
func (m *importer) checkContract(r Report, out *bundle.Test) {
	if m.opt.Contract == nil {
		return
	}
	version := m.opt.Contract.Version
	t, ok := m.opt.Contract.Test(out.Slug)
	if !ok {
		m.f.Add(0, "test", "", "contract %s has no test %q", version, out.Slug)
		return
	}
	fault := func(format string, args ...any) {
		m.f.List = append(m.f.List, tomlfile.Fault{File: r.File, Line: r.Line, Message: fmt.Sprintf("does not follow contract %s: ", version) + fmt.Sprintf(format, args...)})
	}
	if !t.Closed() {
		fault("%s is an open-loop test, and the tool measures closed loops", t.Slug)
		return
	}
	if out.Command != nil {
		for _, d := range ingest.ChangedParameters(m.opt.Contract, t, out.Command.Argv) {
			fault("%s", d)
		}
	}
	cover := t.Match(ingest.MeasuredCells(out.Cells))
	for _, c := range cover.Extra {
		fault("%s has no cell with %s, or it was measured twice", t.Slug, ingest.CellText(c))
	}
	if out.Stopped == nil && len(cover.Missing) > 0 && len(cover.Extra) == 0 {
		out.Stopped = &bundle.Stop{Reason: bundle.StopUnknown}
	}
}
