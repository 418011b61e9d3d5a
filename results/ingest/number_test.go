package ingest

import (
	"strconv"
	"testing"

	"example.org/arena/results/metric"
)

func TestMarkOf(t *testing.T) {
	t.Parallel()
	for num, want := range map[string]decimalMark{
		"1234": undecided, "1,234": undecided, "1.234": undecided, "-12.345": undecided, "123,456": undecided,
		"1.5": point, "0.433": point, "12.3456": point, "1234.567": point, "1,234.5": point, "1,234,567": point, "1.234e5": point,
		"1,5": comma, "0,433": comma, "1234,567": comma, "1.234,5": comma, "1.234.567": comma,
	} {
		if got := markOf(num); got != want {
			t.Errorf("markOf(%q) = %q, want %q", num, got, want)
		}
	}
}

func TestReadNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		num  string
		mark decimalMark
		want string // "" when it is refused
	}{
		{"1234", undecided, "1234"},
		{"12.34", undecided, "12.34"},
		{"1,234", undecided, ""},
		{"1.234", undecided, ""},
		{"1,234", point, "1234"},
		{"1.234", point, "1.234"},
		{"1,234", comma, "1.234"},
		{"1.234", comma, "1234"},
		{"1.234,5", comma, "1234.5"},
		{"1,234.5", point, "1234.5"},
		{"1,23.4", point, ""},
		{"1.2.3", point, ""},
		{"1.234,567", point, ""},
		{"12,34", point, ""},
		{"1\u202f234.5", point, "1234.5"},
		{"1'234'567", undecided, "1234567"},
		{"1'234,567", point, ""},
		{"-1,234.5", point, "-1234.5"},
		{"+3.0", point, "3.0"},
		{"2.5e-05", point, "2.5e-05"},
		{"1e999", point, ""},
		{"", point, ""},
	} {
		got, err := readNumber(c.num, c.mark)
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
		got := plainFloat(toUnit(in, metric.Second, metric.Millisecond))
		if got == nil || strconv.FormatFloat(*got, 'f', -1, 64) != want {
			t.Errorf("%s s = %v ms, want %s", in, numberText(got), want)
		}
	}
	if got := plainFloat(toUnit("1270", metric.Millisecond, metric.Second)); *got != 1.27 {
		t.Errorf("1270 ms = %v s", *got)
	}
}

func TestDecimalsOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"12": 0, "12.30": 2, "0.1234567": fullPrecision, "1e5": fullPrecision} {
		if got := decimalsOf(in); got != want {
			t.Errorf("decimalsOf(%q) = %d, want %d", in, got, want)
		}
	}
}
