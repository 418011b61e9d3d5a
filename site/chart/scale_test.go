package chart

import (
	"math"
	"slices"
	"testing"
)

func TestLinear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lo, hi   float64
		min, max *float64
		n        int
		ends     [2]float64
		ticks    []float64
	}{
		{lo: 3, hi: 97, n: 5, ends: [2]float64{0, 100}, ticks: []float64{0, 20, 40, 60, 80, 100}},
		{lo: 0.1, hi: 0.29, n: 5, ends: [2]float64{0, 0.3}, ticks: []float64{0, 0.1, 0.2, 0.3}},
		{lo: 0, hi: 0.00007, n: 4, ends: [2]float64{0, 0.00008}, ticks: []float64{0, 0.00002, 0.00004, 0.00006, 0.00008}},
		{lo: -12, hi: 30, n: 5, ends: [2]float64{-20, 30}, ticks: []float64{-20, -10, 0, 10, 20, 30}},
		{lo: 0, hi: 0, n: 5, ends: [2]float64{0, 1}, ticks: []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{lo: 55, hi: 84, min: new(50.0), max: new(90.0), n: 5, ends: [2]float64{50, 90}, ticks: []float64{50, 60, 70, 80, 90}},
		{lo: 1, hi: 123456, n: 5, ends: [2]float64{0, 150000}, ticks: []float64{0, 50000, 100000, 150000}},
	} {
		s := linear(bounds{lo: c.lo, hi: c.hi, some: true}, Axis{Min: c.min, Max: c.max}, c.n, true)
		if s.lo != c.ends[0] || s.hi != c.ends[1] || !slices.Equal(s.ticks, c.ticks) {
			t.Errorf("%v to %v: got %v to %v with %v, want %v with %v", c.lo, c.hi, s.lo, s.hi, s.ticks, c.ends, c.ticks)
		}
	}
}

func TestLogarithmic(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lo, hi float64
		ends   [2]float64
		ticks  []float64
	}{
		{60, 1900, [2]float64{50, 2000}, []float64{50, 100, 200, 500, 1000, 2000}},
		{1, 1, [2]float64{1, 10}, []float64{1, 2, 5, 10}},
		{0.02, 900, [2]float64{0.02, 1000}, []float64{0.1, 1, 10, 100, 1000}},
	} {
		s := logarithmic(bounds{lo: c.lo, hi: c.hi, some: true}, Axis{}, true)
		if s.lo != c.ends[0] || s.hi != c.ends[1] || !slices.Equal(s.ticks, c.ticks) {
			t.Errorf("%v to %v: got %v to %v with %v, want %v with %v", c.lo, c.hi, s.lo, s.hi, s.ticks, c.ends, c.ticks)
		}
	}
}

func TestPosition(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		span span
		at   float64
		want float64
	}{
		{span{scale: Linear, lo: 0, hi: 10, size: 200}, 2.5, 50},
		{span{scale: Log, lo: 1, hi: 100, size: 200}, 10, 100},
		{span{scale: Category, hi: 4, size: 200}, 0, 25},
	} {
		if got := c.span.at(c.at); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v at %v: got %v, want %v", c.span, c.at, got, c.want)
		}
	}
}

func TestXTicksAreTheMeasuredValues(t *testing.T) {
	t.Parallel()
	users := []float64{1, 2, 4, 8, 16, 32, 64}
	series := []Series{{}}
	for _, u := range users {
		series[0].Points = append(series[0].Points, Point{X: u, Y: new(1.0)})
	}
	a := Axis{Scale: Log, Format: short}
	if s := resolveX(a, users, series, 500, 6); !slices.Equal(s.ticks, users) {
		t.Errorf("with room: %v", s.ticks)
	}
	a.Scale = Linear
	if s := resolveX(a, users, series, 500, 6); !slices.Equal(s.ticks, []float64{0, 20, 40, 60}) {
		t.Errorf("crowded at the left: %v", s.ticks)
	}
	a.Ticks = []float64{8, 16, 128}
	if s := resolveX(a, users, series, 500, 6); !slices.Equal(s.ticks, []float64{8, 16}) {
		t.Errorf("chosen: %v", s.ticks)
	}
}

func TestSeparate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want []float64 }{
		{[]float64{10, 50, 90}, []float64{10, 50, 90}},
		{[]float64{50, 51}, []float64{43, 58}},
		{[]float64{1, 1, 1}, []float64{0, 15, 30}},
		{[]float64{99, 100}, []float64{85, 100}},
	} {
		var ends []end
		for _, y := range c.in {
			ends = append(ends, end{y: y, to: y})
		}
		separate(ends, 15, 100)
		for i, e := range ends {
			if e.to != c.want[i] {
				t.Errorf("%v: label %d at %v, want %v", c.in, i, e.to, c.want[i])
			}
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		room float64
		want string
	}{
		{"short", 100, "short"},
		{"two words", 50, "two\nwords"},
		{"Organisation/Model-30B-A3B", 130, "Organisation/\nModel-30B-A3B"},
		{"unbreakableunbreakable", 80, "unbreakabl…"},
	} {
		if got := wrap(c.in, c.room); got != c.want {
			t.Errorf("%q in %v: got %q, want %q", c.in, c.room, got, c.want)
		}
	}
}
