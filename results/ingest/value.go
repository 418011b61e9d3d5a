package ingest

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"example.org/arena/results/metric"
)

// A cellValue is what a table cell says: a number or a mean, perhaps with its
// standard deviation, as plain numbers in the unit of the cell.
type cellValue struct {
	mean, std   string
	unit        metric.Unit // stated in the cell, or empty
	approximate bool
	notFinite   bool   // the cell says nan or inf: nothing was measured
	trailing    string // signs after the number that say nothing about it
}

const number = `[+-]?(?:\d{1,3}(?:\x{202f}\d{3})+|\d+)(?:[.,'’]\d+)*(?:[eE][+-]?\d+)?`

var (
	numberPattern = regexp.MustCompile(number)
	cellPattern   = regexp.MustCompile(`^(~|≈|ca\.?|about|approx\.?)?\s*(` + number + `)\s*([\pL/]+(?: per second)?)?` +
		`(?:\s*(?:±|\+/-|\+-)\s*(` + number + `)\s*([\pL/]+)?)?\s*(.*)$`)
	notFinitePattern = regexp.MustCompile(`(?i)^[+-]?(nan|inf|infinity)(\s*±\s*[+-]?(nan|inf|infinity))?$`)
)

// readCell reads a cleaned cell that is not missing. The mark must be decided
// when the cell holds a number that could be read in two ways.
func readCell(cell string, mark decimalMark) (cellValue, error) {
	if notFinitePattern.MatchString(cell) {
		return cellValue{notFinite: true}, nil
	}
	if inner, ok := strings.CutPrefix(cell, "("); ok && strings.HasSuffix(inner, ")") {
		cell = strings.TrimSpace(strings.TrimSuffix(inner, ")"))
	}
	m := cellPattern.FindStringSubmatch(cell)
	if m == nil {
		return cellValue{}, fmt.Errorf("%q is not a number", cell)
	}
	v := cellValue{approximate: m[1] != "", trailing: m[6]}
	if strings.ContainsFunc(v.trailing, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || isAscii(r) }) {
		return cellValue{}, fmt.Errorf("%q has %q after the number", cell, v.trailing)
	}
	for _, u := range []string{m[3], m[5]} {
		if u == "" {
			continue
		}
		unit, ok := unitOf(u)
		if !ok {
			return cellValue{}, fmt.Errorf("%q has the unknown unit %q", cell, u)
		}
		if v.unit != "" && v.unit != unit {
			return cellValue{}, fmt.Errorf("%q has two units", cell)
		}
		v.unit = unit
	}
	var err, errStd error
	v.mean, err = readNumber(m[2], mark)
	if m[4] != "" {
		v.std, errStd = readNumber(m[4], mark)
		if errStd == nil && strings.HasPrefix(v.std, "-") {
			errStd = fmt.Errorf("%q has a negative deviation", cell)
		}
	}
	return v, errors.Join(err, errStd)
}

func isAscii(r rune) bool { return r < unicode.MaxASCII }

// readNumber gives the plain form of a number and refuses what is none, or what
// could be two.
func readNumber(num string, mark decimalMark) (string, error) {
	if mark == undecided && couldGroup(num) {
		return "", fmt.Errorf("%q is either a number with decimals or one with a thousands separator", num)
	}
	plain, err := plainNumber(num, mark)
	if err != nil {
		return "", err
	}
	_, err = parsePlain(plain)
	return plain, err
}

// A markCount remembers the numbers that show the decimal mark of a table.
type markCount struct {
	point, comma string // an example of each
	quoted       bool   // some number holds a comma, which in a table of commas stands in quotes
}

// see looks at all numbers of a cell.
func (c *markCount) see(cell string) {
	for _, num := range numberPattern.FindAllString(cell, -1) {
		c.quoted = c.quoted || strings.Contains(num, ",")
		switch markOf(num) {
		case point:
			c.point = num
		case comma:
			c.comma = num
		}
	}
}

// decide returns the decimal mark that all numbers agree on. Where none of them
// shows it, commas between the cells do, as long as no number holds one: who
// writes decimals with a comma must quote it there. A comma in quotes is no
// evidence of either.
func (c *markCount) decide(sep separator) (decimalMark, error) {
	switch {
	case c.point != "" && c.comma != "":
		return undecided, fmt.Errorf("some numbers have a decimal point (%q) and others a decimal comma (%q)", c.point, c.comma)
	case c.point != "":
		return point, nil
	case c.comma != "":
		return comma, nil
	case sep == commas && !c.quoted:
		return point, nil
	}
	return undecided, nil
}
