package i18n

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Fault is something wrong with a catalog or with the use of one.
type Fault struct {
	File    string // "nl/metric.toml", empty when no file is at fault
	Line    int    // in File, from 1; 0 when unknown
	Lang    Lang
	Key     string // full key, empty when the whole file is at fault
	Message string
}

// Error returns the fault as file:line: key: message.
func (f Fault) Error() string {
	var b strings.Builder
	switch {
	case f.File != "" && f.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", f.File, f.Line)
	case f.File != "":
		b.WriteString(f.File + ": ")
	case f.Lang != "":
		b.WriteString(string(f.Lang) + ": ")
	}
	if f.Key != "" {
		b.WriteString(f.Key + ": ")
	}
	b.WriteString(f.Message)
	return b.String()
}

// sortFaults orders faults by file, line, language, key and message, and drops
// repetitions, so that the same mistakes always read the same.
func sortFaults(faults []Fault) []Fault {
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Lang, b.Lang),
			cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(faults)
}
