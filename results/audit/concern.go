package audit

import (
	"slices"

	"example.org/arena/results/metric"
)

// Concerns reports whether the finding is about the quantity key of a cell. A
// finding about the bundle concerns every test, one about a whole test every
// cell of it.
func (f Finding) Concerns(test string, cell int, key metric.Key) bool {
	if f.Test != "" && f.Test != test {
		return false
	}
	if f.Cell != WholeTest && f.Cell != cell {
		return false
	}
	return len(f.Metrics) == 0 || slices.Contains(f.Metrics, key)
}
