package simserver

import "time"

// gather returns the tokens of the next event and when they are due; no tokens
// after the last ones, and false when it is not known yet. It holds back what
// goes with later tokens; event takes what it shows.
func (a *answer) gather() (b batch, ok bool) {
	for {
		if len(a.queue) == 0 && a.seq == nil {
			a.schedule()
		}
		if len(a.queue) == 0 {
			return batch{due: a.lastDue}, a.made == a.limit
		}
		b = a.queue[0]
		if a.atLast() || !a.holdsBack(b) {
			b.tokens += a.held
			return b, true
		}
		a.held += b.tokens
		a.pop(b)
	}
}

// atLast reports whether the first of the queue holds the last tokens.
func (a *answer) atLast() bool {
	return a.made == a.limit && len(a.queue) == 1
}

// holdsBack reports whether b goes with the tokens after it.
func (a *answer) holdsBack(b batch) bool {
	if !a.req.stream {
		return true // one body at the end
	}
	if a.seq != nil && a.held+b.tokens < a.opt.Chunk {
		return true
	}
	return a.opt.Hold > 0 && (a.batches+1)%a.opt.Hold == 0
}

// pop removes the first of the queue.
func (a *answer) pop(b batch) {
	a.batches++
	a.lastDue = b.due
	a.queue = a.queue[:copy(a.queue, a.queue[1:])]
}

// schedule makes the next batch of the fixed schedule.
func (a *answer) schedule() {
	if a.made == a.limit {
		return
	}
	due := a.rec.Arrived + a.opt.TTFT
	tokens := a.opt.Chunk
	if a.drafts.length > 0 {
		due += time.Duration(a.steps) * a.opt.ITL
		tokens = 1
		if a.steps > 0 { // the first token comes from the prompt alone
			held := a.drafts.accepted()
			a.srv.counts.drafted(a.drafts.length, held)
			tokens += held
		}
	} else {
		due += time.Duration(a.made) * a.opt.ITL
	}
	tokens = min(tokens, a.limit-a.made)
	a.steps++
	a.made += tokens
	a.queue = append(a.queue, batch{due, tokens})
}

// generate takes tokens from the engine and returns how many of them the answer
// still wants.
func (a *answer) generate(tokens int) int {
	tokens = min(tokens, a.limit-a.made)
	for i := range tokens {
		a.seq.ids = append(a.seq.ids, int32(a.id(a.made+i)))
	}
	a.made += tokens
	a.seq.closed = a.made == a.limit
	return tokens
}

// push adds what the engine computed.
func (a *answer) push(b batch, now Offset) {
	a.queue = append(a.queue, b)
	a.run(now)
}

// word returns the text of token i.
func (a *answer) word(i int) string { return a.opt.Text.word(a.srv.config.Seed, a.rec.Seq, i) }

// id returns token i. Where a word is more than one token, its first stands for it.
func (a *answer) id(i int) int {
	id, _ := nextToken(a.word(i))
	return id
}
