package simserver

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A sequence is a request inside the engine.
type sequence struct {
	answer   *answer
	ids      []int32 // prompt and what was generated
	prompt   int     // of ids
	computed int     // of ids, in the KV cache
	blocks   []*block
	hashes   []uint64 // of full blocks of ids, as far as they were needed
	salt     uint64
	drafts   drafts

	work   int  // tokens that the step under way computes
	draft  bool // it guesses ahead
	again  bool // it ran before: its prompt is counted
	closed bool // nothing more is wanted
}

// An engineCore runs steps: while one is under way, requests wait for its end. The
// end of a step is the start of the next, so its times do not drift however late
// it is run.
type engineCore struct {
	entry
	Engine
	srv *Server
	out *dispatcher

	mu    sync.Mutex
	inbox []*sequence

	waiting  []*sequence
	running  []*sequence
	pool     *blockPool
	reset    atomic.Bool // the prefix cache is to be emptied
	stepping bool
	ends     Offset // of the step under way, or of the last one
}

func newEngineCore(srv *Server, e Engine, out *dispatcher) *engineCore {
	return &engineCore{Engine: e, srv: srv, out: out, pool: newBlockPool(e.KVTokens / e.BlockTokens)}
}

func (e *engineCore) slot() *entry { return &e.entry }

// submit queues a request. Any goroutine may call it.
func (e *engineCore) submit(s *sequence) {
	e.mu.Lock()
	e.inbox = append(e.inbox, s)
	e.mu.Unlock()
	e.srv.counts.waiting.Add(1)
	e.out.add(e, s.answer.rec.Arrived)
}

// run implements task.
func (e *engineCore) run(now Offset) {
	e.mu.Lock()
	arrived := e.inbox
	e.inbox = nil
	e.mu.Unlock()
	e.waiting = append(e.waiting, arrived...)
	if e.reset.Swap(false) {
		e.pool.forget()
	}
	defer func() { e.srv.counts.kvUsed.Store(int64(e.pool.used)) }()
	for {
		if e.stepping {
			if now < e.ends {
				e.out.add(e, e.ends)
				return
			}
			e.stepping = false
			e.finishStep(now)
		}
		e.dropGone()
		if len(e.waiting)+len(e.running) == 0 {
			return
		}
		begin := e.ends
		if len(e.running) == 0 {
			begin = max(begin, e.waiting[0].answer.rec.Arrived)
		}
		took := e.startStep(begin)
		if took == 0 {
			// Nothing runs, and the first in the queue does not fit: an answer that
			// never ends has come to the end of the memory. It stalls.
			e.waiting[0].closed = true
			continue
		}
		e.stepping, e.ends = true, begin+took
	}
}

// dropGone forgets requests whose answers have ended.
func (e *engineCore) dropGone() {
	e.running = slices.DeleteFunc(e.running, func(s *sequence) bool {
		if !s.closed {
			return false
		}
		e.free(s)
		e.srv.counts.running.Add(-1)
		return true
	})
	e.waiting = slices.DeleteFunc(e.waiting, func(s *sequence) bool {
		if !s.closed {
			return false
		}
		e.srv.counts.waiting.Add(-1)
		return true
	})
}

// startStep decides what the next step computes and returns how long that takes;
// 0 when there is nothing to compute.
func (e *engineCore) startStep(begin Offset) time.Duration {
	p := stepPlan{budget: e.MaxTokens}
	for i := 0; i < len(e.running); i++ {
		e.plan(&p, e.running[i])
	}
	for !p.preempted && len(e.waiting) > 0 && len(e.running) < e.MaxSeqs && p.budget > 0 {
		s := e.waiting[0]
		if s.answer.rec.Arrived > begin {
			break // the step is begun late: s was not there yet
		}
		e.reuse(s)
		work := min(len(s.ids)-s.computed, p.budget)
		if !e.fit(s, s.computed+work) {
			e.free(s)
			break
		}
		e.admit(s, begin)
		s.work, s.draft = work, false
		p.budget -= work
		p.prefill += work
	}
	if p.decoding+p.prefill == 0 {
		return 0
	}
	took := time.Duration(float64(p.prefill) / e.PrefillRate * float64(time.Second))
	if p.decoding > 0 {
		took += e.stepTime(p.decoding)
	}
	if p.drafting {
		took += e.DraftTime
	}
	return max(took, time.Microsecond) // steps of no time would never end
}

// A stepPlan is what a step is made of.
type stepPlan struct {
	budget    int // tokens it can still compute
	decoding  int // requests
	prefill   int // tokens
	drafting  bool
	preempted bool
}

