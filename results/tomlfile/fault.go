package tomlfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Fault is one thing that is wrong with a file, or one thing worth a warning.
// Verification reports it as JSON; as an error it reads "file:line: key: message",
// without the parts that are unknown.
type Fault struct {
	File    string `json:"file"`    // as it was named by the caller
	Line    int    `json:"line"`    // from 1; 0 when the fault has no line
	Key     string `json:"key"`     // JSON Pointer (RFC 6901) to the value, or in TOML its path, "test[2].slug"; empty for the whole file
	Code    string `json:"code"`    // kind of fault, for programs: each format and each caller has its own
	Message string `json:"message"` // English, lower case
	Hint    string `json:"-"`       // what to do about it, for people; may be empty
}

// Error returns the fault as one line, and its hint as another.
func (f Fault) Error() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
		}
		b.WriteString(": ")
	}
	if f.Key != "" {
		b.WriteString(f.Key)
		b.WriteString(": ")
	}
	b.WriteString(f.Message)
	if f.Hint != "" {
		b.WriteString("\nhint: " + f.Hint)
	}
	return b.String()
}

// Faults are all faults of a file, or of several, in the order of their lines. A
// function that says its error is Faults returns every fault at once, so that a
// caller can list them.
type Faults []Fault

// Error returns the faults, one per line. A hint that neighbours share is given
// once, after the last of them.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		if i+1 < len(fs) && fs[i+1].Hint == f.Hint {
			f.Hint = ""
		}
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single faults.
func (fs Faults) Unwrap() []error {
	errs := make([]error, len(fs))
	for i, f := range fs {
		errs[i] = f
	}
	return errs
}

// Err returns fs as an error, or nil when there is no fault.
func (fs Faults) Err() error {
	if len(fs) == 0 {
		return nil
	}
	return fs
}

// A Report collects the faults of one file.
type Report struct {
	file   string
	lines  Lines
	faults Faults
}

// NewReport returns an empty report of the file with the given name. Without
// lines, faults have none.
func NewReport(file string, lines Lines) *Report {
	return &Report{file: file, lines: lines}
}

// Add notes a fault at the key with the given path, once. A key that the file
// lacks stands where its table begins.
func (r *Report) Add(path, format string, args ...any) {
	fault := Fault{File: r.file, Line: r.lines.at(path), Key: path, Message: fmt.Sprintf(format, args...)}
	if !slices.Contains(r.faults, fault) {
		r.faults = append(r.faults, fault)
	}
}

// Err returns the faults in the order of their lines, or nil. The error is Faults.
func (r *Report) Err() error {
	faults := slices.Clone(r.faults)
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	return faults.Err()
}
