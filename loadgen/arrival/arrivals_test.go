package arrival

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/arena/results/numpy"
)

// schedules holds moments computed with numpy; testdata/schedules.py makes the
// file.
type schedules struct {
	Schedules []struct {
		Seed             uint32
		Rate, Burstiness string
		N                int
		Ramp             RampShape
		Start, End       float64
		Seconds          []float64
	}
	Selections []struct {
		Seed    int64
		N       int
		Lengths [][2]int
		Asked   int
		Chosen  []int
	}
}

func readSchedules(t *testing.T) schedules {
	t.Helper()
	var s schedules
	readJSON(t, filepath.Join("testdata", "schedules.json"), &s)
	if len(s.Schedules) == 0 || len(s.Selections) == 0 {
		t.Fatal("schedules are empty")
	}
	return s
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestSecondsEqualNumpy(t *testing.T) {
	t.Parallel()
	for _, v := range readSchedules(t).Schedules {
		a := Arrivals{Seed: v.Seed, Rate: number(t, v.Rate), Burstiness: number(t, v.Burstiness), Requests: v.N}
		if v.Ramp != "" {
			a.Ramp = &Ramp{v.Ramp, v.Start, v.End}
		}
		got, err := a.Seconds()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, v.Seconds) {
			t.Errorf("%+v %+v:\ngot  %v\nwant %v", a, a.Ramp, got, v.Seconds)
		}
	}
}

// corpus is what the reference values hold that concern schedules.
type corpus struct {
	Arrivals []struct {
		Seed             uint32
		RequestRate      float64 `json:"request_rate"`
		Burstiness       float64
		N                int
		CumulativeDelayS []float64 `json:"cumulative_delay_s"`
	}
	Shuffle []struct {
		Seed     int64
		N        int
		Shuffled []int `json:"shuffled_range"`
	} `json:"python_random_shuffle"`
}

func TestReferenceSchedules(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("ARENA_CORPUS")
	if dir == "" {
		t.Skip("SKIPPED: ARENA_CORPUS is not set, so the reference schedules are not compared")
	}
	var c corpus
	readJSON(t, filepath.Join(dir, "vectors", "vllm-bench-serve.json"), &c)
	if len(c.Arrivals) == 0 || len(c.Shuffle) == 0 {
		t.Fatal("the reference file holds no schedules")
	}
	values := 0
	for _, v := range c.Arrivals {
		a := Arrivals{Seed: v.Seed, Rate: v.RequestRate, Burstiness: v.Burstiness, Requests: v.N}
		got, err := a.Seconds()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range v.CumulativeDelayS {
			values++
			if got[i] != want {
				t.Errorf("%+v: request %d: got %v, want %v", a, i, got[i], want)
			}
		}
	}
	for _, v := range c.Shuffle {
		if got := shuffled(v.Seed, v.N); !slices.Equal(got, v.Shuffled) {
			t.Errorf("seed %d: shuffle of %d: got %v, want %v", v.Seed, v.N, got, v.Shuffled)
		}
	}
	t.Logf("%d moments of %d schedules and %d shuffles are equal to the bit", values, len(c.Arrivals), len(c.Shuffle))
}

// TestArrivalsOfTheContract pins facts about the arrivals of test 7 of contract
// v2 that do not depend on this code: known moments, the end at n/rate, and the
// realised burstiness.
func TestArrivalsOfTheContract(t *testing.T) {
	t.Parallel()
	s, err := Arrivals{Seed: 42, Rate: 0.3, Burstiness: 0.7, Requests: 200}.Schedule(0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]time.Duration{0: 1150553246, 1: 5572008999, 199: 666666666667} {
		if s.At[i] != want {
			t.Errorf("request %d: got %d ns, want %d", i, s.At[i], want)
		}
	}
	gaps := make([]float64, len(s.At))
	before := time.Duration(0)
	for i, at := range s.At {
		gaps[i], before = (at - before).Seconds(), at
	}
	if got := strconv.FormatFloat(numpy.Std(gaps)/numpy.Mean(gaps), 'f', 3, 64); got != "1.143" {
		t.Errorf("realised coefficient of variation: got %s, want 1.143", got)
	}
	rate, longest := float64(len(gaps))/before.Seconds(), slices.Max(gaps)
	if math.Abs(rate-0.3) > 1e-12 || math.Round(longest) != 17 {
		t.Errorf("got %v requests per second and a longest gap of %v s, want 0.3 and 17", rate, longest)
	}
}

