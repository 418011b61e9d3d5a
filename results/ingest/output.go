package ingest

import (
	"fmt"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/tomlfile"
)

// An Output is what one command of a contract's test left behind.
type Output struct {
	Printed Input // standard output
	Saved   Input // the result file that the command saved; without Data when there is none
}

// A Reading is what an Output measured: the cells, figures and notes that an
// import of the same output has.
type Reading struct {
	Tool      bundle.Tool // with the version that the output states, if it does
	Model     string      // as the tool labels its figures
	LatencyMS *float64    // what the tool subtracts from its first response, ms
	Cells     []bundle.Cell
	Notes     []bundle.Note   // about the whole
	Missing   []contract.Cell // that were to be measured and have no figures
}

// ReadOutput reads what the n-th command of a test, from 0, left behind: one that
// measured all cells of a closed loop, or a rung of an open one. Figures of other
// cells, and none at all, are faults. The error is of type Faults.
func ReadOutput(t contract.Test, n int, out Output) (Reading, error) {
	switch t.Kind.(type) {
	case contract.Batches:
		return readBenchyOutput(t, out)
	case contract.VLLMServe:
		if cells := t.Cells(); n >= 0 && n < len(cells) {
			return readVLLMOutput(t, cells[n], out)
		}
	case contract.Refill, contract.Conversations, contract.OpenLoop:
	}
	return Reading{}, tomlfile.Faults{{File: out.Printed.Name, Message: fmt.Sprintf("no output of command %d of test %s (%s) can be read", n, t.Slug, t.Tool())}}
}

func readBenchyOutput(t contract.Test, out Output) (Reading, error) {
	in := out.Saved
	if len(in.Data) == 0 {
		in = out.Printed
	}
	parsed, err := ParseLlamaBenchy(in)
	if err != nil {
		return Reading{}, err
	}
	f := faultList{file: in.Name}
	if n := len(parsed.Reports); n != 1 {
		f.add(parsed.Reports[1].Line, "", "", "holds %d tables of results, want one", n)
		return Reading{}, f.err()
	}
	r := parsed.Reports[0]
	measured := measuredCells(r.Cells)
	cover := t.Match(measured)
	for _, c := range cover.Extra {
		f.add(r.Line, "", "", "holds figures of %s, which the command did not ask for, or measured twice", cellText(c))
	}
	if len(measured) == 0 {
		f.add(r.Line, "", "the tool may have stopped before it printed its results: its own messages stand in the file", "shows which tests ran, but no figures")
	}
	return Reading{
		Tool: r.Tool, Model: r.Model, LatencyMS: r.LatencyMS, Cells: r.Cells, Notes: r.Notes, Missing: cover.Missing,
	}, f.err()
}

// readVLLMOutput reads the saved result, or the printed block where none was
// saved. Where there are both, they must agree within rounding.
func readVLLMOutput(t contract.Test, want contract.Cell, out Output) (Reading, error) {
	f := faultList{file: out.Printed.Name}
	var results []VLLMResult
	for _, in := range []Input{out.Saved, out.Printed} {
		if len(in.Data) == 0 || len(results) > 0 && !blockStart.Match(in.Data) {
			continue
		}
		r, ok := oneResult(in, &f)
		if ok {
			results = append(results, r)
		}
	}
	if len(results) == 0 && len(f.list) == 0 {
		f.add(0, "", "", "the command saved no result and printed nothing")
	}
	if err := f.err(); err != nil {
		return Reading{}, err
	}
	r := results[0]
	if len(results) > 1 {
		compareResults(r, results[1], &f)
	}
	f.file = r.File
	fitRung(t, want, &r, &f)
	reading := Reading{Tool: r.Tool, Model: r.Model, Cells: []bundle.Cell{r.Cell}}
	if len(r.Cell.Reported) == 0 {
		reading.Missing = []contract.Cell{want}
	}
	return reading, f.err()
}

// oneResult reads the only result of a file.
func oneResult(in Input, f *faultList) (VLLMResult, bool) {
	parsed, err := ParseVLLMBench(in)
	if err != nil {
		f.list = appendFaults(f.list, in.Name, err)
		return VLLMResult{}, false
	}
	if n := len(parsed.Results); n != 1 {
		f.list = append(f.list, tomlfile.Fault{File: in.Name, Line: parsed.Results[1].Line, Message: fmt.Sprintf("holds %d results, want one", n)})
		return VLLMResult{}, false
	}
	return parsed.Results[0], true
}

// fitRung checks that a result is of the rung that was asked for, and adds the
// lengths, which only the command states.
func fitRung(t contract.Test, want contract.Cell, r *VLLMResult, f *faultList) {
	cell := &r.Cell
	if cell.RequestRate == nil && r.Printed {
		cell.RequestRate = new(bundle.Rate(want.RequestRate)) // the block leaves it out in some versions
	}
	if d := openLoopDiffers(t, *cell); d != "" {
		f.add(r.Line, "", "", "is not of this command: %s", d)
	} else if got := float64(*cell.RequestRate); got != want.RequestRate {
		f.add(r.Line, "request_rate", "", "is %v, but the command asked for %v", got, want.RequestRate)
	}
	cell.PromptTokens = firstNonZero(cell.PromptTokens, want.PromptTokens)
	cell.OutputTokens = firstNonZero(cell.OutputTokens, want.OutputTokens)
	if _, err := bundle.ModelSlug(r.Model); r.Model != "" && err != nil {
		cell.Notes = append(cell.Notes, note(bundle.NoteModelNotID))
	}
}
