package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

// text prints the numbers of a summary to six digits.
func text(s Summary) string {
	num := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.6g", *v)
	}
	out := fmt.Sprintf("n=%d mean=%s std=%s min=%s median=%s max=%s", s.N, num(s.Mean), num(s.Std), num(s.Min), num(s.Median), num(s.Max))
	if s.Interval != nil {
		out += fmt.Sprintf(" [%.6g %.6g]", s.Interval.Low, s.Interval.High)
	}
	for _, w := range s.Warnings {
		out += fmt.Sprintf(" %s=%.4g", w.Code, w.Value)
	}
	return out
}

func TestSummarize(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	cases := []struct {
		samples []float64
		want    string
	}{
		{nil, "n=0 mean=- std=- min=- median=- max=-"},
		{[]float64{nan, inf, -inf}, "n=0 mean=- std=- min=- median=- max=- not_finite=3"},
		{[]float64{7}, "n=1 mean=7 std=- min=7 median=7 max=7 single_sample=1"},
		{[]float64{3, 1}, "n=2 mean=2 std=1.41421 min=1 median=2 max=3 [-10.7062 14.7062] high_variation=0.7071"},
		// Three runs, as in a closed-loop cell: t(2) = 4.302653.
		{[]float64{38.25, 37.75, 38.75}, "n=3 mean=38.25 std=0.5 min=37.75 median=38.25 max=38.75 [37.0079 39.4921]"},
		{[]float64{0, 0, 0, 10}, "n=4 mean=2.5 std=5 min=0 median=0 max=10 [-5.45612 10.4561] stddev_exceeds_mean=2"},
		{[]float64{0, 0}, "n=2 mean=0 std=0 min=0 median=0 max=0 [0 0]"},
		{[]float64{1, nan, 1}, "n=2 mean=1 std=0 min=1 median=1 max=1 [1 1] not_finite=1"},
		{[]float64{0.1, 0.1, 0.1}, "n=3 mean=0.1 std=0 min=0.1 median=0.1 max=0.1 [0.1 0.1]"},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, "n=2 mean=0 std=- min=-1.79769e+308 median=0 max=1.79769e+308 overflow=0"},
	}
	for _, c := range cases {
		before := slices.Clone(c.samples)
		if got := text(Summarize(c.samples)); got != c.want {
			t.Errorf("Summarize(%v)\n got %s\nwant %s", c.samples, got, c.want)
		}
		if fmt.Sprint(before) != fmt.Sprint(c.samples) {
			t.Errorf("Summarize changed its samples: %v", c.samples)
		}
	}
}

// The percentiles are numpy's default. Values from numpy.percentile.
func TestPercentile(t *testing.T) {
	t.Parallel()
	ten := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	cases := []struct {
		samples []float64
		p       float64
		want    string
	}{
		{ten, 99, "9.91"},
		{ten, 95, "9.55"},
		{ten, 50, "5.5"},
		{ten, 1, "1.09"},
		{[]float64{1, 2, 3, 4}, 25, "1.75"},
		{[]float64{1, 2, 3, 4}, 99, "3.97"},
		{[]float64{1, 1000}, 99, "990.01"},
		{[]float64{5}, 99.9, "5"},
		{ten, 0, "none"},
		{ten, 100, "none"},
		{ten, -1, "none"},
		{ten, math.NaN(), "none"},
		{nil, 50, "none"},
	}
	for _, c := range cases {
		got := "none"
		if v, ok := Summarize(c.samples).Percentile(c.p); ok {
			got = fmt.Sprintf("%.10g", v)
		}
		if got != c.want {
			t.Errorf("p%v of %v = %s, want %s", c.p, c.samples, got, c.want)
		}
	}
	if PercentileMethod != "linear" {
		t.Error("the method of the percentiles has another name")
	}
}

// Table values: Abramowitz and Stegun, table 26.10.
func TestStudentT(t *testing.T) {
	t.Parallel()
	cases := []struct {
		df   int
		want string
	}{
		{1, "12.706"},
		{2, "4.303"},
		{3, "3.182"},
		{4, "2.776"},
		{5, "2.571"},
		{9, "2.262"},
		{10, "2.228"},
		{20, "2.086"},
		{29, "2.045"},
		{30, "2.042"},
		{60, "2.000"},
		{120, "1.980"},
		{1000, "1.962"},
		{1 << 40, "1.960"},
	}
	for _, c := range cases {
		if got := fmt.Sprintf("%.3f", studentT(c.df)); got != c.want {
			t.Errorf("t(%d) = %s, want %s", c.df, got, c.want)
		}
	}
	if d := studentT(200) - expandT(200); math.Abs(d) > 1e-9 {
		t.Errorf("the two formulas differ by %g at 200 degrees of freedom", d)
	}
}

