package numpy

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// streams holds what numpy, CPython and exact arithmetic say; testdata/streams.py
// makes the file.
type streams struct {
	Legacy []struct {
		Seed                         uint32
		Words                        []uint32
		Uniform, Exponential, Normal []float64
		Gamma                        []struct{ Shape, Scale, Value float64 }
	}
	Exact []struct {
		Draw        string
		Shape       float64
		Seed        uint32
		Short, Long string
	}
	Streams []struct {
		Seed   string
		Random []float64
		Bits   []struct {
			K     int
			Value string
		}
		Below    []struct{ N, Value string }
		Shuffled []int
		End      float64
	}
	Logs   []struct{ X, Value string }
	Powers []struct{ X, Y, Value string }
	Sums   []struct {
		N                      int
		Sum, Mean, Std, Median float64
	}
}

func readStreams(t *testing.T) streams {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "streams.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s streams
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Legacy) == 0 || len(s.Exact) == 0 || len(s.Streams) == 0 || len(s.Logs) == 0 || len(s.Powers) == 0 || len(s.Sums) == 0 {
		t.Fatal("streams are empty")
	}
	return s
}

func TestLegacyEqualsNumpy(t *testing.T) {
	t.Parallel()
	for _, v := range readStreams(t).Legacy {
		words := NewLegacy(v.Seed)
		for i, want := range v.Words {
			if got := words.twister.uint32(); got != want {
				t.Fatalf("seed %d: word %d: got %d, want %d", v.Seed, i, got, want)
			}
		}
		l := NewLegacy(v.Seed)
		for i := range 1300 {
			if got := l.Float64(); i%100 == 0 && got != v.Uniform[i/100] {
				t.Fatalf("seed %d: uniform %d: got %v, want %v", v.Seed, i, got, v.Uniform[i/100])
			}
		}
		for i, want := range v.Exponential {
			if got := l.StandardExponential(); got != want {
				t.Errorf("seed %d: exponential %d: got %v, want %v", v.Seed, i, got, want)
			}
		}
		for i, want := range v.Normal {
			if got := l.StandardNormal(); got != want {
				t.Errorf("seed %d: normal %d: got %v, want %v", v.Seed, i, got, want)
			}
		}
		for i, g := range v.Gamma {
			if got := l.Gamma(g.Shape, g.Scale); got != g.Value {
				t.Errorf("seed %d: gamma(%v, %v), value %d: got %v, want %v", v.Seed, g.Shape, g.Scale, i, got, g.Value)
			}
		}
	}
}

// TestStreamsAreExact compares long runs with correctly rounded arithmetic. A
// million values of every shape are compared where ARENA_EXHAUSTIVE is set, ten
// thousand elsewhere.
func TestStreamsAreExact(t *testing.T) {
	t.Parallel()
	n := 10_000
	if os.Getenv("ARENA_EXHAUSTIVE") != "" {
		n = 1_000_000
	}
	for _, e := range readStreams(t).Exact {
		t.Run(e.Draw+"-"+strconv.FormatFloat(e.Shape, 'g', -1, 64), func(t *testing.T) {
			t.Parallel()
			want := e.Short
			if n == 1_000_000 {
				want = e.Long
			}
			l := NewLegacy(e.Seed)
			hash := sha256.New()
			word := make([]byte, 8)
			for range n {
				x := 0.
				if e.Draw == "normal" {
					x = l.StandardNormal()
				} else {
					x = l.StandardGamma(e.Shape)
				}
				binary.LittleEndian.PutUint64(word, math.Float64bits(x))
				hash.Write(word)
			}
			if got := hex.EncodeToString(hash.Sum(nil)); got != want {
				t.Errorf("%d values have digest %s, want %s", n, got, want)
			}
		})
	}
}

func TestGammaOutOfRange(t *testing.T) {
	t.Parallel()
	l := NewLegacy(1)
	for _, c := range [][2]float64{{-1, 1}, {1, -1}, {math.NaN(), 1}, {1, math.NaN()}} {
		if got := l.Gamma(c[0], c[1]); !math.IsNaN(got) {
			t.Errorf("gamma(%v, %v): got %v, want NaN", c[0], c[1], got)
		}
	}
	if got, want := l.Float64(), NewLegacy(1).Float64(); got != want {
		t.Errorf("refusing moved the stream: got %v, want %v", got, want)
	}
}

func TestPythonEqualsCPython(t *testing.T) {
	t.Parallel()
	for _, v := range readStreams(t).Streams {
		p := NewPython(number(t, v.Seed))
		same := func(what string, got, want any) {
			t.Helper()
			if got != want {
				t.Fatalf("seed %s: %s: got %v, want %v", v.Seed, what, got, want)
			}
		}
		for _, want := range v.Random {
			same("random", p.twister.float64(), want)
		}
		for _, b := range v.Bits {
			same("bits "+strconv.Itoa(b.K), p.Bits(b.K), unsigned(t, b.Value))
		}
		for _, b := range v.Below {
			same("below "+b.N, p.Below(unsigned(t, b.N)), unsigned(t, b.Value))
		}
		shuffled := make([]int, len(v.Shuffled))
		for i := range shuffled {
			shuffled[i] = i
		}
		p.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if !slices.Equal(shuffled, v.Shuffled) {
			t.Fatalf("seed %s: shuffle: got %v, want %v", v.Seed, shuffled, v.Shuffled)
		}
		same("end", p.twister.float64(), v.End)
	}
}

func unsigned(t *testing.T, s string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPythonOfNothing: what CPython refuses is empty and draws nothing.
func TestPythonOfNothing(t *testing.T) {
	t.Parallel()
	p := NewPython(1)
	if p.Bits(0) != 0 || p.Bits(-3) != 0 || p.Below(0) != 0 {
		t.Error("no bits, and nothing below 0: got something")
	}
	p.Shuffle(1, func(i, j int) { t.Errorf("a shuffle of one swaps %d and %d", i, j) })
	if got, want := p.twister.float64(), NewPython(1).twister.float64(); got != want {
		t.Errorf("drawing nothing moved the stream: got %v, want %v", got, want)
	}
}

func TestMomentsEqualNumpy(t *testing.T) {
	t.Parallel()
	for _, v := range readStreams(t).Sums {
		l := NewLegacy(uint32(v.N))
		data := make([]float64, v.N)
		for i := range data {
			data[i] = float64(l.Float64()*300) - 100
		}
		sorted := slices.Sorted(slices.Values(data))
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"sum", Sum(data), v.Sum},
			{"mean", Mean(data), v.Mean},
			{"std", Std(data), v.Std},
			{"median", Median(sorted), v.Median},
		} {
			if c.got != c.want {
				t.Errorf("%s of %d values: got %v, want %v", c.name, v.N, c.got, c.want)
			}
		}
	}
	for name, got := range map[string]float64{"mean": Mean(nil), "std": Std(nil), "median": Median(nil)} {
		if !math.IsNaN(got) {
			t.Errorf("%s of nothing: got %v, want NaN", name, got)
		}
	}
}

// TestStreamsFileIsCanonical: the script writes one line, without what a reader
// of this package would not understand.
func TestStreamsFileIsCanonical(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("testdata", "streams.json"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(data, []byte("\n")) != 1 {
		t.Error("streams.json is not one line, as its script writes it")
	}
}

func BenchmarkGamma(b *testing.B) {
	for _, shape := range []float64{0.7, 1, 2.5} {
		b.Run(strconv.FormatFloat(shape, 'g', -1, 64), func(b *testing.B) {
			l := NewLegacy(1)
			for b.Loop() {
				l.StandardGamma(shape)
			}
		})
	}
}
