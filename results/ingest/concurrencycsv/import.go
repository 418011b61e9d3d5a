package concurrencycsv

import (
	"cmp"
	"path"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// Format is the name under which such tables are imported.
const Format = "concurrency-csv"

// Import makes one bundle: a table is one test.
func Import(inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error) {
	m := ingest.NewImporter(Format, inputs, meta, opt)
	if len(inputs) > 1 && len(meta.Tests) == 0 {
		m.Faults.Add(0, "", "import them one by one, each with metadata of its own, or tie each file to a test with [[tests]]",
			"%d tables cannot all be the same test of the same configuration", len(inputs))
		return m.Finish()
	}
	for _, in := range inputs {
		cells, err := Parse(in)
		if err != nil {
			m.Faults.List = scan.AppendFaults(m.Faults.List, in.Name, err)
			continue
		}
		at := ingest.Place{File: in.Name, Line: 1}
		t, ok := m.TestOf(at, nil)
		if !ok {
			m.Bundle.Notes = append(m.Bundle.Notes, bundle.NewNote(bundle.NoteTableLeftOut, "file", privacy.Clean(path.Base(in.Name)), "line", "1"))
			continue
		}
		test := bundle.Test{Slug: cmp.Or(t.Slug, "unknown"), StartedAt: t.StartedAt, Cells: cells}
		if len(t.Argv) > 0 {
			test.Command = &bundle.Command{Argv: privacy.CleanArgv(t.Argv)}
		}
		if tool := m.ToolOf(at, bundle.Tool{}); tool.Name != "" {
			test.Tool = &tool
		}
		for i := range test.Cells {
			state(&test.Cells[i], t, meta)
		}
		m.Bundle.Tests = append(m.Bundle.Tests, test)
	}
	m.Missing()
	if opt.Contract != nil {
		m.Faults.Add(0, "contract", "leave contract out", "a table of this format does not say enough to follow a contract")
	}
	return m.Finish()
}

// state adds to a cell what only the metadata states.
func state(c *bundle.Cell, t ingest.TestMetadata, meta ingest.Metadata) {
	c.PromptTokens = cmp.Or(c.PromptTokens, t.PromptTokens, meta.PromptTokens)
	c.OutputTokens = cmp.Or(c.OutputTokens, t.OutputTokens, meta.OutputTokens)
	if c.Runs = meta.Rounds; c.Runs > 0 && c.Runs <= scan.MaxCount/c.Concurrency && c.Requests == nil {
		planned := c.Runs * c.Concurrency
		c.Requests = &bundle.Requests{Planned: &planned}
	}
}
