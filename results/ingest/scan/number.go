package scan

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.org/arena/results/metric"
)

// Shortest writes a number as briefly as it can be read back.
func Shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A Mark says which character separates the decimals of a table.
type Mark byte

// The marks. An undecided table holds no number that shows which one it uses.
const (
	Undecided Mark = 0
	Point     Mark = '.'
	Comma     Mark = ','
)

// MarkHint says how to write numbers that can be read in one way only.
const MarkHint = "write the numbers with a decimal point and without thousands separators"

// other is the character that may group digits when m marks the decimals.
func (m Mark) other() string {
	if m == Comma {
		return "."
	}
	return ","
}

// MarkOf returns the decimal mark that a number shows, or undecided for one that
// can be read either way: "1234", "1,234" and "1.234" show nothing.
func MarkOf(num string) Mark {
	num = strings.TrimLeft(num, "+-")
	points, commas := strings.Count(num, "."), strings.Count(num, ",")
	switch {
	case points == 0 && commas == 0:
		return Undecided
	case points > 0 && commas > 0:
		if strings.LastIndexByte(num, '.') > strings.LastIndexByte(num, ',') {
			return Point
		}
		return Comma
	case points > 1:
		return Comma // the points group digits
	case commas > 1:
		return Point
	}
	i := strings.IndexAny(num, ".,")
	mantissa, _, _ := strings.Cut(strings.ToLower(num[i+1:]), "e")
	grouping := len(mantissa) == 3 && i >= 1 && i <= 3 && num[0] != '0' && mantissa == num[i+1:]
	if grouping {
		return Undecided
	}
	return Mark(num[i])
}

// couldGroup reports whether the only mark of num may be a thousands separator.
func couldGroup(num string) bool {
	return strings.ContainsAny(num, ".,") && MarkOf(num) == Undecided
}

// plainNumber rewrites a number with the given decimal mark to a plain one:
// a point for the decimals and nothing between the digits. It refuses what has
// separators in places where they make no sense.
func plainNumber(num string, mark Mark) (string, error) {
	if mark == Undecided {
		mark = Point
	}
	sign := ""
	if strings.HasPrefix(num, "-") || strings.HasPrefix(num, "+") {
		sign, num = strings.TrimPrefix(num[:1], "+"), num[1:]
	}
	whole, decimals, hasDecimals := strings.Cut(num, string(mark))
	if hasDecimals && strings.Contains(decimals, mark.other()) || strings.Contains(decimals, string(mark)) {
		return "", fmt.Errorf("%q has separators where decimals should be", num)
	}
	whole, err := ungroup(whole, mark)
	if err != nil {
		return "", err
	}
	if hasDecimals {
		whole += "." + decimals
	}
	return sign + whole, nil
}

// ungroup removes thousands separators: one kind, groups of three digits.
func ungroup(whole string, mark Mark) (string, error) {
	sep := ""
	for _, s := range []string{mark.other(), "\u202f", " ", "'", "’"} {
		if strings.Contains(whole, s) {
			if sep != "" {
				return "", fmt.Errorf("%q has two kinds of separators between its digits", whole)
			}
			sep = s
		}
	}
	if sep == "" {
		return whole, nil
	}
	groups := strings.Split(whole, sep)
	for i, g := range groups {
		if i == 0 && (g == "" || len(g) > 3) || i > 0 && len(g) != 3 {
			return "", fmt.Errorf("%q is not grouped by thousands", whole)
		}
	}
	return strings.Join(groups, ""), nil
}

// ParsePlain reads a plain number. It must be finite.
func ParsePlain(plain string) (float64, error) {
	digits := strings.TrimPrefix(plain, "-")
	if digits == "" || !IsDigit(rune(digits[0])) {
		return 0, fmt.Errorf("%q is not a number", plain)
	}
	if strings.ContainsAny(digits, "xX_pPiInN") {
		return 0, fmt.Errorf("%q is not a decimal number", plain)
	}
	v, err := strconv.ParseFloat(plain, 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a number", plain)
	}
	return v, nil
}

// DecimalsOf counts the digits after the point of a plain number, or says that
// the number is given in full precision.
func DecimalsOf(plain string) int {
	if strings.ContainsAny(plain, "eE") {
		return FullPrecision
	}
	_, decimals, _ := strings.Cut(plain, ".")
	if len(decimals) > 6 {
		return FullPrecision
	}
	return len(decimals)
}

// FullPrecision is the number of decimals of figures that were never rounded.
const FullPrecision = math.MaxInt

// Shift moves the decimal point of a plain number n places to the right (to the
// left for negative n), so that a change of unit adds no rounding of its own.
func Shift(plain string, n int) string {
	mantissa, exp, _ := strings.Cut(strings.ToLower(plain), "e")
	e, _ := strconv.Atoi(exp)
	return mantissa + "e" + strconv.Itoa(e+n)
}

// ToUnit rewrites a plain number from one unit of time to another.
func ToUnit(plain string, from, to metric.Unit) string {
	switch {
	case from == metric.Second && to == metric.Millisecond:
		return Shift(plain, 3)
	case from == metric.Millisecond && to == metric.Second:
		return Shift(plain, -3)
	}
	return plain
}

// unitNames maps the ways in which people write a unit to the unit.
var unitNames = map[string]metric.Unit{
	"ms": metric.Millisecond, "msec": metric.Millisecond, "milliseconds": metric.Millisecond,
	"s": metric.Second, "sec": metric.Second, "secs": metric.Second, "seconds": metric.Second,
	"t/s": metric.TokensPerS, "tok/s": metric.TokensPerS, "toks/s": metric.TokensPerS, "tokens/s": metric.TokensPerS,
	"tokens/sec": metric.TokensPerS, "tok/sec": metric.TokensPerS, "tps": metric.TokensPerS, "tokens per second": metric.TokensPerS,
	"req/s": metric.RequestsPerS, "rps": metric.RequestsPerS, "requests/s": metric.RequestsPerS,
}

// UnitOf returns the unit that a text names.
func UnitOf(s string) (metric.Unit, bool) {
	u, ok := unitNames[strings.ToLower(strings.TrimSpace(s))]
	return u, ok
}

// FormatNumber writes a number as people do.
func FormatNumber(v float64) string {
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// CloseTo reports whether a and b differ by no more than the relative
// tolerance.
func CloseTo(a, b, relative float64) bool {
	return math.Abs(a-b) <= relative*max(math.Abs(a), math.Abs(b))
}

// CloseAt reports whether rounding to the given number of decimals can turn a
// into b.
func CloseAt(a, b float64, decimals int) bool {
	if a == b {
		return true
	}
	unit := math.Pow10(-decimals)
	return math.Abs(a-b) <= unit/2+1e-9*max(math.Abs(a), math.Abs(b))
}

// NotFinite reads the words for numbers that are not finite, as Python and the
// tools write them.
func NotFinite(text string) (float64, bool) {
	switch strings.ToLower(text) {
	case "nan":
		return math.NaN(), true
	case "inf", "infinity", "+inf":
		return math.Inf(1), true
	case "-inf", "-infinity":
		return math.Inf(-1), true
	}
	return 0, false
}
