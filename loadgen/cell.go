package loadgen

import (
	"context"
	"time"

	"example.org/arena/loadgen/arrival"
)

// A Cell is the load of one measurement: what is sent, and when.
type Cell struct {
	Schedule arrival.Schedule
	Requests []Request // one for each of the schedule's, in order; Seq and At are set from the schedule

	// Warmup is sent, and answered, before the clock starts: in a closed loop,
	// as many at a time as the schedule has places.
	Warmup []Request

	// Follow makes conversations: with it, each of Requests is the first turn of
	// one. Refill only.
	Follow Follow

	Timeout time.Duration // of one request, from the moment it is sent; 0 means DefaultTimeout
	Limit   time.Duration // no request is sent later than this; 0 means no limit
	Drain   time.Duration // how long answers under way may still take when the run is cancelled
}

// DefaultTimeout is how long a request may take when a cell does not say.
const DefaultTimeout = 10 * time.Minute

// Follow returns the next turn of a conversation whose last turn is given, and
// false when it was the last one. Its slot sends it at once. A turn that cannot
// be made, because the one before it failed, comes with an error; it is recorded
// as unsent, and Follow is asked for the turn after it. Follow is called by many
// goroutines at once. Seq is the caller's to set.
type Follow func(ctx context.Context, last Record) (Request, bool, error)

// A Run is what became of a cell.
type Run struct {
	Origin  time.Time // the zero of all offsets
	Records []Record  // one for every request of the schedule, by Seq
	Warmup  []Record  // on the same origin, so their moments are negative

	Elapsed    time.Duration // from the first send to the end of the last answer
	Sent       int           // measured requests that were sent
	Unsent     int           // measured requests that were not
	Lateness   Lateness      // of the measured requests that were sent
	Held       float64       // closed loop: mean requests in flight over places, in [0,1]; NaN for an open loop
	Collection Collection    // what the garbage collector did meanwhile
}

// Lateness sums up how late requests were sent.
type Lateness struct {
	Count         int
	P50, P99, Max time.Duration
}

// Collection is the cost of memory during a run.
type Collection struct {
	Cycles    int           // garbage collections
	Pause     time.Duration // total time that they stopped the program
	MaxPause  time.Duration
	Allocated uint64 // bytes
	Objects   uint64
	Peak      uint64 // bytes of heap in use at the end of the run
}

// A Runner sends cells.
type Runner struct {
	Sender Sender

	// Pacer times the sends of open loops; nil means the most exact one that the
	// system has.
	Pacer Pacer

	// Connect makes sure that n idle connections are open; nil opens none.
	Connect func(ctx context.Context, n int) error

	// KeepGC leaves the garbage collector as it is. By default it is put off
	// while a cell runs, as long as memory allows.
	KeepGC bool

	Progress *Progress // counts while a cell runs; may be nil
}

// A Pacer waits for moments.
type Pacer interface {
	// Pace calls fire(i) for every i, in order, when origin+at[i] has come and not
	// before. It returns how many it called: fewer than len(at) when ctx is done.
	Pace(ctx context.Context, origin time.Time, at []Offset, fire func(i int)) int
}
