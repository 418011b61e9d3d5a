package runner

import (
	"math"
	"slices"
	"strconv"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// A Row sets one number of a tool beside the native runner's, computed in the
// tool's own terms. A number that one side does not have is missing, and with it
// the difference and the ratio.
type Row struct {
	Metric     metric.Key
	Name       string      // the tool's own name of the figure
	Statistic  string      // "value", "mean", "std", "min", "median", "max", or "p99"
	Unit       metric.Unit // of the numbers and the difference
	Tool       *float64
	Native     *float64
	Difference *float64 // native − tool
	Ratio      *float64 // native / tool; missing too when the tool's number is 0
}

// Compare lists every number of a cell's figures, matched by metric, name and
// statistic: those of the tool in its order, then those that only the native
// runner has. A tool names a figure differently in its table and in its result
// file, so that the only figures of a metric match whatever their names. Numbers
// are in the metric's unit where the figure's converts to it.
func Compare(tool, native []bundle.Figure) []Row {
	var rows []Row
	seen := map[rowKey]int{}
	for side, figures := range [][]bundle.Figure{tool, named(native, tool)} {
		for i := range figures {
			for _, n := range numbersOf(&figures[i]) {
				at, ok := seen[n.rowKey]
				if !ok {
					at = len(rows)
					seen[n.rowKey] = at
					rows = append(rows, Row{Metric: n.metric, Name: n.name, Statistic: n.statistic, Unit: n.unit})
				}
				if side == 0 {
					rows[at].Tool = &n.value
				} else {
					rows[at].Native = &n.value
				}
			}
		}
	}
	for i := range rows {
		rows[i].compare()
	}
	return rows
}

// named returns figures under the names that others have for the same metric, where
// both have one figure of it.
func named(figures, others []bundle.Figure) []bundle.Figure {
	of := func(list []bundle.Figure, key metric.Key) (only *bundle.Figure, n int) {
		for i := range list {
			if list[i].Metric == key {
				only, n = &list[i], n+1
			}
		}
		return only, n
	}
	out := slices.Clone(figures)
	for i := range out {
		_, mine := of(figures, out[i].Metric)
		if other, n := of(others, out[i].Metric); mine == 1 && n == 1 {
			out[i].Name = other.Name
		}
	}
	return out
}

// compare fills in what follows from both sides.
func (r *Row) compare() {
	if r.Tool == nil || r.Native == nil {
		return
	}
	r.Difference = finite(*r.Native - *r.Tool)
	if *r.Tool != 0 {
		r.Ratio = finite(*r.Native / *r.Tool)
	}
}

func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

type rowKey struct {
	metric    metric.Key
	name      string
	statistic string
	unit      metric.Unit // figures in units that do not convert are two
}

type namedNumber struct {
	rowKey
	value float64
}

// numbersOf lists the numbers of a figure. What is not finite is missing.
func numbersOf(f *bundle.Figure) []namedNumber {
	unit, scale := f.Unit, 1.0
	if m, ok := metric.Lookup(f.Metric); ok {
		if s, ok := f.Scale(m.Unit); ok {
			unit, scale = m.Unit, s
		}
	}
	var list []namedNumber
	add := func(statistic string, v *float64) {
		if v == nil || finite(*v*scale) == nil {
			return
		}
		list = append(list, namedNumber{rowKey{f.Metric, f.Name, statistic, unit}, *v * scale})
	}
	add("value", f.Value)
	add("mean", f.Mean)
	add("std", f.Std)
	add("min", f.Min)
	add("median", f.Median)
	for i := range f.Percentiles {
		add("p"+strconv.FormatFloat(f.Percentiles[i].P, 'g', -1, 64), &f.Percentiles[i].Value)
	}
	add("max", f.Max)
	return list
}
