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

// Concerning returns the findings about one quantity of one cell, in order.
func Concerning(findings []Finding, test string, cell int, key metric.Key) []Finding {
	var out []Finding
	for _, f := range findings {
		if f.Concerns(test, cell, key) {
			out = append(out, f)
		}
	}
	return out
}

// Excluding returns the findings that keep one quantity of one cell out of
// every ranking: those of severity Error. None means that the value may rank.
func Excluding(findings []Finding, test string, cell int, key metric.Key) []Finding {
	return slices.DeleteFunc(Concerning(findings, test, cell, key), func(f Finding) bool {
		return f.Severity != Error
	})
}
