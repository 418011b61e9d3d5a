package simserver

import (
	"maps"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// maxDraft is how many positions of guesses are counted apart.
const maxDraft = 32

// counters count what /metrics and Stats tell.
type counters struct {
	running       atomic.Int64
	waiting       atomic.Int64
	kvUsed        atomic.Int64 // blocks
	prompted      atomic.Int64 // tokens
	generated     atomic.Int64 // tokens
	prefixQueries atomic.Int64 // tokens
	prefixHits    atomic.Int64 // tokens
	preemptions   atomic.Int64
	drafts        atomic.Int64
	draftTokens   atomic.Int64
	accepted      atomic.Int64
	acceptedAt    [maxDraft]atomic.Int64

	mu       sync.Mutex // of the rest, which is counted when an answer ends
	finished map[string]int64
	outcomes map[Outcome]int64
	events   int64
	late     lateness
	ttft     histogram
	itl      histogram
	tpot     histogram
	e2e      histogram
	queue    histogram
	prefill  histogram
	decode   histogram
	infer    histogram
	prompt   histogram
	answer   histogram
}

func (c *counters) init() {
	c.finished = map[string]int64{}
	c.outcomes = map[Outcome]int64{}
	first := []float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560}
	token := []float64{0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80}
	request := []float64{0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680}
	length := []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000}
	c.ttft = newHistogram(first)
	c.itl, c.tpot = newHistogram(token), newHistogram(token)
	for _, h := range []*histogram{&c.e2e, &c.queue, &c.prefill, &c.decode, &c.infer} {
		*h = newHistogram(request)
	}
	c.prompt, c.answer = newHistogram(length), newHistogram(length)
}

// drafted counts one step of speculation.
func (c *counters) drafted(guesses, held int) {
	c.drafts.Add(1)
	c.draftTokens.Add(int64(guesses))
	c.accepted.Add(int64(held))
	for i := range min(held, maxDraft) {
		c.acceptedAt[i].Add(1)
	}
}

// finished counts an answer that has ended, and logs it.
func (s *Server) finished(a *answer) {
	if a.seq == nil {
		s.counts.running.Add(-1)
	}
	if a.opt.Fault.Kind == FaultIdleClose {
		a.conn.resetNext.Store(true)
	}
	s.counts.count(a.rec, a.started)
	s.book.add(a.rec)
	if !s.attach(a.conn, nil) {
		a.conn.link.drop() // its goroutine waits for the next request
	}
}

// refused counts and logs a request that was wrong.
func (s *Server) refused(a *answer) {
	s.counts.mu.Lock()
	s.counts.outcomes[Refused]++
	s.counts.mu.Unlock()
	s.book.add(a.rec)
}

// count counts an answer that has ended.
func (c *counters) count(r *Record, started Offset) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outcomes[r.Outcome]++
	reason := r.Finish
	if reason == "" {
		reason = "abort"
	}
	c.finished[reason]++
	first, last, gaps := Never, Never, 0
	for _, e := range r.Events {
		if e.Sent == Never {
			continue
		}
		c.events++
		c.late.add(e.Sent - e.Due)
		if e.Tokens == 0 {
			continue
		}
		if first == Never {
			first = e.Sent
			c.ttft.add((first - r.Arrived).Seconds())
		} else {
			gaps++
			c.itl.add((e.Sent - last).Seconds())
		}
		last = e.Sent
	}
	c.prompt.add(float64(r.PromptTokens))
	c.answer.add(float64(r.Tokens))
	if first == Never {
		return
	}
	c.e2e.add((last - r.Arrived).Seconds())
	c.queue.add((started - r.Arrived).Seconds())
	c.prefill.add((first - started).Seconds())
	c.decode.add((last - first).Seconds())
	c.infer.add((last - started).Seconds())
	if r.Tokens > 1 && gaps > 0 {
		c.tpot.add((last - first).Seconds() / float64(r.Tokens-1))
	}
}

// Stats sum up what a server did. Events and lateness are those of answers that
// have ended.
type Stats struct {
	Connections int // open now
	Requests    int // for an answer, so far
	Outcomes    map[Outcome]int64
	Events      int64
	Tokens      int64

	// How late events were sent: the time from when the last byte was due until
	// just before the write. The percentiles are upper bounds, within 7 %.
	LateP50, LateP99, LateMax time.Duration
}

func (c *counters) stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{
		Outcomes: maps.Clone(c.outcomes),
		Events:   c.events,
		Tokens:   c.generated.Load(),
		LateP50:  c.late.percentile(0.5),
		LateP99:  c.late.percentile(0.99),
		LateMax:  c.late.most,
	}
}

// lateness is a histogram of times, with 16 buckets for each power of two
// nanoseconds.
type lateness struct {
	buckets [64 * 16]int64
	n       int64
	sum     time.Duration
	most    time.Duration
}

func (l *lateness) add(d time.Duration) {
	d = max(d, 0)
	l.n++
	l.sum += d
	l.most = max(l.most, d)
	l.buckets[bucketOf(uint64(d))]++
}

// bucketOf returns the bucket of x.
func bucketOf(x uint64) int {
	if x < 16 {
		return int(x)
	}
	shift := bits.Len64(x) - 5
	return shift*16 + int(x>>shift)
}

// percentile returns an upper bound of the share q of all times.
func (l *lateness) percentile(q float64) time.Duration {
	left := int64(q * float64(l.n))
	for i, n := range l.buckets {
		if left -= n; left < 0 {
			if i < 16 {
				return time.Duration(i)
			}
			shift := i/16 - 1
			upper := time.Duration(uint64(i-shift*16+1)<<shift) - 1
			return min(upper, l.most)
		}
	}
	return l.most
}

// A histogram is one of Prometheus.
type histogram struct {
	bounds []float64
	counts []int64 // not cumulative; the last one is above all bounds
	sum    float64
}

func newHistogram(bounds []float64) histogram {
	return histogram{bounds: bounds, counts: make([]int64, len(bounds)+1)}
}

func (h *histogram) add(x float64) {
	i := 0
	for i < len(h.bounds) && x > h.bounds[i] {
		i++
	}
	h.counts[i]++
	h.sum += x
}
