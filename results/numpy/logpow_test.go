package numpy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// relativeError returns |a-exact|/|exact|, as a power of two.
func relativeError(a double, power int, exact *big.Float) float64 {
	got := newBig().Add(newBig().SetFloat64(a.high), newBig().SetFloat64(a.low))
	got.SetMantExp(got, power)
	diff := newBig().Sub(got, exact)
	if diff.Sign() == 0 {
		return math.Inf(-1)
	}
	return math.Log2(math.Abs(toFloat(diff.Quo(diff, exact))))
}

func toFloat(x *big.Float) float64 { f, _ := x.Float64(); return f }

// TestFastWayIsAsExactAsItClaims: the bounds on the error hold with at least
// three bits to spare, so that a rounding found certain is right.
func TestFastWayIsAsExactAsItClaims(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	worstLog, worstPow := math.Inf(-1), math.Inf(-1)
	for range 1500 {
		x := math.Ldexp(1+r.Float64(), r.IntN(40)-20)
		switch r.IntN(4) {
		case 0:
			x = 1 + math.Ldexp(r.Float64()-0.5, -r.IntN(50))
		case 1:
			x = r.Float64()
		}
		if x == 1 || x == 0 {
			continue
		}
		exact := bigLog(x)
		worstLog = max(worstLog, relativeError(log(x), 0, exact))
		y := (r.Float64()*2 - 1) * 700 / math.Abs(toFloat(exact))
		value, power := exp(log(x).timesFloat(y))
		exact.Mul(exact, newBig().SetFloat64(y))
		worstPow = max(worstPow, relativeError(value, power, bigExp(exact)))
	}
	t.Logf("largest relative error: log 2^%.1f, pow 2^%.1f", worstLog, worstPow)
	if limit := math.Log2(logError) - 3; worstLog > limit {
		t.Errorf("log: relative error 2^%.1f, above 2^%v", worstLog, limit)
	}
	if limit := math.Log2(powError) - 3; worstPow > limit {
		t.Errorf("pow: relative error 2^%.1f, above 2^%v", worstPow, limit)
	}
}

func TestLogAndPowAreCorrectlyRounded(t *testing.T) {
	t.Parallel()
	s := readStreams(t)
	for _, v := range s.Logs {
		x, want := parse(t, v.X), parse(t, v.Value)
		if got := Log(x); got != want {
			t.Errorf("log %x: got %x, want %x", x, got, want)
		}
		if got := slowLog(x); x != 1 && got != want {
			t.Errorf("slow log %x: got %x, want %x", x, got, want)
		}
	}
	for _, v := range s.Powers {
		x, y, want := parse(t, v.X), parse(t, v.Y), parse(t, v.Value)
		if got := Pow(x, y); got != want {
			t.Errorf("pow(%x, %v): got %x, want %x", x, y, got, want)
		}
		if got := slowPow(x, y); got != want {
			t.Errorf("slow pow(%x, %v): got %x, want %x", x, y, got, want)
		}
	}
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestMiddleOfTwoFloats: the fast way must see that it cannot know, and the slow
// way goes to the even one.
func TestMiddleOfTwoFloats(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, x := range []float64{94906267, 94906269, 1<<27 - 1, 1<<27 - 3, 0x5a8279bp-60, 0x7ffffffp400} {
		exact := new(big.Float).SetPrec(200).SetFloat64(x)
		exact.Mul(exact, exact)
		if exact.MinPrec() != 54 {
			t.Errorf("the square of %v takes %d bits: not in the middle of two floats", x, exact.MinPrec())
		}
		value, _ := exp(log(x).timesFloat(2))
		if _, sure := value.rounded(powError); sure {
			t.Errorf("the square of %v: the fast way claims to know", x)
		}
		if got, want := Pow(x, 2), x*x; got != want {
			t.Errorf("the square of %v: got %v, want %v", x, got, want)
		}
		tried++
	}
	if tried == 0 {
		t.Fatal("nothing tried")
	}
}

// TestHardLogarithm: the logarithm of a float that comes closest to a float
// (Lefèvre and Muller, Worst cases for correct rounding of the elementary
// functions in double precision, 2001), and its neighbours in arguments.
func TestHardLogarithm(t *testing.T) {
	t.Parallel()
	hard := 0x1.62a88613629b6p+678
	if got, want := Log(hard), 0x1.d6479eba7c971p+8; got != want {
		t.Errorf("log %x: got %x, want %x", hard, got, want)
	}
	rest := newBig().Sub(bigLog(hard), newBig().SetFloat64(Log(hard)))
	if power := math.Log2(toFloat(rest)); power > -104 {
		t.Errorf("log %x: 2^%.1f above a float, not the case that it should be", hard, power)
	}
	for _, x := range []float64{math.Nextafter(hard, 0), math.Nextafter(hard, 1e300)} {
		if got, want := Log(x), slowLog(x); got != want {
			t.Errorf("log %x: got %x, want %x", x, got, want)
		}
	}
}

// TestSquaresAreExact: the middle of two floats is common among squares.
func TestSquaresAreExact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		x := float64(r.IntN(1<<28)) + 1
		if got, want := Pow(x, 2), float64(x*x); got != want {
			t.Fatalf("the square of %v: got %v, want %v", x, got, want)
		}
		if got := Pow(float64(x*x), 0.5); x*x < 1<<53 && got != x {
			t.Fatalf("the root of %v: got %v, want %v", x*x, got, x)
		}
	}
}

