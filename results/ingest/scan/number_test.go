package scan

import (
	"strconv"
	"testing"

	"example.org/arena/results/metric"
)

func TestMarkOf(t *testing.T) {
	t.Parallel()
	for num, want := range map[string]Mark{
		"1234": Undecided, "1,234": Undecided, "1.234": Undecided, "-12.345": Undecided, "123,456": Undecided,
		"1.5": Point, "0.433": Point, "12.3456": Point, "1234.567": Point, "1,234.5": Point, "1,234,567": Point, "1.234e5": Point,
		"1,5": Comma, "0,433": Comma, "1234,567": Comma, "1.234,5": Comma, "1.234.567": Comma,
	} {
		if got := MarkOf(num); got != want {
			t.Errorf("markOf(%q) = %q, want %q", num, got, want)
		}
	}
}

func TestReadNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		num  string
		mark Mark
		want string // "" when it is refused
	}{
		{"1234", Undecided, "1234"},
		{"12.34", Undecided, "12.34"},
		{"1,234", Undecided, ""},
		{"1.234", Undecided, ""},
		{"1,234", Point, "1234"},
		{"1.234", Point, "1.234"},
		{"1,234", Comma, "1.234"},
		{"1.234", Comma, "1234"},
		{"1.234,5", Comma, "1234.5"},
		{"1,234.5", Point, "1234.5"},
		{"1,23.4", Point, ""},
		{"1.2.3", Point, ""},
		{"1.234,567", Point, ""},
		{"12,34", Point, ""},
		{"1\u202f234.5", Point, "1234.5"},
		{"1'234'567", Undecided, "1234567"},
		{"1'234,567", Point, ""},
		{"-1,234.5", Point, "-1234.5"},
		{"+3.0", Point, "3.0"},
		{"2.5e-05", Point, "2.5e-05"},
		{"1e999", Point, ""},
		{"", Point, ""},
	} {
		got, err := ReadNumber(c.num, c.mark)
		if err != nil {
			got = ""
		}
		if got != c.want {
			t.Errorf("readNumber(%q, %q) = %q, %v, want %q", c.num, c.mark, got, err, c.want)
		}
	}
}

// TestToUnit checks that a change of unit adds no rounding of its own.
func TestToUnit(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"1.27": "1270", "0.69": "690", "1.005": "1005", "4.66": "4660", "18.35": "18350", "0.0021303": "2.1303", "3e-05": "0.03", "-2.5": "-2500",
	} {
		got := PlainFloat(ToUnit(in, metric.Second, metric.Millisecond))
		if got == nil || strconv.FormatFloat(*got, 'f', -1, 64) != want {
			t.Errorf("%s s = %v ms, want %s", in, got, want)
		}
	}
	if got := PlainFloat(ToUnit("1270", metric.Millisecond, metric.Second)); *got != 1.27 {
		t.Errorf("1270 ms = %v s", *got)
	}
}

func TestDecimalsOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"12": 0, "12.30": 2, "0.1234567": FullPrecision, "1e5": FullPrecision} {
		if got := DecimalsOf(in); got != want {
			t.Errorf("decimalsOf(%q) = %d, want %d", in, got, want)
		}
	}
}
