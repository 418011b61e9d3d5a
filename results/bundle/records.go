package bundle

import (
	"fmt"
	"slices"
)

// Records holds the requests of a cell that Arena itself measured, in columns of
// the same length: one entry per request, in the order of the schedule, one
// repetition after the other. Moments count from the cell's StartedAt; null is
// one that never came, and a count that the server did not give. Columns that say
// nothing are absent.
type Records struct {
	Repetition        []int    `json:"repetition,omitempty"`    // from 0; absent with a single one
	Turn              []int    `json:"turn,omitempty"`          // of a conversation, from 1; absent without conversations
	ScheduledUS       []*int64 `json:"scheduled_us"`            // when it was to go out: in a closed loop the end of the slot's last answer
	QueuedUS          []*int64 `json:"queued_us,omitempty"`     // how long it waited for a place after that, open loop with a cap
	SentUS            []*int64 `json:"sent_us"`                 // just before its first byte
	FirstByteUS       []*int64 `json:"first_byte_us"`           // of the answer's body
	FirstTokenUS      []*int64 `json:"first_token_us"`          // first chunk with a token on any channel
	FirstVisibleUS    []*int64 `json:"first_visible_us"`        // first chunk with visible text
	LastTokenUS       []*int64 `json:"last_token_us"`           // last chunk with a token
	DoneUS            []*int64 `json:"done_us"`                 // end of the answer, read or failed
	AskedPromptTokens []int64  `json:"asked_prompt_tokens"`     // length that the prompt was to have
	AskedOutputTokens []int64  `json:"asked_output_tokens"`     // most tokens that the answer could have
	PromptTokens      []*int64 `json:"prompt_tokens"`           // as the server counted them
	CompletionTokens  []*int64 `json:"completion_tokens"`       // as the server counted them
	Chunks            []int64  `json:"chunks"`                  // chunks with a token
	Outcome           []string `json:"outcome"`                 // "ok", or how it failed
	Status            []int    `json:"status,omitempty"`        // HTTP status, 0 without an answer; absent when all are 200
	Finish            []string `json:"finish_reason,omitempty"` // as the server said it, "" without one
}

// The outcomes of a request.
const (
	OutcomeOK          = "ok"
	OutcomeConnect     = "connect"      // no connection, or it broke before any byte of the answer
	OutcomeTimeout     = "timeout"      // took longer than allowed
	OutcomeHTTPStatus  = "http_status"  // an answer other than 200
	OutcomeStreamError = "stream_error" // an error event inside a 200 answer
	OutcomeTruncated   = "truncated"    // the stream ended without a finish reason
	OutcomeMalformed   = "malformed"    // what came was not the protocol
	OutcomeCancelled   = "cancelled"    // the run was stopped while the answer was under way
	OutcomeUnsent      = "unsent"       // the run ended before it was sent
)

var outcomes = []string{
	OutcomeOK, OutcomeConnect, OutcomeTimeout, OutcomeHTTPStatus, OutcomeStreamError, OutcomeTruncated,
	OutcomeMalformed, OutcomeCancelled, OutcomeUnsent,
}

// Len returns the number of requests.
func (r *Records) Len() int { return len(r.Outcome) }

// records reports columns of different lengths, unknown outcomes, moments out of
// order, and answers without what every answer has.
func (c *checker) records(at string, r *Records) {
	if r == nil {
		return
	}
	n := r.Len()
	if n == 0 {
		c.missing(at+"/outcome", "records without a request; leave them out")
	}
	for _, col := range r.columns() {
		if col.n != n && (!col.optional || col.n != 0) {
			c.faultf(at+"/"+col.key, "%d entries, but outcome has %d", col.n, n)
			return
		}
	}
	for i, o := range r.Outcome {
		if !slices.Contains(outcomes, o) {
			c.faultf(fmt.Sprintf("%s/outcome/%d", at, i), "%q is not an outcome", o)
		}
		c.moments(at, r, i)
	}
}

type recordColumn struct {
	key      string
	n        int
	optional bool
}

func (r *Records) columns() []recordColumn {
	return []recordColumn{
		{"repetition", len(r.Repetition), true},
		{"turn", len(r.Turn), true},
		{"scheduled_us", len(r.ScheduledUS), false},
		{"queued_us", len(r.QueuedUS), true},
		{"sent_us", len(r.SentUS), false},
		{"first_byte_us", len(r.FirstByteUS), false},
		{"first_token_us", len(r.FirstTokenUS), false},
		{"first_visible_us", len(r.FirstVisibleUS), false},
		{"last_token_us", len(r.LastTokenUS), false},
		{"done_us", len(r.DoneUS), false},
		{"asked_prompt_tokens", len(r.AskedPromptTokens), false},
		{"asked_output_tokens", len(r.AskedOutputTokens), false},
		{"prompt_tokens", len(r.PromptTokens), false},
		{"completion_tokens", len(r.CompletionTokens), false},
		{"chunks", len(r.Chunks), false},
		{"status", len(r.Status), true},
		{"finish_reason", len(r.Finish), true},
	}
}

// moments checks one request: its moments come in order, and an answer has them.
func (c *checker) moments(at string, r *Records, i int) {
	var last *int64
	for _, m := range []struct {
		key string
		at  *int64
	}{
		{"sent_us", r.SentUS[i]},
		{"first_byte_us", r.FirstByteUS[i]},
		{"first_token_us", r.FirstTokenUS[i]},
		{"last_token_us", r.LastTokenUS[i]},
		{"done_us", r.DoneUS[i]},
	} {
		if m.at == nil {
			continue
		}
		if *m.at < 0 || *m.at > most {
			c.faultf(fmt.Sprintf("%s/%s/%d", at, m.key, i), "%d is no moment of a run", *m.at)
		}
		if last != nil && *m.at < *last {
			c.faultf(fmt.Sprintf("%s/%s/%d", at, m.key, i), "%d is before %d, the moment before it", *m.at, *last)
		}
		last = m.at
	}
	if r.Outcome[i] == OutcomeOK && (r.SentUS[i] == nil || r.FirstByteUS[i] == nil || r.DoneUS[i] == nil) {
		c.missing(fmt.Sprintf("%s/sent_us/%d", at, i), "an answer has a moment of sending, a first byte and an end")
	}
	if r.Outcome[i] != OutcomeUnsent && r.SentUS[i] == nil && r.Outcome[i] != OutcomeConnect && r.Outcome[i] != OutcomeCancelled {
		c.missing(fmt.Sprintf("%s/sent_us/%d", at, i), "only an unsent request has none")
	}
	for _, n := range []struct {
		key   string
		count *int64
	}{
		{"prompt_tokens", r.PromptTokens[i]},
		{"completion_tokens", r.CompletionTokens[i]},
		{"chunks", &r.Chunks[i]},
		{"asked_prompt_tokens", &r.AskedPromptTokens[i]},
		{"asked_output_tokens", &r.AskedOutputTokens[i]},
	} {
		if n.count != nil {
			c.tally(fmt.Sprintf("%s/%s/%d", at, n.key, i), *n.count)
		}
	}
}
