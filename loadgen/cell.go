package loadgen

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/arena/loadgen/arrival"
)

// A Cell is the load of one measurement: what is sent, and when.
type Cell struct {
	Schedule arrival.Schedule
	Requests []Request // one for each of the schedule's, in order; Seq and At are set from the schedule, but for Seq where Follow sets it

	// Warmup is sent, and answered, before the clock starts: as many at a time as
	// the schedule has places, one at a time where it has no limit.
	Warmup []Request

	// Follow makes conversations: with it, each of Requests is the first turn of
	// one, and its slot sends all turns before it begins another. Closed loops
	// with refill only.
	Follow Follow

	Connections int // connections to open before the clock starts; 0 means as many as the schedule will need

	// Spread is the mean time between the starts of two slots, or of two requests
	// of a batch: 0 means DefaultSpread, and a negative one starts all at once.
	Spread time.Duration

	Timeout time.Duration // of one request, from the moment it is sent; 0 means DefaultTimeout
	Limit   time.Duration // no request is sent later than this after the start; 0 means no limit
	Drain   time.Duration // how long answers under way may still take when the run is cancelled; 0 breaks them off
}

// DefaultSpread is how far apart the slots of a closed loop start when a cell does
// not say: about as far as a client can send. A burst would wait in the queues of
// both machines, and the wait be taken for the server's.
const DefaultSpread = 100 * time.Microsecond

// DefaultTimeout is how long a request may take when a cell does not say.
const DefaultTimeout = 10 * time.Minute

// Follow returns the next turn of the conversation whose last turn is given, and
// false after the last one. A turn that cannot be made, because the one before it
// failed, is returned with an error: it is recorded as unsent, and Follow is
// asked for the turn after it. Follow sets Seq, which orders the records, and is
// called by many goroutines at once.
type Follow func(ctx context.Context, last Record) (Request, bool, error)

func (c Cell) timeout() time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return DefaultTimeout
}

func (c Cell) spread() time.Duration {
	if c.Spread == 0 {
		return DefaultSpread
	}
	return max(c.Spread, 0)
}

// validate lists everything that makes a cell impossible to send.
func (c Cell) validate() error {
	var faults []error
	add := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	s := c.Schedule
	if len(c.Requests) != s.Requests {
		add("the schedule has %d requests, the cell %d", s.Requests, len(c.Requests))
	}
	switch s.Kind {
	case arrival.Open:
		if len(s.At) != s.Requests {
			add("the schedule has %d requests, but %d arrivals", s.Requests, len(s.At))
		}
		for i := 1; i < len(s.At); i++ {
			if s.At[i] < s.At[i-1] {
				add("arrival %d comes before arrival %d", i, i-1)
				break
			}
		}
	case arrival.Refill:
		if s.Concurrency < 1 {
			add("a closed loop needs a place, not %d", s.Concurrency)
		}
	case arrival.Batched:
		next := 0
		for i, b := range s.Batches {
			if b.First != next || b.Size < 1 {
				add("batch %d has %d requests from %d on, expected some from %d on", i, b.Size, b.First, next)
				break
			}
			next += b.Size
		}
		if next != s.Requests {
			add("the batches hold %d requests of %d", next, s.Requests)
		}
	default:
		add("unknown kind of schedule %q", s.Kind)
	}
	if c.Follow != nil && s.Kind != arrival.Refill {
		add("only a closed loop with refill can follow up")
	}
	return errors.Join(faults...)
}

// places returns how many requests can be under way at once, 0 for no limit.
func (c Cell) places() int {
	switch c.Schedule.Kind {
	case arrival.Open:
		return min(c.Schedule.MaxConcurrency, len(c.Requests))
	case arrival.Batched:
		most := 0
		for _, b := range c.Schedule.Batches {
			most = max(most, b.Size)
		}
		return most
	default:
		return min(c.Schedule.Concurrency, len(c.Requests))
	}
}

// mostConnections is how many connections are opened ahead for an open loop
// without a limit.
const mostConnections = 256

// connections returns how many connections to open first. An open loop without a
// limit gets as many as requests come in its busiest second.
func (c Cell) connections() int {
	switch {
	case c.Connections > 0:
		return c.Connections
	case c.places() > 0:
		return c.places()
	default:
		return min(busiest(c.Schedule.At, time.Second), mostConnections)
	}
}

// busiest returns the most arrivals within a span.
func busiest(at []Offset, span time.Duration) int {
	most, from := 0, 0
	for i := range at {
		for at[i]-at[from] >= span {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}