func TestSampleStd(t *testing.T) {
	t.Parallel()
	cases := []struct {
		std  float64
		kind string
		n    int
		want string
	}{
		{0.4082483, Population, 3, "0.5"},
		{0.5, Sample, 3, "0.5"},
		{0, Population, 2, "0"},
		{0.5, Population, 1, "none"},
		{0.5, Sample, 1, "none"},
		{0.5, Sample, 0, "none"},
		{0.5, "", 3, "none"},
		{0.5, "robust", 3, "none"},
		{-1, Sample, 3, "none"},
		{math.NaN(), Sample, 3, "none"},
		{math.Inf(1), Sample, 3, "none"},
		{math.MaxFloat64, Population, 2, "none"},
	}
	for _, c := range cases {
		got := "none"
		if v, ok := SampleStd(c.std, c.kind, c.n); ok {
			got = fmt.Sprintf("%.6g", v)
		}
		if got != c.want {
			t.Errorf("SampleStd(%v, %q, %d) = %s, want %s", c.std, c.kind, c.n, got, c.want)
		}
	}
}

func TestFromFigure(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		f    bundle.Figure
		want string
	}{
		{
			"samples win",
			bundle.Figure{N: 3, Mean: new(38.0), Std: new(0.4), StdKind: Population, Values: []float64{37.75, 38.25, 38.75}},
			"n=3 mean=38.25 std=0.5 min=37.75 median=38.25 max=38.75 [37.0079 39.4921]",
		},
		{
			"population",
			bundle.Figure{N: 3, Mean: new(38.25), Std: new(0.40824829), StdKind: Population},
			"n=3 mean=38.25 std=0.5 min=- median=- max=- [37.0079 39.4921]",
		},
		{
			"unknown n",
			bundle.Figure{Mean: new(38.25), Std: new(0.4), StdKind: Population},
			"n=0 mean=38.25 std=- min=- median=- max=-",
		},
		{
			"no std",
			bundle.Figure{N: 29, Mean: new(8.0), Median: new(7.0), Min: new(6.0), Max: new(19.0)},
			"n=29 mean=8 std=- min=6 median=7 max=19",
		},
		{
			"one sample",
			bundle.Figure{N: 1, Mean: new(8.0), Std: new(0.0), StdKind: Population},
			"n=1 mean=8 std=- min=- median=- max=- single_sample=1",
		},
		{"value only", bundle.Figure{Value: new(45.5)}, "n=0 mean=- std=- min=- median=- max=-"},
		{"not finite", bundle.Figure{N: 3, Mean: new(math.NaN()), Max: new(math.Inf(1))}, "n=3 mean=- std=- min=- median=- max=-"},
	}
	for _, c := range cases {
		if got := text(FromFigure(c.f)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	s := FromFigure(bundle.Figure{N: 29, Median: new(7.0), Percentiles: []bundle.Percentile{{P: 95, Value: 15}, {P: 99, Value: math.NaN()}}})
	for _, c := range []struct {
		p    float64
		want float64
		ok   bool
	}{{95, 15, true}, {50, 7, true}, {99, 0, false}, {90, 0, false}} {
		if got, ok := s.Percentile(c.p); got != c.want || ok != c.ok {
			t.Errorf("reported p%v = %v, %v, want %v, %v", c.p, got, ok, c.want, c.ok)
		}
	}
}

// Whatever the samples, no number is NaN or infinite, and they are in order.
func TestSummarizeProperties(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		samples := make([]float64, 1+rng.IntN(12))
		scale := math.Pow(10, float64(rng.IntN(614)-307))
		for i := range samples {
			samples[i] = (rng.Float64() - 0.2) * scale
		}
		s := Summarize(samples)
		if out := text(s); strings.Contains(out, "NaN") || strings.Contains(out, "Inf") {
			t.Fatalf("Summarize(%v) = %s", samples, out)
		}
		if *s.Min > *s.Mean || *s.Mean > *s.Max || *s.Min > *s.Median || *s.Median > *s.Max {
			t.Fatalf("Summarize(%v) is out of order: %s", samples, text(s))
		}
		last := *s.Min
		for _, p := range []float64{1, 25, 50, 75, 90, 95, 99, 99.9} {
			v, ok := s.Percentile(p)
			if !ok || v < last || v > *s.Max {
				t.Fatalf("p%v of %v = %v, %v after %v", p, samples, v, ok, last)
			}
			last = v
		}
	}
}

// An interval of 95 % holds the mean of a normal distribution in about 95 of 100
// experiments of three samples.
func TestIntervalCovers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(42, 0))
	held := 0
	const experiments = 4000
	for range experiments {
		s := Summarize([]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
		if s.Interval.Low <= 0 && 0 <= s.Interval.High {
			held++
		}
	}
	// Four standard errors around 95 %; the seed is fixed.
	if share := float64(held) / experiments; share < 0.936 || share > 0.964 {
		t.Errorf("the interval held the mean in %.1f %% of the experiments", 100*share)
	}
}
