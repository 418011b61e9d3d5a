package llamabenchy

import (
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
)

// ReadOutput reads what the command of a closed-loop test left behind: the saved
// file, or what was printed. Other cells than the test's, and none, are faults.
func ReadOutput(t contract.Test, out ingest.Output) (ingest.Reading, error) {
	in := out.Saved
	if len(in.Data) == 0 {
		in = out.Printed
	}
	parsed, err := Parse(in)
	if err != nil {
		return ingest.Reading{}, err
	}
	f := scan.Faults{File: in.Name}
	if n := len(parsed.Reports); n != 1 {
		f.Add(parsed.Reports[1].Line, "", "", "holds %d tables of results, want one", n)
		return ingest.Reading{}, f.Err()
	}
	r := parsed.Reports[0]
	measured := ingest.MeasuredCells(r.Cells)
	cover := t.Match(measured)
	for _, c := range cover.Extra {
		f.Add(r.Line, "", "", "holds figures of %s, which the command did not ask for, or measured twice", ingest.CellText(c))
	}
	if len(measured) == 0 {
		f.Add(r.Line, "", "the tool may have stopped before it printed its results: its own messages stand in the file", "shows which tests ran, but no figures")
	}
	return ingest.Reading{
		Tool: r.Tool, Model: r.Model, LatencyMS: r.LatencyMS, Cells: r.Cells, Notes: r.Notes, Missing: cover.Missing,
	}, f.Err()
}
