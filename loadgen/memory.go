package loadgen

import (
	"runtime"
	"runtime/debug"
	"time"
)

// Collection is what memory cost during a run.
type Collection struct {
	Cycles    int           // garbage collections
	Pause     time.Duration // that they stopped the program, in all
	Allocated uint64        // bytes
	Objects   uint64
	Heap      uint64 // bytes in use at the end, records included
}

// quietHeap is how much the heap may grow before garbage is collected during a
// cell. The endpoint may be on this machine and own the rest.
const quietHeap = 1 << 30

// collection collects garbage, then puts the collector off until the function
// that it returns is called, which says what memory cost in between.
func (r *Runner) collection() func() Collection {
	restore := func() {}
	if !r.KeepGC {
		runtime.GC()
		restore = postponeGC()
	}
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	return func() Collection {
		var after runtime.MemStats
		runtime.ReadMemStats(&after)
		restore()
		return Collection{
			Cycles:    int(after.NumGC - before.NumGC),
			Pause:     time.Duration(after.PauseTotalNs - before.PauseTotalNs),
			Allocated: after.TotalAlloc - before.TotalAlloc,
			Objects:   after.Mallocs - before.Mallocs,
			Heap:      after.HeapAlloc,
		}
	}
}

// postponeGC lets the heap grow by quietHeap, unless the process has a stricter
// limit already.
func postponeGC() (restore func()) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	limit := debug.SetMemoryLimit(-1) // only asks
	debug.SetMemoryLimit(min(limit, int64(m.Sys-m.HeapReleased)+quietHeap))
	percent := debug.SetGCPercent(-1)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
