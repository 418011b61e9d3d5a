package bundle

import "example.org/arena/results/metric"

// Test returns the test with the given slug, or nil when the bundle has none.
func (b *Bundle) Test(slug string) *Test {
	for i := range b.Tests {
		if b.Tests[i].Slug == slug {
			return &b.Tests[i]
		}
	}
	return nil
}

// Figure returns the first figure that the cell reports for a metric, or nil
// when it reports none.
func (c *Cell) Figure(key metric.Key) *Figure {
	for i := range c.Reported {
		if c.Reported[i].Metric == key {
			return &c.Reported[i]
		}
	}
	return nil
}

// Percentile returns the value below which p percent of the samples lie, and
// whether the source reports it. The median counts as the 50th percentile.
func (f *Figure) Percentile(p float64) (float64, bool) {
	for _, q := range f.Percentiles {
		if q.P == p {
			return q.Value, true
		}
	}
	if p == 50 && f.Median != nil {
		return *f.Median, true
	}
	return 0, false
}

// Scale returns the factor that turns the figure's numbers into the unit to,
// and whether there is one.
func (f *Figure) Scale(to metric.Unit) (float64, bool) {
	switch {
	case f.Unit == to:
		return 1, true
	case f.Unit == metric.Second && to == metric.Millisecond:
		return 1000, true
	case f.Unit == metric.Millisecond && to == metric.Second:
		return 0.001, true
	}
	return 0, false
}
