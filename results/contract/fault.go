package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Fault is something wrong in a contract or errata file.
type Fault struct {
	File    string
	Line    int    // from 1; 0 when it is not known
	Key     string // path of the key, tables of an array counted from 0: "test[2].slug"; empty for the whole file
	Message string
}

// Error returns "file:line: key: message", leaving out what is not known.
func (f Fault) Error() string {
	at := f.File
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if f.Key != "" {
		at += ": " + f.Key
	}
	return at + ": " + f.Message
}

// Faults are all faults of a file, in the order of their lines. Parse and
// Validate return their errors as Faults, so that a caller can list them.
type Faults []Fault

// Error returns one line per fault.
func (f Faults) Error() string {
	text := make([]string, len(f))
	for i, fault := range f {
		text[i] = fault.Error()
	}
	return strings.Join(text, "\n")
}

// Unwrap returns the single faults.
func (f Faults) Unwrap() []error {
	errs := make([]error, len(f))
	for i, fault := range f {
		errs[i] = fault
	}
	return errs
}

// A report collects the faults of one file.
type report struct {
	file   string
	lines  lines
	faults Faults
}

// add notes a fault at the key with the given path, once. A key that the file
// lacks stands where its table begins.
func (r *report) add(path, format string, args ...any) {
	line := r.lines.of(path)
	if line == 0 && r.lines != nil {
		line = 1
	}
	fault := Fault{File: r.file, Line: line, Key: path, Message: fmt.Sprintf(format, args...)}
	if !slices.Contains(r.faults, fault) {
		r.faults = append(r.faults, fault)
	}
}

// err returns the faults in the order of their lines, or nil.
func (r *report) err() error {
	if len(r.faults) == 0 {
		return nil
	}
	faults := slices.Clone(r.faults)
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	return faults
}
