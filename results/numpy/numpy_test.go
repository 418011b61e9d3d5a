package numpy

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// vectors holds numpy's own answers; testdata/vectors.py makes the file.
type vectors struct {
	Generator []struct {
		Seed  string
		Draws []struct {
			Low, High string
			Values    []string
		}
	}
	Percentile []struct {
		Data        []float64
		Percentiles []struct{ P, Value float64 }
	}
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Generator) == 0 || len(v.Percentile) == 0 {
		t.Fatal("vectors are empty")
	}
	return v
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestIntegersEqualNumpy(t *testing.T) {
	t.Parallel()
	for _, g := range readVectors(t).Generator {
		rng := NewGenerator(uint64(number(t, g.Seed)))
		for _, d := range g.Draws {
			got := rng.Integers(number(t, d.Low), number(t, d.High), len(d.Values))
			if len(got) != len(d.Values) {
				t.Fatalf("seed %s: drew %d of %d values from [%s,%s)", g.Seed, len(got), len(d.Values), d.Low, d.High)
			}
			for i, want := range d.Values {
				if got[i] != number(t, want) {
					t.Fatalf("seed %s: value %d from [%s,%s): got %d, want %s", g.Seed, i, d.Low, d.High, got[i], want)
				}
			}
		}
	}
}

func TestPercentileEqualsNumpy(t *testing.T) {
	t.Parallel()
	for _, c := range readVectors(t).Percentile {
		for _, p := range c.Percentiles {
			if got := Percentile(c.Data, p.P); got != p.Value {
				t.Errorf("percentile %v of %d values: got %v, want %v", p.P, len(c.Data), got, p.Value)
			}
		}
	}
}

func TestIntegersOfNothing(t *testing.T) {
	t.Parallel()
	g := NewGenerator(1)
	for _, c := range []struct {
		low, high int64
		n         int
	}{{0, 0, 3}, {5, 4, 3}, {math.MaxInt64, math.MinInt64, 1}, {0, 10, 0}, {0, 10, -1}} {
		if got := g.Integers(c.low, c.high, c.n); got != nil {
			t.Errorf("%d integers from [%d,%d): got %v, want none", c.n, c.low, c.high, got)
		}
	}
	if got, want := g.Uint64(), NewGenerator(1).Uint64(); got != want {
		t.Errorf("drawing nothing moved the stream: got %d, want %d", got, want)
	}
}

func TestPercentileOutOfRange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data []float64
		p    float64
	}{{nil, 50}, {[]float64{1}, -0.1}, {[]float64{1}, 100.1}, {[]float64{1}, math.NaN()}} {
		if got := Percentile(c.data, c.p); !math.IsNaN(got) {
			t.Errorf("percentile %v of %v: got %v, want NaN", c.p, c.data, got)
		}
	}
}

func FuzzPercentile(f *testing.F) {
	f.Add(1.5, 2.5, 50.0)
	f.Add(-1e300, 1e300, 99.9)
	f.Fuzz(func(t *testing.T, a, b, p float64) {
		if !(a <= b) || math.IsInf(b-a, 0) || !(p >= 0 && p <= 100) {
			t.Skip()
		}
		got := Percentile([]float64{a, b}, p)
		if got < a || got > b {
			t.Errorf("percentile %v of %v and %v: got %v, outside", p, a, b, got)
		}
	})
}

func BenchmarkIntegers(b *testing.B) {
	for b.Loop() {
		NewGenerator(42).Integers(49, 951, 300)
	}
}
