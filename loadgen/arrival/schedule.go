package arrival

import (
	"math"
	"time"
)

// A Kind says what a schedule's next request waits for.
type Kind string

// The kinds of schedule.
const (
	Open    Kind = "open"    // its own time: arrivals do not wait for answers
	Refill  Kind = "refill"  // a place: a slot sends its next request when its last one ended
	Batched Kind = "batched" // the whole batch before it: requests go out together
)

// A Schedule says when each of its requests is sent. Requests are numbered from
// 0 in the order in which they are sent.
type Schedule struct {
	Kind     Kind
	Requests int // all of them, those of warm-up batches included

	// Open only. At holds a moment for every request, ascending. MaxConcurrency
	// caps the requests in flight, 0 for none; a request whose time has come
	// waits for a place, and that wait is measured apart.
	At             []time.Duration
	MaxConcurrency int

	Concurrency int     // Refill and Batched: requests in flight, at least 1
	Batches     []Batch // Batched only, in order; their sizes add up to Requests
}

// A Batch is a group of requests that are sent together. The batch is over when
// every one of them has ended.
type Batch struct {
	First  int  // number of its first request
	Size   int  // requests, at least 1
	Warmup bool // sent, but not measured
}

// ClosedLoop returns the schedule of a closed loop: concurrency slots, each
// sending its next request as soon as its last one ended, until all are sent.
func ClosedLoop(concurrency, requests int) Schedule {
	return Schedule{Kind: Refill, Requests: max(requests, 0), Concurrency: max(concurrency, 1)}
}

// Synchronised returns the schedule of llama-benchy: batches of concurrency
// requests, first those of the warm-up, then the measured runs.
func Synchronised(concurrency, warmup, runs int) Schedule {
	s := Schedule{Kind: Batched, Concurrency: max(concurrency, 1)}
	for i := range max(warmup, 0) + max(runs, 0) {
		s.Batches = append(s.Batches, Batch{First: s.Requests, Size: s.Concurrency, Warmup: i < warmup})
		s.Requests += s.Concurrency
	}
	return s
}

// OpenLoop returns an open loop that sends a request at each of the given
// moments, in seconds and ascending; maxConcurrency 0 is no cap.
func OpenLoop(seconds []float64, maxConcurrency int) Schedule {
	s := Schedule{Kind: Open, Requests: len(seconds), MaxConcurrency: max(maxConcurrency, 0)}
	s.At = make([]time.Duration, len(seconds))
	for i, t := range seconds {
		s.At[i] = time.Duration(math.Round(t * float64(time.Second)))
	}
	return s
}

// Warmup reports whether a request, by its number, belongs to a warm-up batch.
func (s Schedule) Warmup(request int) bool {
	for _, b := range s.Batches {
		if request >= b.First && request < b.First+b.Size {
			return b.Warmup
		}
	}
	return false
}