func TestImpossibleArrivals(t *testing.T) {
	t.Parallel()
	good := Arrivals{Rate: 1, Burstiness: 1, Requests: 2}
	cases := []struct {
		name string
		edit func(a *Arrivals)
		want string
	}{
		{"rate", func(a *Arrivals) { a.Rate = 0 }, "request rate 0"},
		{"rate not a number", func(a *Arrivals) { a.Rate = math.NaN() }, "request rate NaN"},
		{"burstiness", func(a *Arrivals) { a.Burstiness = -1 }, "burstiness -1"},
		{"requests", func(a *Arrivals) { a.Requests = -1 }, "-1 requests"},
		{"ramp from 0", func(a *Arrivals) { a.Ramp = &Ramp{Linear, 0, 3} }, "start rate 0"},
		{"ramp to infinity", func(a *Arrivals) { a.Ramp = &Ramp{Linear, 1, math.Inf(1)} }, "end rate +Inf"},
		{"ramp of no shape", func(a *Arrivals) { a.Ramp = &Ramp{"", 1, 2} }, `unknown ramp ""`},
		{"too slow", func(a *Arrivals) { a.Rate = 1e-300 }, "comes after"},
		{"all of it", func(a *Arrivals) { *a = Arrivals{Requests: -1} }, "burstiness 0 is not above 0\n-1 requests\nrequest rate 0"},
	}
	for _, c := range cases {
		a := good
		c.edit(&a)
		if _, err := a.Schedule(0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := good.Seconds(); err != nil {
		t.Error(err)
	}
}

func TestConstant(t *testing.T) {
	t.Parallel()
	s, err := Arrivals{Rate: 4, Burstiness: math.Inf(1), Requests: 3}.Seconds()
	if want := []float64{0.25, 0.5, 0.75}; err != nil || !slices.Equal(s, want) {
		t.Errorf("got %v, %v, want %v", s, err, want)
	}
}

func TestSelectShareGPT(t *testing.T) {
	t.Parallel()
	for _, v := range readSchedules(t).Selections {
		asked := 0
		got, err := SelectShareGPT(v.Seed, len(v.Lengths), v.N, func(c int) (Turn, error) {
			asked++
			return Turn{v.Lengths[c][0], v.Lengths[c][1]}, nil
		})
		if err != nil || !slices.Equal(got, v.Chosen) || asked != v.Asked {
			t.Errorf("seed %d, %d of %d: got %v after %d, %v, want %v after %d", v.Seed, v.N, len(v.Lengths), got, asked, err, v.Chosen, v.Asked)
		}
	}
	broken := errors.New("no tokenizer")
	if _, err := SelectShareGPT(1, 3, 2, func(int) (Turn, error) { return Turn{}, broken }); !errors.Is(err, broken) {
		t.Errorf("got error %v, want %v", err, broken)
	}
	if got, err := SelectShareGPT(1, -1, 2, nil); got != nil || err != nil {
		t.Errorf("no conversations: got %v, %v", got, err)
	}
}

// FuzzArrivals: whatever is accepted is complete, ascending and, without a ramp,
// ends at n/rate.
func FuzzArrivals(f *testing.F) {
	f.Add(uint32(42), 0.3, 0.7, uint8(200), "", 0.0, 0.0)
	f.Add(uint32(0), 5.0, 1.0, uint8(3), "linear", 1.0, 9.0)
	f.Add(uint32(1), math.Inf(1), 0.01, uint8(9), "exponential", 3.0, 0.1)
	f.Add(uint32(1), 1e-8, 1e300, uint8(9), "", 0.0, 0.0)
	f.Fuzz(func(t *testing.T, seed uint32, rate, shape float64, n uint8, ramp string, start, end float64) {
		a := Arrivals{Seed: seed, Rate: rate, Burstiness: shape, Requests: int(n)}
		if ramp != "" {
			a.Ramp = &Ramp{RampShape(ramp), start, end}
		}
		s, err := a.Schedule(0)
		if err != nil {
			t.Skip()
		}
		if len(s.At) != int(n) || s.Requests != int(n) || !slices.IsSorted(s.At) || n > 0 && s.At[0] < 0 {
			t.Fatalf("%+v: %v", a, s.At)
		}
		if n > 0 && a.Ramp == nil && s.At[n-1] > 0 && !math.IsInf(rate, 1) {
			if want := float64(n) / rate; math.Abs(s.At[n-1].Seconds()-want) > 1e-9+1e-12*want {
				t.Fatalf("%+v: the last request goes out after %v, want %v s", a, s.At[n-1], want)
			}
		}
	})
}
