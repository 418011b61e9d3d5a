package concurrencycsv

import (
	"cmp"
	"path"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/privacy"
)

// Format is the name under which such tables are imported.
const Format = "concurrency-csv"

// Import makes one bundle: a table is one test.
func Import(inputs []ingest.Input, meta ingest.Metadata, opt ingest.Options) ([]*bundle.Bundle, error) {
	f := scan.Faults{File: cmp.Or(meta.File, ingest.InputNames(inputs))}
	b := ingest.Assemble(Format, meta, opt, inputs)
	if len(inputs) > 1 && len(meta.Tests) == 0 {
		f.Add(0, "", "import them one by one, each with metadata of its own, or tie each file to a test with [[tests]]",
			"%d tables cannot all be the same test of the same configuration", len(inputs))
		return nil, f.Err()
	}
	var missing []string
	for _, in := range inputs {
		cells, err := Parse(in)
		if err != nil {
			f.List = scan.AppendFaults(f.List, in.Name, err)
			continue
		}
		i := slices.IndexFunc(meta.Tests, func(t ingest.TestMetadata) bool { return t.File == in.Name || t.File == path.Base(in.Name) })
		t := ingest.TestMetadata{Slug: meta.Test}
		if i >= 0 {
			t = meta.Tests[i]
		} else if len(meta.Tests) > 0 {
			b.Notes = append(b.Notes, bundle.NewNote(bundle.NoteTableLeftOut, "file", privacy.Clean(path.Base(in.Name)), "line", "1"))
			continue
		}
		if t.Slug == "" && !slices.Contains(missing, ingest.TestLine) {
			missing = append(missing, ingest.TestLine)
		}
		test := bundle.Test{Slug: cmp.Or(t.Slug, "unknown"), StartedAt: t.StartedAt, Cells: cells}
		if len(t.Argv) > 0 {
			test.Command = &bundle.Command{Argv: privacy.CleanArgv(t.Argv)}
		}
		if meta.Tool.Name != "" {
			tool := meta.Tool
			test.Tool = &tool
			b.Source.Tools = ingest.AddTool(b.Source.Tools, tool)
		}
		for i := range test.Cells {
			state(&test.Cells[i], t, meta)
		}
		b.Tests = append(b.Tests, test)
	}
	f.List = append(f.List, ingest.MissingMetadata(b, ingest.InputNames(inputs), missing...)...)
	if opt.Contract != nil {
		f.Add(0, "contract", "leave contract out", "a table of this format does not say enough to follow a contract")
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if faults := ingest.FinishBundle(b, ingest.InputNames(inputs)); len(faults) > 0 {
		return nil, faults
	}
	return []*bundle.Bundle{b}, nil
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
