package formats

import (
	"fmt"

	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/llamabenchy"
	"example.org/arena/results/ingest/vllmbench"
	"example.org/arena/results/tomlfile"
)

// ReadOutput reads what the n-th command of a test, from 0, left behind: one that
// measured all cells of a closed loop, or a rung of an open one. Figures of other
// cells, and none at all, are faults. The error is of type Faults.
func ReadOutput(t contract.Test, n int, out ingest.Output) (ingest.Reading, error) {
	switch t.Kind.(type) {
	case contract.Batches:
		return llamabenchy.ReadOutput(t, out)
	case contract.VLLMServe:
		if cells := t.Cells(); n >= 0 && n < len(cells) {
			return vllmbench.ReadOutput(t, cells[n], out)
		}
	case contract.Own:
	}
	return ingest.Reading{}, tomlfile.Faults{{File: out.Printed.Name, Message: fmt.Sprintf("no output of command %d of test %s (%s) can be read", n, t.Slug, t.Tool())}}
}