// plan gives a running request its part of the next step. Where memory is short,
// the requests that came last lose theirs, in the end s itself.
func (e *engineCore) plan(p *stepPlan, s *sequence) {
	s.work, s.draft = 0, false
	decodes := len(s.ids) > s.prompt && len(s.ids)-s.computed == 1
	ahead := 0
	if decodes && s.drafts.length < p.budget {
		ahead = s.drafts.length
	}
	work := min(len(s.ids)-s.computed, p.budget)
	if work == 0 {
		return
	}
	for !e.fit(s, s.computed+work+ahead) {
		last := e.running[len(e.running)-1]
		e.running = e.running[:len(e.running)-1]
		e.preempt(last)
		p.preempted = true
		if last == s {
			return
		}
	}
	s.work, s.draft = work, ahead > 0
	p.budget -= work + ahead
	if decodes {
		p.decoding++
		p.drafting = p.drafting || s.draft
	} else {
		p.prefill += work
	}
}

// admit moves the first in the queue among those that run.
func (e *engineCore) admit(s *sequence, begin Offset) {
	e.waiting = e.waiting[1:]
	e.running = append(e.running, s)
	e.srv.counts.waiting.Add(-1)
	e.srv.counts.running.Add(1)
	if s.again {
		return
	}
	s.again = true
	s.answer.started = begin
	s.answer.rec.CachedTokens = s.computed
	if e.PrefixCache {
		e.srv.counts.prefixQueries.Add(int64(len(s.ids)))
		e.srv.counts.prefixHits.Add(int64(s.computed))
	}
}

// preempt takes a running request's memory; it will be computed anew, first of all
// that wait.
func (e *engineCore) preempt(s *sequence) {
	e.free(s)
	s.work = 0
	s.answer.rec.Preempted++
	e.waiting = slices.Insert(e.waiting, 0, s)
	e.srv.counts.preemptions.Add(1)
	e.srv.counts.running.Add(-1)
	e.srv.counts.waiting.Add(1)
}

// stepTime returns the time of a decoding step with n requests.
func (e *Engine) stepTime(n int) time.Duration {
	steps := e.Steps
	if n <= steps[0].Batch || len(steps) == 1 {
		return steps[0].Time
	}
	i := 1
	for i < len(steps)-1 && n > steps[i].Batch {
		i++
	}
	a, b := steps[i-1], steps[i]
	slope := float64(b.Time-a.Time) / float64(b.Batch-a.Batch)
	return a.Time + time.Duration(slope*float64(n-a.Batch))
}

// finishStep hands out what the step under way computed.
func (e *engineCore) finishStep(now Offset) {
	for _, s := range e.running {
		if s.work == 0 || s.closed {
			continue
		}
		s.computed += s.work
		s.work = 0
		if s.computed == len(s.ids) {
			tokens := 1
			if s.draft {
				held := s.drafts.accepted()
				e.srv.counts.drafted(s.drafts.length, held)
				tokens += held
			}
			tokens = s.answer.generate(tokens)
			s.answer.push(batch{due: e.ends, tokens: tokens}, now)
			// All but the newest token went through the engine.
			s.computed = len(s.ids) - 1
		}
		e.nameBlocks(s)
	}
}

// fit makes sure that s has blocks for so many tokens.
func (e *engineCore) fit(s *sequence, tokens int) bool {
	missing := (tokens+e.BlockTokens-1)/e.BlockTokens - len(s.blocks)
	if missing > e.pool.room() {
		return false
	}
	for range missing {
		s.blocks = append(s.blocks, e.pool.take())
	}
	return true
}

// free gives all blocks of s back, the last ones to be forgotten first.
func (e *engineCore) free(s *sequence) {
	for _, b := range slices.Backward(s.blocks) {
		e.pool.release(b)
	}
	s.blocks, s.computed = nil, 0
}

// reuse finds blocks that were computed before. At least one token is left to
// compute.
func (e *engineCore) reuse(s *sequence) {
	if !e.PrefixCache {
		return
	}
	for (len(s.blocks)+1)*e.BlockTokens < len(s.ids) {
		b := e.pool.share(e.hash(s, len(s.blocks)))
		if b == nil {
			break
		}
		s.blocks = append(s.blocks, b)
	}
	s.computed = len(s.blocks) * e.BlockTokens
}

// nameBlocks makes the full blocks of s known.
func (e *engineCore) nameBlocks(s *sequence) {
	if !e.PrefixCache {
		return
	}
	for i := s.computed/e.BlockTokens - 1; i >= 0 && i < len(s.blocks) && !s.blocks[i].known; i-- {
		e.pool.name(s.blocks[i], e.hash(s, i))
	}
}

// hash returns the hash of block i of s, which must be full.
func (e *engineCore) hash(s *sequence, i int) uint64 {
	for j := len(s.hashes); j <= i; j++ {
		before := s.salt
		if j > 0 {
			before = s.hashes[j-1]
		}
		s.hashes = append(s.hashes, blockHash(before, s.ids[j*e.BlockTokens:(j+1)*e.BlockTokens]))
	}
	return s.hashes[i]
}

// wake makes the engine look at what has changed.
func (e *engineCore) wake() { e.out.add(e, e.srv.now()) }

// resetCache forgets what no request uses.
func (s *Server) resetCache() {
	if s.engine != nil {
		s.engine.reset.Store(true)
		s.engine.wake()
	}
}
