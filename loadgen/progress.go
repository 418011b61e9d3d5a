package loadgen

import "sync/atomic"

// Progress counts requests while a cell runs, and begins anew after those that warm
// it up. It is read at any time; nothing is called, drawn or logged while requests
// are under way.
type Progress struct {
	Sent   atomic.Int64
	Done   atomic.Int64 // whatever the outcome
	Failed atomic.Int64

	Answers atomic.Int64 // that came to their end and had a token
	TTFT    atomic.Int64 // of all of these together, in nanoseconds
	Tokens  atomic.Int64 // of all of these together, as far as the server counts them
}

// Reset begins to count anew.
func (p *Progress) Reset() {
	for _, n := range []*atomic.Int64{&p.Sent, &p.Done, &p.Failed, &p.Answers, &p.TTFT, &p.Tokens} {
		n.Store(0)
	}
}

// add counts a request that has ended.
func (p *Progress) add(r *Result) {
	p.Done.Add(1)
	switch {
	case r.Outcome != OK:
		p.Failed.Add(1)
	case r.FirstToken != Unknown:
		p.Answers.Add(1)
		p.TTFT.Add(int64(r.FirstToken - r.Sent))
		p.Tokens.Add(int64(max(r.CompletionTokens, 0)))
	}
}
