package bundle

import (
	"fmt"
	"strings"
)

// A Fault is one thing that is wrong with a bundle, or one thing worth a
// warning. Verification reports it as JSON; as an error it reads
// "file:line: key: message", without the parts that are unknown.
type Fault struct {
	File    string `json:"file"`    // as it was named by the caller
	Line    int    `json:"line"`    // from 1; 0 when the fault has no line
	Key     string `json:"key"`     // JSON Pointer (RFC 6901) to the value, empty for the whole file
	Code    string `json:"code"`    // one of the Code constants, or one of the caller's own
	Message string `json:"message"` // English, lower case
}

// The codes of faults that this package finds.
const (
	CodeTooLarge     = "too_large"     // more than MaxBytes
	CodeSyntax       = "syntax"        // not JSON as RFC 8259 and RFC 7493 have it
	CodeDuplicateKey = "duplicate_key" // a key stands twice in an object
	CodeUnknownKey   = "unknown_key"   // a key that the format does not have
	CodeFormat       = "format"        // a format version that this program does not know
	CodeType         = "type"          // a value of the wrong JSON type, or out of range
	CodeNotCanonical = "not_canonical" // other bytes than Encode writes
	CodeRequired     = "required"      // a field that this kind of bundle needs is missing
	CodeValue        = "value"         // a value that does not make sense
	CodePath         = "path"          // a file that does not lie where its content says
)

// Error returns the fault as one line.
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
	return b.String()
}

// Faults is every fault of a bundle, in the order of the file. As an error it
// has one line per fault.
type Faults []Fault

// Error returns the faults, one per line.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns fs as an error, or nil when there is no fault.
func (fs Faults) Err() error {
	if len(fs) == 0 {
		return nil
	}
	return fs
}
