package ingest

import (
	"cmp"
	"path"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/privacy"
)

// importConcurrencyCSV makes one bundle: a table is one test.
func importConcurrencyCSV(inputs []Input, meta Metadata, opt Options) ([]*bundle.Bundle, error) {
	f := faultList{file: cmp.Or(meta.File, inputNames(inputs))}
	b := assemble(meta, opt, inputs)
	if len(inputs) > 1 && len(meta.Tests) == 0 {
		f.add(0, "", "import them one by one, each with metadata of its own, or tie each file to a test with [[tests]]",
			"%d tables cannot all be the same test of the same configuration", len(inputs))
		return nil, f.err()
	}
	var missing []string
	for _, in := range inputs {
		cells, err := ParseConcurrencyCSV(in)
		if err != nil {
			f.list = appendFaults(f.list, in.Name, err)
			continue
		}
		i := slices.IndexFunc(meta.Tests, func(t TestMetadata) bool { return t.File == in.Name || t.File == path.Base(in.Name) })
		t := TestMetadata{Slug: meta.Test}
		if i >= 0 {
			t = meta.Tests[i]
		} else if len(meta.Tests) > 0 {
			b.Notes = append(b.Notes, note(bundle.NoteTableLeftOut, "file", privacy.Clean(path.Base(in.Name)), "line", "1"))
			continue
		}
		if t.Slug == "" && !slices.Contains(missing, testLine) {
			missing = append(missing, testLine)
		}
		test := bundle.Test{Slug: cmp.Or(t.Slug, "unknown"), StartedAt: t.StartedAt, Cells: cells}
		if len(t.Argv) > 0 {
			test.Command = &bundle.Command{Argv: privacy.CleanArgv(t.Argv)}
		}
		if meta.Tool.Name != "" {
			tool := meta.Tool
			test.Tool = &tool
			b.Source.Tools = addTool(b.Source.Tools, tool)
		}
		for i := range test.Cells {
			stateCSV(&test.Cells[i], t, meta)
		}
		b.Tests = append(b.Tests, test)
	}
	f.list = append(f.list, missingMetadata(b, inputNames(inputs), missing...)...)
	if opt.Contract != nil {
		f.add(0, "contract", "leave contract out", "a table of this format does not say enough to follow a contract")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if faults := finishBundle(b, inputNames(inputs)); len(faults) > 0 {
		return nil, faults
	}
	return []*bundle.Bundle{b}, nil
}

// stateCSV adds to a cell what only the metadata states.
func stateCSV(c *bundle.Cell, t TestMetadata, meta Metadata) {
	c.PromptTokens = firstNonZero(c.PromptTokens, t.PromptTokens, meta.PromptTokens)
	c.OutputTokens = firstNonZero(c.OutputTokens, t.OutputTokens, meta.OutputTokens)
	if c.Runs = meta.Rounds; c.Runs > 0 && c.Runs <= maxCount/c.Concurrency && c.Requests == nil {
		planned := c.Runs * c.Concurrency
		c.Requests = &bundle.Requests{Planned: &planned}
	}
}
