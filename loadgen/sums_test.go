package loadgen

import (
	"testing"
	"time"
)

// TestLatenessOf: percentiles lie between order statistics, and nothing is late by less
// than nothing.
func TestLatenessOf(t *testing.T) {
	t.Parallel()
	got := LatenessOf([]time.Duration{20 * time.Millisecond, -time.Millisecond, 10 * time.Millisecond})
	want := Lateness{Count: 3, P50: 10 * time.Millisecond, P99: 19800 * time.Microsecond, Max: 20 * time.Millisecond}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := LatenessOf(nil); got != (Lateness{}) {
		t.Errorf("of nothing: got %+v", got)
	}
}
