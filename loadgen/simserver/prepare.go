package simserver

import (
	"strconv"
	"time"
)

// newAnswer returns an answer of which nothing is known but when its request
// arrived.
func (s *Server) newAnswer(c *conn, arrived Offset) *answer {
	return &answer{
		srv:  s,
		conn: c,
		out:  s.out(c.number),
		opt:  s.config.Request,
		rec: &Record{
			Seq:     int(s.asked.Add(1) - 1),
			Conn:    c.number,
			Use:     c.use,
			Arrived: arrived,
			Headers: Never,
			Ended:   Never,
		},
		done: make(chan struct{}),
	}
}

// prepare decides what is generated. The error is a refusal.
func (a *answer) prepare(req *request) error {
	s := a.srv
	a.req = req
	a.rec.Stream = req.stream
	a.rec.PromptTokens = req.prompt
	if req.prompt >= s.config.MaxModelLen {
		return badRequest("messages", "This model's maximum context length is %d tokens. However, your request has %d input tokens.", s.config.MaxModelLen, req.prompt)
	}
	if req.prompt+req.limit > s.config.MaxModelLen {
		return badRequest("max_tokens", "This model's maximum context length is %d tokens. However, you requested %d output tokens and your prompt contains %d.", s.config.MaxModelLen, req.limit, req.prompt)
	}
	for i := range s.config.Faults {
		if r := &s.config.Faults[i]; a.opt.Fault.Kind == NoFault && r.meets(s.config.Seed, i, a.rec.Seq) {
			a.opt.Fault = r.Fault
		}
	}
	a.setLimit()
	if a.opt.Fault.throughout() {
		a.rec.Fault = a.opt.Fault.Kind
	}
	if a.opt.Fault.Kind == FaultEndless {
		a.limit = unlimited
	}
	if !req.chat {
		a.opt.Reasoning, a.opt.Tool = 0, 0
	}
	a.drafts = newDrafts(&a.opt, s.config.Seed, a.rec.Seq)
	a.rec.Events = make([]Event, 0, min(a.limit/a.opt.Chunk+3, 1<<12))
	a.setHead()
	if s.engine == nil {
		if !req.returnIDs {
			req.ids = nil
		}
		return nil
	}
	e := &s.engine.Engine
	most := a.limit + a.drafts.length + req.prompt
	if a.opt.Fault.Kind != FaultEndless && most > e.KVTokens/e.BlockTokens*e.BlockTokens {
		return badRequest("max_tokens", "prompt and answer need %d tokens of the KV cache, which has %d.", most, e.KVTokens)
	}
	a.seq = &sequence{answer: a, ids: req.ids, prompt: req.prompt, salt: req.salt, drafts: a.drafts}
	return nil
}

// setLimit decides how long the answer is and why it ends there.
func (a *answer) setLimit() {
	a.limit, a.reason = a.opt.Tokens, "stop"
	if a.req.limit > 0 {
		a.limit, a.reason = a.req.limit, "length"
	}
	if stop := max(a.opt.EOS, a.req.minimum); a.opt.EOS > 0 && !a.req.ignoreEOS && stop < a.limit {
		a.limit, a.reason = stop, "stop"
	}
	if a.opt.Tool > 0 && a.req.chat && a.reason == "stop" {
		a.reason = "tool_calls"
	}
}

// setHead composes what all events of the answer begin with.
func (a *answer) setHead() {
	id, object := "chatcmpl-sim-", "chat.completion"
	switch {
	case !a.req.chat:
		id, object = "cmpl-sim-", "text_completion"
	case a.req.stream:
		object = "chat.completion.chunk"
	}
	p := append(append(a.conn.scratch[:0], `"id":"`...), id...)
	p = strconv.AppendInt(p, int64(a.rec.Seq), 10)
	p = append(append(append(p, `","object":"`...), object...), `","created":`...)
	p = strconv.AppendInt(p, time.Now().Unix(), 10)
	p = append(append(append(p, `,"model":`...), quote(a.srv.config.Model)...), ',')
	a.conn.scratch, a.req.head = p, string(p)
}

// ready counts an answer that is about to start.
func (a *answer) ready() {
	a.started = a.rec.Arrived
	a.srv.counts.prompted.Add(int64(a.rec.PromptTokens))
	if a.seq == nil {
		a.srv.counts.running.Add(1)
	}
}

// start gives the answer to its dispatcher.
func (a *answer) start() {
	if a.seq != nil {
		a.srv.engine.submit(a.seq)
	}
	a.out.add(a, a.rec.Arrived)
}
