package board

import (
	"cmp"
	"time"
)

// compareTime compares two RFC 3339 times. A text that is none counts as older
// than every time, and such texts compare as text.
func compareTime(a, b string) int {
	ta, errA := time.Parse(time.RFC3339, a)
	tb, errB := time.Parse(time.RFC3339, b)
	if errA != nil || errB != nil {
		return cmp.Or(compareBool(errA != nil, errB != nil), cmp.Compare(a, b))
	}
	return ta.Compare(tb)
}
