// Package ingest turns readings of other benchmark tools into bundles: it adds what
// the metadata states, records the files, checks what is published and names what
// is missing. Each source has a package below this one, which reads its files;
// package formats is the table of them.
//
// The importers copy, they do not judge: a figure keeps the value and the name
// that its source gives it, what a source does not say stays unset, and what
// looks odd becomes a note that travels with the number. What no input says and
// a bundle needs (platform, profile, model, licence, …) comes from Metadata and is never
// guessed. Where the same thing is said twice and differently, an error shows
// both. A text that could be read in two ways is refused, with a hint.
//
// The package reads bytes and returns values: it opens no files and reads no
// clock. Units are those of the metric table: milliseconds, tokens per second.
package ingest

import (
	"fmt"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// An Input is one file as it was found. Name is its path relative to the folder
// that is imported; it serves messages, the record of sources, and, in a suite,
// tells what the file is.
type Input struct {
	Name string
	Data []byte
}

// Options is what the calling program knows and no input says.
type Options struct {
	Engine           bundle.EnginePin   // Runner is set by Assemble
	Contract         *contract.Contract // the contract that Metadata names, nil for none
	ContractRevision string             // Git revision that last touched it
	KeepFiles        bool               // the caller stores the raw bytes beside the bundle
}

// TestLine is the line of a metadata file that says which test was measured.
const TestLine = `test = "chat" # slug of the test that the figures belong to`

// InputNames names the inputs in messages about all of them.
func InputNames(inputs []Input) string {
	switch len(inputs) {
	case 0:
		return "input"
	case 1:
		return inputs[0].Name
	}
	return fmt.Sprintf("%s and %d more", inputs[0].Name, len(inputs)-1)
}
