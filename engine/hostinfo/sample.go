package hostinfo

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
)

// A sample is what all GPUs of the machine did at a moment. What is not known is
// NaN.
type sample struct {
	at           time.Time
	power        float64 // W, of all
	temperature  float64 // °C, the highest
	clock        float64 // MHz, the lowest
	limit        float64 // MHz, the highest that the slowest can
	utilisation  float64 // percent, mean
	memory       float64 // MB, of all
	reasons      reasons // of any
	reasonsKnown bool    // the driver says the reasons
}

// reasons is a set of reasons for the clock to be what it is, as the driver numbers
// them.
type reasons uint64

const (
	clockSetting  reasons = 0x2
	powerCap      reasons = 0x4
	hardware      reasons = 0x8
	softwareHeat  reasons = 0x20
	hardwareHeat  reasons = 0x40
	hardwareBrake reasons = 0x80
)

// A cycle joins the lines of one moment, one for each GPU.
type cycle struct {
	fields []string
	rows   []map[string]string
	next   int // index of the GPU whose line should come next
	at     time.Time
}

// addLine adds a line. It returns a sample when the line was the last of its
// moment. A moment that lacks a GPU is dropped: its sums would be too small.
func (c *cycle) addLine(text string, arrived time.Time) (sample, bool) {
	rows := csvRows(text, len(c.fields))
	if len(rows) != 1 {
		return sample{}, false
	}
	row := map[string]string{}
	for i, name := range c.fields {
		row[name] = rows[0][i]
	}
	index, err := strconv.Atoi(row[fieldIndex])
	count := max(number(row[fieldCount]), 1)
	if err != nil || index != 0 && index != c.next || index < 0 || index >= count {
		c.next = 0
		return sample{}, false
	}
	if index == 0 {
		c.rows, c.at = nil, sampledAt(row[fieldTime], arrived)
	}
	c.rows, c.next = append(c.rows, row), index+1
	if c.next < count {
		return sample{}, false
	}
	c.next = 0
	return c.sample(), true
}

// Lines may wait in a buffer of nvidia-smi, so that the time in a line is better than
// that of its arrival, as long as it is not later and not impossibly early.
const (
	mostBuffered = 2 * time.Minute
	timeForm     = "2006/01/02 15:04:05.000"
)

// sampledAt returns when a line was written. Its time is UTC, since nvidia-smi is started
// with TZ=UTC; one that cannot be right gives way to the time of arrival.
func sampledAt(text string, arrived time.Time) time.Time {
	written, err := time.Parse(timeForm, text)
	if err != nil {
		return arrived
	}
	waited := arrived.Round(0).Sub(written)
	if waited < 0 || waited > mostBuffered {
		return arrived
	}
	return arrived.Add(-waited) // by the steady clock
}

// mebibyte is how many megabytes the program's unit of memory has.
const mebibyte = float64(1<<20) / 1e6

// sample makes one of the lines of all GPUs.
func (c *cycle) sample() sample {
	s := sample{
		at:           c.at,
		power:        sum(c.column(fieldPower, 1e6)),
		temperature:  most(c.column(fieldHeat, 1e3)),
		clock:        least(c.column(fieldClock, 1e5)),
		limit:        least(c.column(fieldLimit, 1e5)),
		utilisation:  mean(c.column(fieldUse, 100)),
		memory:       math.Round(sum(c.column(fieldMemory, 1e9)) * mebibyte),
		reasonsKnown: true,
	}
	for _, row := range c.rows {
		text := cmp.Or(row[fieldReasons], row[fieldBefore])
		bits, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
		if err != nil {
			s.reasonsKnown = false
		}
		s.reasons |= reasons(bits)
	}
	return s
}

// column returns the values of a field, NaN where there is none in [0,limit].
func (c *cycle) column(field string, limit float64) []float64 {
	values := make([]float64, len(c.rows))
	for i, row := range c.rows {
		v, err := strconv.ParseFloat(row[field], 64)
		if err != nil || !(0 <= v && v <= limit) {
			v = math.NaN()
		}
		values[i] = v
	}
	return values
}

// sum is NaN when one of the values is.
func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// known returns the values that are numbers.
func known(values []float64) []float64 {
	var out []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out
}

func most(values []float64) float64 {
	out := math.NaN()
	for _, v := range known(values) {
		if !(v <= out) {
			out = v
		}
	}
	return out
}

func least(values []float64) float64 {
	out := math.NaN()
	for _, v := range known(values) {
		if !(v >= out) {
			out = v
		}
	}
	return out
}

func mean(values []float64) float64 {
	values = known(values)
	if len(values) == 0 {
		return math.NaN()
	}
	return sum(values) / float64(len(values))
}
