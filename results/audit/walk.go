package audit

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
	"example.org/arena/results/stat"
)

// PointOf returns the identity of a cell.
func PointOf(c *bundle.Cell) Point {
	p := Point{
		PromptTokens: c.PromptTokens,
		OutputTokens: c.OutputTokens,
		DepthTokens:  c.DepthTokens,
		Concurrency:  c.Concurrency,
		Phase:        c.Phase,
	}
	if c.RequestRate != nil {
		p.RequestRate = float64(*c.RequestRate)
	}
	return p
}

// String returns the point in one line, the same in every language:
// "pp1024 tg1024 c10", "rate 0.3".
func (p Point) String() string {
	var words []string
	if p.Phase != "" {
		words = append(words, p.Phase)
	}
	for _, part := range []struct {
		name  string
		value int
	}{{"pp", p.PromptTokens}, {"tg", p.OutputTokens}, {"d", p.DepthTokens}, {"c", p.Concurrency}} {
		if part.value != 0 {
			words = append(words, part.name+strconv.Itoa(part.value))
		}
	}
	if p.RequestRate != 0 {
		words = append(words, "rate "+strconv.FormatFloat(p.RequestRate, 'g', -1, 64))
	}
	return strings.Join(words, " ")
}

// OverRuns reports whether the samples behind a statistic of the cell are
// repetitions of the cell. Otherwise they are requests of one load, which
// differ by design: by length, by their place in the queue.
func OverRuns(c *bundle.Cell, key metric.Key) bool {
	if c.RequestRate != nil {
		return false
	}
	if f := c.Figure(key); f != nil && f.N > 0 && c.Runs > 0 {
		return f.N == c.Runs || c.Records != nil && (stat.PerRepetition(key) || alone(c, f))
	}
	return c.Concurrency <= 1 || slices.Contains(ofBatch, key)
}

// ofBatch are the quantities that a batch has as a whole.
var ofBatch = []metric.Key{metric.Prefill, metric.Decode, metric.Peak, metric.Output, metric.Total}

// alone reports whether the samples of a figure are requests that were sent one at
// a time and are all alike: each is a repetition of the others. The turns of a
// conversation are not alike.
func alone(c *bundle.Cell, f *bundle.Figure) bool {
	completed, _, ok := c.Requests.Ended(0)
	return ok && c.Concurrency == 1 && len(c.Records.Turn) == 0 && f.N == completed
}

// eachTest calls check for every test of the bundle.
func eachTest(in Input, check func(*bundle.Test) []Finding) []Finding {
	var out []Finding
	for i := range in.Bundle.Tests {
		out = append(out, check(&in.Bundle.Tests[i])...)
	}
	return out
}

// eachCell calls check for every cell and fills in where its findings stand.
func eachCell(in Input, check func(*bundle.Test, *bundle.Cell) []Finding) []Finding {
	return eachTest(in, func(t *bundle.Test) []Finding {
		var out []Finding
		for i := range t.Cells {
			c := &t.Cells[i]
			for _, f := range check(t, c) {
				f.Test, f.Cell, f.At = t.Slug, i, PointOf(c)
				out = append(out, f)
			}
		}
		return out
	})
}

// one returns the finding as a list.
func one(f Finding) []Finding { return []Finding{f} }

// spec returns the contract's test, and whether there is a contract that has it.
func (in Input) spec(slug string) (contract.Test, bool) {
	if in.Contract == nil {
		return contract.Test{}, false
	}
	return in.Contract.Test(slug)
}

// open reports whether the arrivals of the cell did not wait for answers.
func open(c *bundle.Cell) bool { return c.RequestRate != nil }

// allFailed reports whether the source says that not one request completed.
func allFailed(c *bundle.Cell) bool {
	completed, _, ok := c.Requests.Ended(0)
	return ok && completed == 0
}

// mean returns the central value of a figure in the unit of its metric: its mean,
// else its single value.
func mean(c *bundle.Cell, key metric.Key) (float64, bool) {
	f := c.Figure(key)
	if f == nil {
		return 0, false
	}
	v := f.Mean
	if v == nil {
		v = f.Value
	}
	m, known := metric.Lookup(key)
	scale, ok := f.Scale(m.Unit)
	if v == nil || !known || !ok || !finite(*v) {
		return 0, false
	}
	return float64(*v * scale), true
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// num returns a number as an argument.
func num(name string, v float64, unit metric.Unit) Arg {
	return Arg{Name: name, Number: v, Unit: unit}
}

// text returns a name as an argument.
func text(name, v string) Arg { return Arg{Name: name, Text: v} }
