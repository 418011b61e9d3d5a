package bundle

import (
	"fmt"

	"example.org/arena/results/metric"
)

// figure checks one reported quantity: that it is one of ours, in its unit or one
// that converts to it (sources state seconds where we show milliseconds, and are
// kept as they are), and says something.
func (c *checker) figure(at string, f *Figure) {
	if m, ok := metric.Lookup(f.Metric); !ok {
		c.faultf(at+"/metric", "%q is not a known metric", f.Metric)
	} else if _, ok := f.Scale(m.Unit); !ok {
		c.faultf(at+"/unit", "%q is not the unit of %s, which is %q", f.Unit, f.Metric, m.Unit)
	}
	c.required(at+"/name", f.Name, "a figure carries its source's own name")
	if f.Value == nil && f.Mean == nil && f.Std == nil && f.Min == nil && f.Median == nil && f.Max == nil &&
		len(f.Percentiles) == 0 && len(f.Values) == 0 {
		c.missing(at+"/value", "a figure without any number; leave the figure out")
	}
	c.count(at+"/n", int64(f.N))
	if len(f.Values) > 0 && f.N != 0 && f.N != len(f.Values) {
		c.faultf(at+"/n", "n is %d, but there are %d values", f.N, len(f.Values))
	}
	c.possible(at, f)
	c.ordered(at, f)
	switch {
	case f.Std != nil && f.StdKind == "":
		c.missing(at+"/std_kind", `a standard deviation is "population" or "sample"`)
	case f.Std == nil && f.StdKind != "":
		c.missing(at+"/std", "its kind is given, but not the standard deviation")
	case f.StdKind != "" && f.StdKind != "population" && f.StdKind != "sample":
		c.faultf(at+"/std_kind", `%q is neither "population" nor "sample"`, f.StdKind)
	}
	c.percentiles(at+"/percentiles", f.Percentiles)
}

func (c *checker) percentiles(at string, list []Percentile) {
	for i, p := range list {
		key := fmt.Sprintf("%s/%d/p", at, i)
		if !(0 < p.P && p.P < 100) {
			c.faultf(key, "%v is not in (0,100)", p.P)
		}
		if i > 0 && !(p.P > list[i-1].P) {
			c.faultf(key, "%v is not above the percentile before it", p.P)
		}
	}
}

// telemetry reports columns of different lengths, columns without a sample,
// samples that nothing can have, and times that run backwards.
func (c *checker) telemetry(at string, t *Telemetry) {
	if t == nil {
		return
	}
	if len(t.OffsetS) == 0 {
		c.missing(at+"/offset_s", "telemetry without a sample; leave it out")
	}
	for i := 1; i < len(t.OffsetS); i++ {
		if !(t.OffsetS[i] >= t.OffsetS[i-1]) {
			c.faultf(fmt.Sprintf("%s/offset_s/%d", at, i), "%v is before the sample before it", t.OffsetS[i])
			break
		}
	}
	for i, s := range t.OffsetS {
		if !(-most <= s && s <= most) {
			c.faultf(fmt.Sprintf("%s/offset_s/%d", at, i), "%v is further off than any run lasts", s)
			break
		}
	}
	c.column(at+"/power_w", t.PowerW, len(t.OffsetS), 0, most)
	c.column(at+"/temperature_c", t.TemperatureC, len(t.OffsetS), coldest, most)
	c.column(at+"/clock_mhz", t.ClockMHz, len(t.OffsetS), 0, most)
	c.column(at+"/utilisation_percent", t.UtilisationPct, len(t.OffsetS), 0, 100)
	c.column(at+"/memory_used_mb", t.MemoryUsedMB, len(t.OffsetS), 0, most)
}

// coldest is the absolute zero, in °C.
const coldest = -273.15

// column reports a column of the wrong length or without a sample, and its first
// sample that is not in [low,high].
func (c *checker) column(at string, column []*float64, n int, low, high float64) {
	if len(column) == 0 {
		return
	}
	if len(column) != n {
		c.faultf(at, "has %d samples where offset_s has %d", len(column), n)
	}
	some := false
	for i, v := range column {
		if v == nil {
			continue
		}
		some = true
		if !(low <= *v && *v <= high) {
			c.faultf(fmt.Sprintf("%s/%d", at, i), "%v is not in [%v,%v]", *v, low, high)
			break
		}
	}
	if !some {
		c.faultf(at, "a column without a sample; leave it out")
	}
}
