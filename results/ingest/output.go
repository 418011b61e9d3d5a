package ingest

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
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
