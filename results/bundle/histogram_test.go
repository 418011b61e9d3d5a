package bundle

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestBucketRanges(t *testing.T) {
	t.Parallel()
	cases := []struct {
		value    int64
		bucket   int
		from, to int64
	}{
		{-5, 0, 0, 1},
		{0, 0, 0, 1},
		{63, 63, 63, 64},
		{64, 64, 64, 65},
		{127, 127, 127, 128},
		{128, 128, 128, 130},
		{129, 128, 128, 130},
		{130, 129, 130, 132},
		{255, 191, 254, 256},
		{256, 192, 256, 260},
		{50_000, 673, 49_664, 50_176},
	}
	for _, c := range cases {
		if got := Bucket(c.value); got != c.bucket {
			t.Errorf("Bucket(%d) = %d, want %d", c.value, got, c.bucket)
		}
		if from, to := BucketRange(c.bucket); from != c.from || to != c.to {
			t.Errorf("BucketRange(%d) = %d, %d, want %d, %d", c.bucket, from, to, c.from, c.to)
		}
	}
}

// Buckets follow each other without a gap, hold what they say, and from 64 on are
// at most 1/64 as wide as their lowest value.
func TestBucketProperties(t *testing.T) {
	t.Parallel()
	before := int64(0)
	for b := range Bucket(1 << 50) {
		from, to := BucketRange(b)
		if from != before || to <= from {
			t.Fatalf("bucket %d is [%d,%d), after one that ends at %d", b, from, to, before)
		}
		if Bucket(from) != b || Bucket(to-1) != b || Bucket(to) != b+1 {
			t.Fatalf("bucket %d does not hold [%d,%d)", b, from, to)
		}
		if from >= subBuckets && float64(to-from) > float64(from)/subBuckets {
			t.Fatalf("bucket %d is %d wide at %d", b, to-from, from)
		}
		before = to
	}
	if from, to := BucketRange(Bucket(math.MaxInt64)); from > math.MaxInt64-1 || to-from <= 0 && to >= 0 {
		t.Errorf("the last bucket is [%d,%d)", from, to)
	}
}

func TestHistogramOf(t *testing.T) {
	t.Parallel()
	got := HistogramOf([]int64{129, 3, 128, 3, 3})
	want := &Histogram{Count: 5, Sum: 266, Bucket: []int{3, 128}, Values: []int64{3, 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	empty := HistogramOf(nil)
	if empty.Count != 0 || empty.Bucket == nil || empty.Values == nil {
		t.Errorf("of nothing: %+v", empty)
	}
	c := &checker{}
	c.histogram("/x", empty)
	c.histogram("/x", got)
	c.histogram("/x", nil)
	if len(c.faults) > 0 {
		t.Errorf("invalid: %v", c.faults)
	}
}

func TestHistogramPercentile(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		h      *Histogram
		p      float64
		want   float64
		wanted bool
	}{
		{"a value itself", HistogramOf([]int64{1, 2, 3, 4}), 50, 2, true},
		{"the last value", HistogramOf([]int64{1, 2, 3, 4}), 99, 4, true},
		{"half a bucket", HistogramOf([]int64{128, 128}), 50, 129, true},
		{"the second bucket", HistogramOf([]int64{1, 256, 256, 256}), 62.5, 258, true},
		{"one value", HistogramOf([]int64{7}), 0.1, 7, true},
		{"no value", HistogramOf(nil), 50, 0, false},
		{"no histogram", nil, 50, 0, false},
		{"zero percent", HistogramOf([]int64{1}), 0, 0, false},
		{"all percent", HistogramOf([]int64{1}), 100, 0, false},
		{"not a number", HistogramOf([]int64{1}), math.NaN(), 0, false},
	}
	for _, c := range cases {
		if got, ok := c.h.Percentile(c.p); got != c.want || ok != c.wanted {
			t.Errorf("%s: p%v = %v, %v, want %v, %v", c.name, c.p, got, ok, c.want, c.wanted)
		}
	}
}

// A percentile lies in the bucket of the value that has that rank, percentiles
// ascend, and the order of the values does not matter.
func TestHistogramProperties(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		values := make([]int64, 1+rng.IntN(60))
		for i := range values {
			values[i] = rng.Int64N(1 << rng.IntN(40))
		}
		h := HistogramOf(values)
		slices.Reverse(values)
		if !reflect.DeepEqual(HistogramOf(values), h) {
			t.Fatalf("the order of %v matters", values)
		}
		slices.Sort(values)
		last := 0.0
		for _, p := range []float64{1, 10, 50, 90, 95, 99} {
			got, ok := h.Percentile(p)
			rank := int(math.Ceil(p / 100 * float64(len(values))))
			from, to := BucketRange(Bucket(values[rank-1]))
			if !ok || got < last || got < float64(from) || got > float64(to) {
				t.Fatalf("p%v of %v = %v, %v, want it in [%d,%d] and not below %v", p, values, got, ok, from, to, last)
			}
			last = got
		}
	}
}
