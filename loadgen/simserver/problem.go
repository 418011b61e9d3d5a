package simserver

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Problem is something that is wrong in a Config.
type Problem struct {
	Section string // the table of a profile: empty, "request", "engine" or "fault[0]"
	Key     string // in it
	Message string
}

// Error names section and key.
func (p Problem) Error() string {
	text := p.Key + ": " + p.Message
	if p.Section != "" {
		return p.Section + "." + text
	}
	return text
}

// asError returns the problems as one error, or nil.
func asError(list []Problem) error {
	errs := make([]error, len(list))
	for i, p := range list {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// problems collects problems of one section.
type problems struct {
	section string
	list    []Problem
}

// want notes a problem unless ok.
func (p *problems) want(ok bool, key, format string, args ...any) {
	if !ok {
		p.list = append(p.list, Problem{p.section, key, fmt.Sprintf(format, args...)})
	}
}

func (p *problems) atLeast(key string, got, least int) {
	p.want(got >= least, key, "%d is less than %d", got, least)
}

func (p *problems) notNegative(key string, d time.Duration) {
	p.want(d >= 0, key, "%v is negative", d)
}

// Problems returns everything that is wrong.
func (c *Config) Problems() []Problem {
	var p problems
	p.want(strings.HasPrefix(c.Model, Prefix) && c.Model != Prefix, "model", "%q does not begin with %s", c.Model, Prefix)
	p.atLeast("max_model_len", c.MaxModelLen, 2)
	p.want(c.KeepAlive > 0, "keep_alive_ms", "%v is not positive", c.KeepAlive)
	p.atLeast("senders", c.Senders, 1)
	p.atLeast("log_keep", c.LogKeep, 0)
	list := append(p.list, c.Request.problems()...)
	for i := range c.Faults {
		list = append(list, c.Faults[i].problems(fmt.Sprintf("fault[%d]", i))...)
	}
	if c.Engine != nil {
		list = append(list, c.Engine.problems()...)
	}
	return list
}

func (o *Options) problems() []Problem {
	p := problems{section: "request"}
	p.notNegative("ttft_ms", o.TTFT)
	p.notNegative("itl_ms", o.ITL)
	p.atLeast("tokens", o.Tokens, 1)
	p.atLeast("eos", o.EOS, 0)
	p.atLeast("draft", o.Draft, 0)
	p.want(o.Draft == 0 || len(o.Acceptance) > 0, "acceptance", "missing beside draft")
	for _, share := range o.Acceptance {
		p.want(share >= 0 && share <= 1, "acceptance", "%v is not in [0,1]", share)
	}
	p.atLeast("chunk", o.Chunk, 1)
	p.atLeast("hold", o.Hold, 0)
	p.want(o.Hold != 1, "hold", "1 would hold every token back")
	p.atLeast("coalesce", o.Coalesce, 1)
	p.atLeast("split", o.Split, 1)
	p.notNegative("split_gap_ms", o.SplitGap)
	p.notNegative("comment_every_ms", o.CommentEvery)
	p.atLeast("reasoning", o.Reasoning, 0)
	p.atLeast("tool", o.Tool, 0)
	p.fault(&o.Fault, "fault_")
	return p.list
}

func (r *Rule) problems(section string) []Problem {
	p := problems{section: section}
	p.want(r.Kind != NoFault, "kind", "missing")
	p.want(r.Share >= 0 && r.Share <= 1, "share", "%v is not in [0,1]", r.Share)
	p.want(r.Share > 0 || len(r.Requests) > 0, "share", "neither share nor requests: the fault would never strike")
	p.fault(&r.Fault, "")
	return p.list
}

// fault checks a fault whose keys have a prefix.
func (p *problems) fault(f *Fault, prefix string) {
	p.atLeast(prefix+"after", f.After, 0)
	p.want(f.Status == 0 || f.Status >= 400 && f.Status <= 599, prefix+"status", "%d is not an error status", f.Status)
	p.notNegative(prefix+"gap_ms", f.Gap)
}

func (e *Engine) problems() []Problem {
	p := problems{section: "engine"}
	p.want(e.PrefillRate > 0, "prefill_tok_per_s", "%v is not positive", e.PrefillRate)
	p.want(len(e.Steps) > 0, "step_batch", "no step times")
	before := 0
	for _, s := range e.Steps {
		p.want(s.Batch > before, "step_batch", "batch sizes must be positive and rise")
		p.want(s.Time > 0, "step_ms", "%v is not positive", s.Time)
		before = s.Batch
	}
	p.notNegative("draft_ms", e.DraftTime)
	p.atLeast("max_num_seqs", e.MaxSeqs, 1)
	p.atLeast("max_num_batched_tokens", e.MaxTokens, 1)
	p.atLeast("block_tokens", e.BlockTokens, 1)
	p.want(e.KVTokens >= e.BlockTokens, "kv_tokens", "%d is less than a block", e.KVTokens)
	return p.list
}
