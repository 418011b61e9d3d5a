package runner

import (
	"testing"
	"time"

	"example.org/arena/loadgen"
)

// TestClientLateness: a cell's lateness is that of a calibration: of all requests that
// were sent, over all repetitions, linear between them.
func TestClientLateness(t *testing.T) {
	t.Parallel()
	var list []placedRecord
	for _, late := range []time.Duration{0, 10 * time.Millisecond, 20 * time.Millisecond} {
		r := loadgen.Record{Result: loadgen.NoResult(), Due: time.Second, Queued: time.Second}
		r.Sent = r.Due + r.Queued + late
		list = append(list, placedRecord{Record: r})
	}
	unsent := loadgen.Record{Result: loadgen.NoResult()}
	unsent.Outcome = loadgen.Unsent
	list = append(list, placedRecord{Record: unsent})
	c := (&Measured{}).client(list)
	if c.LateP50US != 10_000 || c.LateP99US != 19_800 || c.LateMaxUS != 20_000 {
		t.Errorf("late by %d, %d and at most %d µs, want 10000, 19800 and 20000", c.LateP50US, c.LateP99US, c.LateMaxUS)
	}
}
