package vllmbench

import (
	"cmp"
	"fmt"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/tomlfile"
)

// ReadOutput reads the saved result, or the printed block where none was
// saved. Where there are both, they must agree within rounding.
func ReadOutput(t contract.Test, want contract.Cell, out ingest.Output) (ingest.Reading, error) {
	f := scan.Faults{File: out.Printed.Name}
	var results []Result
	for _, in := range []ingest.Input{out.Saved, out.Printed} {
		if len(in.Data) == 0 || len(results) > 0 && !BlockStart.Match(in.Data) {
			continue
		}
		r, ok := oneResult(in, &f)
		if ok {
			results = append(results, r)
		}
	}
	if len(results) == 0 && len(f.List) == 0 {
		f.Add(0, "", "", "the command saved no result and printed nothing")
	}
	if err := f.Err(); err != nil {
		return ingest.Reading{}, err
	}
	r := results[0]
	if len(results) > 1 {
		Compare(r, results[1], &f)
	}
	f.File = r.File
	fitRung(t, want, &r, &f)
	reading := ingest.Reading{Tool: r.Tool, Model: r.Model, Cells: []bundle.Cell{r.Cell}}
	if len(r.Cell.Reported) == 0 {
		reading.Missing = []contract.Cell{want}
	}
	return reading, f.Err()
}

// oneResult reads the only result of a file.
func oneResult(in ingest.Input, f *scan.Faults) (Result, bool) {
	parsed, err := Parse(in)
	if err != nil {
		f.List = scan.AppendFaults(f.List, in.Name, err)
		return Result{}, false
	}
	if n := len(parsed.Results); n != 1 {
		f.List = append(f.List, tomlfile.Fault{File: in.Name, Line: parsed.Results[1].Line, Message: fmt.Sprintf("holds %d results, want one", n)})
		return Result{}, false
	}
	return parsed.Results[0], true
}

// fitRung checks that a result is of the rung that was asked for, and adds the
// lengths, which only the command states.
func fitRung(t contract.Test, want contract.Cell, r *Result, f *scan.Faults) {
	cell := &r.Cell
	if cell.RequestRate == nil && r.Printed {
		cell.RequestRate = new(bundle.Rate(want.RequestRate)) // the block leaves it out in some versions
	}
	if d := Differs(t, *cell); d != "" {
		f.Add(r.Line, "", "", "is not of this command: %s", d)
	} else if got := float64(*cell.RequestRate); got != want.RequestRate {
		f.Add(r.Line, "request_rate", "", "is %v, but the command asked for %v", got, want.RequestRate)
	}
	cell.PromptTokens = cmp.Or(cell.PromptTokens, want.PromptTokens)
	cell.OutputTokens = cmp.Or(cell.OutputTokens, want.OutputTokens)
	if _, err := bundle.ModelSlug(r.Model); r.Model != "" && err != nil {
		cell.Notes = append(cell.Notes, bundle.NewNote(bundle.NoteModelNotID))
	}
}
