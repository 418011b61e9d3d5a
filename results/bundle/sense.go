package bundle

import (
	"fmt"
	"slices"

	"example.org/arena/results/metric"
)

// most is the largest number that any measured quantity can have, in the unit of
// its metric, and the largest count. What is above it is a mistake in units or a
// counter that ran over.
const most = 1e12

// slack is the relative difference that two numbers may have and still count as
// equal: sources add up and print in their own ways.
const slack = 1e-6

// above reports whether a is larger than b by more than slack.
func above(a, b float64) bool {
	return a-b > slack*max(a, -a, b, -b)
}

// quantity reports a number below zero, or above what any quantity can have.
// The factor turns it into the unit in which the limit counts.
func (c *checker) quantity(key string, v *float64, factor float64) {
	switch {
	case v == nil:
	case !(*v >= 0):
		c.faultf(key, "%v is negative", *v)
	case *v*factor > most:
		c.faultf(key, "%v is more than any measurement gives", *v)
	}
}

// tally reports a count of tokens, requests or steps that is negative or above
// what any run can have.
func (c *checker) tally(key string, n int64) {
	c.count(key, n)
	if n > most {
		c.faultf(key, "%d is more than any run has", n)
	}
}

// A point is a number of a figure with the place that it has among its samples.
type point struct {
	key   string
	place float64 // percent of the samples below it
	value float64
}

// points lists the numbers of a figure that are those of single samples, or lie
// between two of them, in the order in which they may not decrease.
func (f *Figure) points() []point {
	var list []point
	add := func(key string, place float64, v *float64) {
		if v != nil {
			list = append(list, point{key, place, *v})
		}
	}
	add("/min", 0, f.Min)
	for i := range f.Percentiles {
		add(fmt.Sprintf("/percentiles/%d/value", i), f.Percentiles[i].P, &f.Percentiles[i].Value)
	}
	add("/median", 50, f.Median)
	add("/max", 100, f.Max)
	slices.SortStableFunc(list, func(a, b point) int {
		switch {
		case a.place < b.place:
			return -1
		case a.place > b.place:
			return 1
		}
		return 0
	})
	return list
}

// possible reports numbers of a figure that no measurement can give: negative or
// absurdly large ones, and those outside the range of the metric.
func (c *checker) possible(at string, f *Figure) {
	factor := 1.0
	if m, ok := metric.Lookup(f.Metric); ok {
		if s, ok := f.Scale(m.Unit); ok {
			factor = s
		}
	}
	check := func(key string, v *float64) { c.inRange(at+key, f.Metric, v, factor) }
	check("/value", f.Value)
	check("/mean", f.Mean)
	c.quantity(at+"/std", f.Std, factor)
	for _, p := range f.points() {
		check(p.key, &p.value)
	}
	for i := range f.Values {
		check(fmt.Sprintf("/values/%d", i), &f.Values[i])
	}
}

// inRange reports a number that its metric cannot have.
func (c *checker) inRange(key string, m metric.Key, v *float64, factor float64) {
	switch m {
	case metric.AcceptanceRate:
		c.ratio(key, v)
	case metric.AcceptanceLength:
		if v != nil && !(*v >= 1) {
			c.faultf(key, "%v is below 1: every step gives a token", *v)
			return
		}
		c.quantity(key, v, factor)
	default:
		c.quantity(key, v, factor)
	}
}

// ascending reports whether the places of the percentiles ascend; where they do
// not, that is the fault, and their values say nothing.
func ascending(list []Percentile) bool {
	for i := 1; i < len(list); i++ {
		if !(list[i].P > list[i-1].P) {
			return false
		}
	}
	return true
}

// ordered reports numbers of a figure that contradict each other: percentiles
// that decrease, and a mean outside the range of the samples.
func (c *checker) ordered(at string, f *Figure) {
	list := f.points()
	for i := 1; i < len(list) && ascending(f.Percentiles); i++ {
		if before := list[i-1]; above(before.value, list[i].value) {
			c.faultf(at+list[i].key, "%v is below %v, which stands before it in order", list[i].value, before.value)
		}
	}
	if f.Mean == nil {
		return
	}
	low, high := f.Min, f.Max
	if len(f.Values) > 0 {
		if low == nil {
			low = new(slices.Min(f.Values))
		}
		if high == nil {
			high = new(slices.Max(f.Values))
		}
	}
	switch {
	case low != nil && above(*low, *f.Mean):
		c.faultf(at+"/mean", "%v is below the smallest sample, %v", *f.Mean, *low)
	case high != nil && above(*f.Mean, *high):
		c.faultf(at+"/mean", "%v is above the largest sample, %v", *f.Mean, *high)
	}
}
