package openai

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/sse"
)

// Notes that a Result may carry: what was odd about an answer without making it a
// failure.
const (
	NoteOtherChoices = "other_choices" // it had choices besides the first, which do not count
	NoteNoDone       = "no_done"       // it ended after the finish reason, without [DONE]
	NoteHeldOpen     = "held_open"     // it said [DONE], but did not end within DrainTimeout
	NoteContentType  = "content_type"  // it is a stream, but its header says otherwise
	NoteUsageDiffers = "usage_differs" // the tokens of its chunks add up to another number than its usage
)

// An answer is what has been read of an answer. The moment of a chunk is that of
// the read that brought the end of its data: from then on it was known.
type answer struct {
	res    *loadgen.Result
	origin time.Time
	want   int  // tokens asked for, 0 when unknown
	keep   bool // keep the visible text

	text     []byte // visible text as it stands in JSON
	counted  int    // tokens up to the last usage
	running  bool   // a chunk without a finish reason had usage: it may run along
	tokens   int    // tokens of the arrivals, or chunks
	events   int
	done     bool // [DONE]
	failed   bool // res.Outcome and res.Error say why
	overlong bool // failed because it did not end
}

// event adds an event and reports whether to read on.
func (a *answer) event(e sse.Event) bool {
	a.events++
	if e.Coalesced {
		a.res.Coalesced++
	}
	switch {
	case string(bytes.TrimSpace(e.Data)) == "[DONE]":
		a.done = true
		return false
	case string(e.Type) == "error":
		return a.fail(loadgen.StreamError, string(e.Data))
	}
	c, err := parse(e.Data)
	switch {
	case err != nil && e.Unterminated:
		return true // cut off with the stream, which says so next
	case err != nil:
		return a.fail(loadgen.Malformed, fmt.Sprintf("%v: %s", err, e.Data))
	case c.failed:
		return a.fail(loadgen.StreamError, string(e.Data))
	}
	a.chunk(c, e.Last.Sub(a.origin))
	if f := a.res.Finish; f == "error" || f == "abort" {
		return a.fail(loadgen.StreamError, string(e.Data))
	}
	return a.withinLimit()
}

// fail notes a failure.
func (a *answer) fail(o loadgen.Outcome, text string) bool {
	a.failed, a.res.Outcome, a.res.Error = true, o, text
	return false
}

// withinLimit reports whether the server still keeps to the number of tokens that
// it was asked for. Some ignore it and never end. An eighth more is let pass: a
// step of speculative decoding overshoots, and a chunk need not be a token.
func (a *answer) withinLimit() bool {
	limit := a.want + a.want/8 + 16
	if a.want <= 0 || a.tokens <= limit {
		return true
	}
	a.overlong = true
	return a.fail(loadgen.Malformed, fmt.Sprintf("cut off after %d tokens: the server was asked for %d", a.tokens, a.want))
}

// chunk adds a chunk that arrived at a moment.
func (a *answer) chunk(c chunk, at loadgen.Offset) {
	if c.others {
		a.note(NoteOtherChoices)
	}
	added := loadgen.Unknown // tokens since the last usage
	if c.completion != loadgen.Unknown {
		added = c.completion - a.counted
		a.counted = c.completion
	}
	switch {
	case c.token || c.ids > 0 || a.grew(c, added):
		a.arrive(c, added, at)
	case c.choice:
		a.res.Bare = append(a.res.Bare, at)
	case c.usage:
		a.res.Usage = at
	}
	if c.choice && c.usage && c.finish == nil {
		a.running = true
	}
	if c.usage {
		a.setUsage(c)
	}
	if c.finish != nil {
		a.res.Finish = string(c.finish)
	}
}

// grew reports whether a chunk without text still tells of a token, because the
// usage that runs along with the chunks has grown. Usage that comes once, with
// the finish reason, does not run along.
func (a *answer) grew(c chunk, added int) bool {
	if !c.choice || added <= 0 {
		return false
	}
	if len(a.res.Arrivals) == 0 {
		return a.running || c.finish == nil
	}
	return a.res.CountedBy == loadgen.ByContinuousUsage
}

// arrive adds a chunk with a token. The first one says how the chunks tell their
// numbers of tokens; when a later one does not, they are not known.
func (a *answer) arrive(c chunk, added int, at loadgen.Offset) {
	r := a.res
	if len(r.Arrivals) == 0 {
		r.FirstToken = at
		r.Arrivals = make([]loadgen.Arrival, 0, min(max(a.want, 16), 1<<16))
		switch {
		case added >= 0:
			r.CountedBy = loadgen.ByContinuousUsage
		case c.ids >= 0:
			r.CountedBy = loadgen.ByTokenIDs
		default:
			r.CountedBy = loadgen.ByChunks
		}
	}
	n := 1
	switch {
	case r.CountedBy == loadgen.ByContinuousUsage && added >= 0:
		n = added
	case r.CountedBy == loadgen.ByTokenIDs && c.ids >= 0:
		n = c.ids
	default:
		r.CountedBy = loadgen.ByChunks
	}
	a.tokens += n
	r.Arrivals = append(r.Arrivals, loadgen.Arrival{At: at, Tokens: n})
	r.LastToken = at
	if c.visible {
		if r.FirstVisible == loadgen.Unknown {
			r.FirstVisible = at
		}
		if a.keep {
			a.text = append(a.text, c.text...)
		}
	}
}

// setUsage takes over what a chunk's usage says.
func (a *answer) setUsage(c chunk) {
	for _, f := range []struct {
		into *int
		n    int
	}{{&a.res.PromptTokens, c.prompt}, {&a.res.CompletionTokens, c.completion}, {&a.res.CachedTokens, c.cached}} {
		if f.n != loadgen.Unknown {
			*f.into = f.n
		}
	}
}

// note adds a note once.
func (a *answer) note(code string) {
	if !slices.Contains(a.res.Notes, code) {
		a.res.Notes = append(a.res.Notes, code)
	}
}

// settle counts what can be counted only at the end.
func (a *answer) settle() {
	r := a.res
	r.Chunks = len(r.Arrivals)
	switch r.CountedBy {
	case loadgen.ByContinuousUsage, loadgen.ByTokenIDs:
		if r.CompletionTokens == loadgen.Unknown {
			r.CompletionTokens = a.tokens
		} else if r.CompletionTokens != a.tokens {
			a.note(NoteUsageDiffers)
		}
	case loadgen.ByChunks:
		each := 1
		if r.CompletionTokens != loadgen.Unknown {
			r.CountedBy = loadgen.ByUsage
			if r.CompletionTokens != r.Chunks {
				each = loadgen.Unknown
			}
		}
		for i := range r.Arrivals {
			r.Arrivals[i].Tokens = each
		}
	}
	if a.keep {
		text, err := unquote(a.text)
		if err != nil && !a.failed {
			a.fail(loadgen.Malformed, err.Error())
		}
		r.Text = text
	}
}
