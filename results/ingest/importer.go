package ingest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest/scan"
)

// An Importer makes one bundle of what the files of a format say. A format reads
// its files, asks the importer which test each reading belongs to, adds the cells,
// and lets it finish.
type Importer struct {
	Meta    Metadata
	Options Options
	Bundle  *bundle.Bundle
	Faults  scan.Faults // of the import as a whole, and of its files

	// TestLine is the line of a metadata file that would say which test was
	// measured, and TestHint what to do when a contract does not tell it.
	TestLine, TestHint string

	inputs  string   // their names, for messages
	missing []string // lines that the metadata file should have
}

// NewImporter returns an importer with a bundle that has no tests yet.
func NewImporter(format string, inputs []Input, meta Metadata, opt Options) *Importer {
	names := InputNames(inputs)
	return &Importer{
		Meta: meta, Options: opt, Bundle: Assemble(format, meta, opt, inputs),
		Faults: scan.Faults{File: cmp.Or(meta.File, names)}, inputs: names, TestLine: TestLine,
		TestHint: `name the test with test = "SLUG" in the metadata file; leave contract out if none was followed`,
	}
}

// A Place is where a reading stands.
type Place struct {
	File  string
	Line  int    // from 1
	Nth   int    // of the file's readings, from 1; 0 where a file is one reading
	About string // what the reading holds, for messages
}

// String returns "file:line".
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Fault records a fault of a reading. The hint may be empty.
func (m *Importer) Fault(at Place, hint, format string, args ...any) {
	f := scan.Faults{File: at.File}
	f.Add(at.Line, "", hint, format, args...)
	m.Faults.List = append(m.Faults.List, f.List...)
}

// TestOf says which test a reading belongs to: as the metadata ties its file and
// place to one, the only one, or the one of the contract that it fits. It reports
// false when the metadata ties other readings to tests and not this one, and after
// a fault. Without fits the contract is not asked.
func (m *Importer) TestOf(at Place, fits func(contract.Test) bool) (TestMetadata, bool) {
	if len(m.Meta.Tests) > 0 {
		i := slices.IndexFunc(m.Meta.Tests, func(t TestMetadata) bool {
			return (t.File == at.File || t.File == path.Base(at.File)) && (t.Table == 0 || at.Nth == 0 || t.Table == at.Nth)
		})
		if i < 0 {
			return TestMetadata{}, false
		}
		return m.Meta.Tests[i], true
	}
	switch {
	case m.Meta.Test != "":
		return TestMetadata{Slug: m.Meta.Test}, true
	case m.Options.Contract != nil && fits != nil:
		return m.contractTest(at, fits)
	case !slices.Contains(m.missing, m.TestLine):
		m.missing = append(m.missing, m.TestLine)
	}
	return TestMetadata{Slug: "unknown"}, true
}

// contractTest finds the one test of the contract that a reading fits.
func (m *Importer) contractTest(at Place, fits func(contract.Test) bool) (TestMetadata, bool) {
	var slugs []string
	for _, t := range m.Options.Contract.Tests {
		if fits(t) {
			slugs = append(slugs, t.Slug)
		}
	}
	switch len(slugs) {
	case 0:
		m.Fault(at, m.TestHint, "fits no test of contract %s (%s)", m.Options.Contract.Version, at.About)
	case 1:
		return TestMetadata{Slug: slugs[0]}, true
	default:
		m.Fault(at, m.TestHint, "fits several tests: %s (%s)", strings.Join(slugs, ", "), at.About)
	}
	return TestMetadata{}, false
}

// ContractTest returns the contract's test of a name, and false where no contract
// was followed or it has no such test, which is a fault.
func (m *Importer) ContractTest(slug string) (contract.Test, bool) {
	if m.Options.Contract == nil {
		return contract.Test{}, false
	}
	t, ok := m.Options.Contract.Test(slug)
	if !ok {
		m.Faults.Add(0, "test", "", "contract %s has no test %q", m.Options.Contract.Version, slug)
	}
	return t, ok
}

// Departs records in what a reading does not follow the contract.
func (m *Importer) Departs(at Place, what string) {
	m.Fault(at, "", "does not follow contract %s: %s", m.Options.Contract.Version, what)
}

// DepartsIn records the parameters of a command that make it another measurement
// than the contract's test.
func (m *Importer) DepartsIn(at Place, t contract.Test, argv []string) {
	for _, d := range ChangedParameters(m.Options.Contract, t, argv) {
		m.Departs(at, d)
	}
}

// ToolOf returns the tool that a file names, or the stated one where it names
// none, with the version that either says, and lists it as a source.
func (m *Importer) ToolOf(at Place, tool bundle.Tool) bundle.Tool {
	switch stated := m.Meta.Tool; {
	case tool.Name == "":
		tool = stated
	case stated.Name == "" || stated.Name == tool.Name:
		tool.Version = Agree(&m.Faults, "tool.version", tool.Version, at.String(), stated.Version, m.Stated())
	}
	m.Bundle.Source.Tools = AddTool(m.Bundle.Source.Tools, tool)
	return tool
}

// Stated names the metadata in messages.
func (m *Importer) Stated() string { return cmp.Or(m.Meta.File, "the metadata") }

// Missing records what neither the files nor the metadata say.
func (m *Importer) Missing() {
	m.Faults.List = append(m.Faults.List, MissingMetadata(m.Bundle, m.inputs, m.missing...)...)
}

// Finish returns the bundle, or all faults.
func (m *Importer) Finish() ([]*bundle.Bundle, error) {
	if err := m.Faults.Err(); err != nil {
		return nil, err
	}
	if faults := FinishBundle(m.Bundle, m.inputs); len(faults) > 0 {
		return nil, faults
	}
	return []*bundle.Bundle{m.Bundle}, nil
}
