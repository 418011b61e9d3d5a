package compat

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// populationStd is the kind of deviation that both tools report: numpy's std.
const populationStd = "population"

// figure returns a figure without a number, in the unit of its metric. Name is what
// the tool's result file calls it.
func figure(name string, key metric.Key) bundle.Figure {
	m, _ := metric.Lookup(key)
	return bundle.Figure{Metric: key, Name: name, Unit: m.Unit}
}
