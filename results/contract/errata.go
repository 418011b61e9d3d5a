package contract

import (
	"regexp"
	"slices"
	"strconv"

	"example.org/arena/results/tomlfile"
)

// Errata list what was found wrong with a published contract. They stand in a
// file of their own, which may grow, while the contract stays as it is.
type Errata struct {
	Version string    // of the contract, "v2"
	List    []Erratum // in the order of the file

	File  string // name of the file, for messages
	lines tomlfile.Lines
}

// An Erratum is one fault of a contract, as data: its words come from the
// language catalogs by its code and take its parameters.
type Erratum struct {
	Code   string   // "decimal_commas"
	Tests  []string // slugs of the tests concerned, at least one
	Date   string   // day it was written down, YYYY-MM-DD
	Note   string   // for maintainers, in English; never shown
	Params []Param  // sorted by name
}

// A Param is a value that an erratum's words need. A number is written in
// decimal, with a point.
type Param struct {
	Name   string
	Value  string
	Number bool // Value is a number, to be shown as the reader's language writes it
}

// For returns the errata of the test with the given slug.
func (e *Errata) For(slug string) []Erratum {
	var list []Erratum
	for _, erratum := range e.List {
		if slices.Contains(erratum.Tests, slug) {
			list = append(list, erratum)
		}
	}
	return list
}

// ParseErrata reads an errata file. Name is the file's name for messages. The
// error is tomlfile.Faults, as with Parse.
func ParseErrata(name string, data []byte) (*Errata, error) {
	top, err := tomlfile.Decode(name, data)
	if err != nil {
		return nil, err
	}
	e := &Errata{File: name, lines: top.Lines()}
	top.Need("contract")
	e.Version = top.Str("contract")
	for _, t := range top.Subs("erratum") {
		e.List = append(e.List, parseErratum(t))
	}
	top.Done()
	if err := top.Err(); err != nil {
		return nil, err
	}
	return e, nil
}

func parseErratum(t *tomlfile.Table) Erratum {
	t.Need("code", "tests", "date")
	erratum := Erratum{
		Code:  t.Str("code"),
		Tests: t.Strs("tests"),
		Date:  t.Str("date"),
		Note:  t.Str("note"),
	}
	params := t.Sub("params")
	for _, name := range params.Keys() {
		erratum.Params = append(erratum.Params, parseParam(params, name))
	}
	t.Done()
	return erratum
}

func parseParam(t *tomlfile.Table, name string) Param {
	switch v := t.Any(name).(type) {
	case string:
		return Param{Name: name, Value: v}
	case int64:
		return Param{Name: name, Value: strconv.FormatInt(v, 10), Number: true}
	case float64:
		return Param{Name: name, Value: strconv.FormatFloat(v, 'f', -1, 64), Number: true}
	default:
		t.Fault(name, "want a string or a number, not %s", tomlfile.TypeName(v))
	}
	return Param{Name: name}
}

var codePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// Validate checks the errata against their contract. The error is tomlfile.Faults.
func (e *Errata) Validate(c *Contract) error {
	r := tomlfile.NewReport(e.File, e.lines)
	if e.Version != c.Version {
		r.Add("contract", "want %q, not %q", c.Version, e.Version)
	}
	for i, erratum := range e.List {
		path := tomlfile.Element("erratum", i)
		if !codePattern.MatchString(erratum.Code) {
			r.Add(tomlfile.Join(path, "code"), "want lower-case words joined by underscores, not %q", erratum.Code)
		}
		if !isDate(erratum.Date) {
			r.Add(tomlfile.Join(path, "date"), "want a date YYYY-MM-DD, not %q", erratum.Date)
		}
		if len(erratum.Tests) == 0 {
			r.Add(tomlfile.Join(path, "tests"), "want at least one test")
		}
		for _, slug := range erratum.Tests {
			if _, ok := c.Test(slug); !ok {
				r.Add(tomlfile.Join(path, "tests"), "contract %s has no test %q", c.Version, slug)
			}
		}
	}
	return r.Err()
}
