package scan

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"example.org/arena/results/metric"
)

// MaxCount bounds token counts and concurrencies: what lies above is no count,
// and the product of two counts stays an integer.
const MaxCount = 1 << 30

// PlainFloat reads a number that readNumber accepted.
func PlainFloat(plain string) *float64 {
	v, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return nil
	}
	return &v
}

// HintFor returns the hint for a fault of ReadCell or ReadNumber, which may be none.
func HintFor(err error) string {
	if strings.Contains(err.Error(), "thousands") || strings.Contains(err.Error(), "separator") {
		return MarkHint
	}
	return ""
}

// A CellValue is what a table cell says: a number or a mean, perhaps with its
// standard deviation, as plain numbers in the unit of the cell.
type CellValue struct {
	Mean, Std   string
	Unit        metric.Unit // stated in the cell, or empty
	Approximate bool
	NotFinite   bool   // the cell says nan or inf: nothing was measured
	Trailing    string // signs after the number that say nothing about it
}

const number = `[+-]?(?:\d{1,3}(?:\x{202f}\d{3})+|\d+)(?:[.,'’]\d+)*(?:[eE][+-]?\d+)?`

var (
	// NumberPattern finds numbers in a cell.
	NumberPattern = regexp.MustCompile(number)
	cellPattern   = regexp.MustCompile(`^(~|≈|ca\.?|about|approx\.?)?\s*(` + number + `)\s*([\pL/]+(?: per second)?)?` +
		`(?:\s*(?:±|\+/-|\+-)\s*(` + number + `)\s*([\pL/]+)?)?\s*(.*)$`)
	notFinitePattern = regexp.MustCompile(`(?i)^[+-]?(nan|inf|infinity)(\s*±\s*[+-]?(nan|inf|infinity))?$`)
)

// ReadCell reads a cleaned cell that is not missing. The mark must be decided
// when the cell holds a number that could be read in two ways.
func ReadCell(cell string, mark Mark) (CellValue, error) {
	if notFinitePattern.MatchString(cell) {
		return CellValue{NotFinite: true}, nil
	}
	if inner, ok := strings.CutPrefix(cell, "("); ok && strings.HasSuffix(inner, ")") {
		cell = strings.TrimSpace(strings.TrimSuffix(inner, ")"))
	}
	m := cellPattern.FindStringSubmatch(cell)
	if m == nil {
		return CellValue{}, fmt.Errorf("%q is not a number", cell)
	}
	v := CellValue{Approximate: m[1] != "", Trailing: m[6]}
	if strings.ContainsFunc(v.Trailing, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || isAscii(r) }) {
		return CellValue{}, fmt.Errorf("%q has %q after the number", cell, v.Trailing)
	}
	for _, u := range []string{m[3], m[5]} {
		if u == "" {
			continue
		}
		unit, ok := UnitOf(u)
		if !ok {
			return CellValue{}, fmt.Errorf("%q has the unknown unit %q", cell, u)
		}
		if v.Unit != "" && v.Unit != unit {
			return CellValue{}, fmt.Errorf("%q has two units", cell)
		}
		v.Unit = unit
	}
	var err, errStd error
	v.Mean, err = ReadNumber(m[2], mark)
	if m[4] != "" {
		v.Std, errStd = ReadNumber(m[4], mark)
		if errStd == nil && strings.HasPrefix(v.Std, "-") {
			errStd = fmt.Errorf("%q has a negative deviation", cell)
		}
	}
	return v, errors.Join(err, errStd)
}

func isAscii(r rune) bool { return r < unicode.MaxASCII }

// ReadNumber gives the plain form of a number and refuses what is none, or what
// could be two.
func ReadNumber(num string, mark Mark) (string, error) {
	if mark == Undecided && couldGroup(num) {
		return "", fmt.Errorf("%q is either a number with decimals or one with a thousands separator", num)
	}
	plain, err := plainNumber(num, mark)
	if err != nil {
		return "", err
	}
	_, err = ParsePlain(plain)
	return plain, err
}

// A MarkCount remembers the numbers that show the decimal mark of a table.
type MarkCount struct {
	point, Comma string // an example of each
	quoted       bool   // some number holds a comma, which in a table of commas stands in quotes
}

// See looks at all numbers of a cell.
func (c *MarkCount) See(cell string) {
	for _, num := range NumberPattern.FindAllString(cell, -1) {
		c.quoted = c.quoted || strings.Contains(num, ",")
		switch MarkOf(num) {
		case Point:
			c.point = num
		case Comma:
			c.Comma = num
		default:
		}
	}
}

// Decide returns the decimal mark that all numbers agree on. Where none of them
// shows it, commas between the cells do, as long as no number holds one: who
// writes decimals with a comma must quote it there. A comma in quotes is no
// evidence of either.
func (c *MarkCount) Decide(sep Separator) (Mark, error) {
	switch {
	case c.point != "" && c.Comma != "":
		return Undecided, fmt.Errorf("some numbers have a decimal point (%q) and others a decimal comma (%q)", c.point, c.Comma)
	case c.point != "":
		return Point, nil
	case c.Comma != "":
		return Comma, nil
	case sep == Commas && !c.quoted:
		return Point, nil
	}
	return Undecided, nil
}
