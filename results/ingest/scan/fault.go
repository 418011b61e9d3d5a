package scan

import (
	"errors"
	"fmt"

	"example.org/arena/results/tomlfile"
)

// Faults collects the faults of one file.
type Faults struct {
	File string
	List tomlfile.Faults
}

// Add records a fault. The hint may be empty.
func (f *Faults) Add(line int, key, hint, format string, args ...any) {
	f.List = append(f.List, tomlfile.Fault{File: f.File, Line: line, Key: key, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// Err returns the faults, or nil when there are none.
func (f *Faults) Err() error { return f.List.Err() }

// AppendFaults appends the faults in err.
func AppendFaults(list tomlfile.Faults, name string, err error) tomlfile.Faults {
	if err == nil {
		return list
	}
	if faults, ok := errors.AsType[tomlfile.Faults](err); ok {
		return append(list, faults...)
	}
	return append(list, tomlfile.Fault{File: name, Message: err.Error()})
}
