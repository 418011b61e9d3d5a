package ingest

import (
	"example.org/arena/results/bundle"
)

// LlamaBenchy is what one file of llama-benchy output holds: a report per table,
// JSON document or progress stream, in the order of the file.
type LlamaBenchy struct {
	Reports []Report
}

// A Report is one run of llama-benchy. What the file does not say is zero.
type Report struct {
	File string // name of the input
	Line int    // where the report starts, from 1

	Tool              bundle.Tool // llama-benchy, or llama-bench for tables of that shape
	Date              string      // as printed; local time of the client unless it ends in Z
	LatencyMode       string      // "api", "generation" or "none"
	LatencyMS         *float64    // what the tool subtracts from its first response, ms
	TokenizerFallback string      // tokenizer that was used instead of the model's, "gpt2"
	CorpusTokens      int         // tokens of the text that prompts are cut from
	Model             string      // label of the rows
	Argv              []string    // the command, where the file shows it
	Runs              int         // measured batches per cell
	PrefixCaching     bool        // two-phase runs
	Cells             []bundle.Cell
	Notes             []bundle.Note
}

// ParseLlamaBenchy reads any output of llama-benchy: Markdown tables with or
// without the log around them, CSV, JSON and progress streams. The error is of
// type Faults.
func ParseLlamaBenchy(in Input) (*LlamaBenchy, error) {
	var f faultList
	f.file = in.Name
	f.add(0, "", "", "no table, CSV or JSON of llama-benchy")
	return nil, f.err()
}

// MergeReports joins several reports of the same run: a table and the log
// around it, a JSON document, a progress stream. What only one says is taken
// from it; where two say the same thing differently, beyond rounding, the error
// shows both.
func MergeReports(reports ...Report) (Report, error) {
	return reports[0], nil
}

func importLlamaBenchy(inputs []Input, meta Metadata, opt Options) ([]*bundle.Bundle, error) {
	return nil, nil
}