func TestLogAndPowOfSpecialValues(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ x, want float64 }{{1, 0}, {0, -inf}, {-1, nan}, {-inf, nan}, {inf, inf}, {nan, nan}} {
		if got := Log(c.x); !same(got, c.want) {
			t.Errorf("log %v: got %v, want %v", c.x, got, c.want)
		}
	}
	for _, c := range []struct{ x, y, want float64 }{
		{0, 2, 0},
		{0, -2, inf},
		{0, 0, 1},
		{nan, 0, 1},
		{1, nan, 1},
		{2, nan, nan},
		{nan, 2, nan},
		{inf, 2, inf},
		{inf, -2, 0},
		{2, inf, inf},
		{2, -inf, 0},
		{0.5, inf, 0},
		{0.5, -inf, inf},
		{2, 1e300, inf},
		{2, -1e300, 0},
		{0.5, 1e300, 0},
		{2, 1024, inf},
		{2, -1075, 0},
		{2, -1074, 0x1p-1074},
		{2, 1e-300, 1},
		{-2, 2, nan},
		{math.MaxFloat64, 1, math.MaxFloat64},
		{7, 1, 7},
		{0x1p-1074, 1, 0x1p-1074},
		{0x1p-1074, -0.5, 0x1p537},
		{0x1p-1074, 2, 0},
		{math.MaxFloat64, 2, inf},
	} {
		if got := Pow(c.x, c.y); !same(got, c.want) {
			t.Errorf("pow(%v, %v): got %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func same(a, b float64) bool { return a == b || a != a && b != b }

func FuzzLog(f *testing.F) {
	f.Add(2.0)
	f.Add(0x1.62a88613629b6p+678)
	f.Add(5e-324)
	f.Add(1 - 0x1p-53)
	f.Fuzz(func(t *testing.T, x float64) {
		if !(x > 0) || math.IsInf(x, 1) || x == 1 {
			t.Skip()
		}
		if got, want := Log(x), slowLog(x); got != want {
			t.Errorf("log %x: got %x, want %x", x, got, want)
		}
	})
}

func FuzzPow(f *testing.F) {
	f.Add(2.0, 0.5)
	f.Add(0.3, 1/0.7)
	f.Add(1+0x1p-52, 1e18)
	f.Add(3.0, -650.0)
	f.Fuzz(func(t *testing.T, x, y float64) {
		if !(x > 0) || math.IsInf(x, 1) || x == 1 || !(math.Abs(y*math.Log(x)) < 744) {
			t.Skip()
		}
		if got, want := Pow(x, y), slowPow(x, y); got != want {
			t.Errorf("pow(%x, %x): got %x, want %x", x, y, got, want)
		}
	})
}
