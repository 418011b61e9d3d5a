// Package loadgen sends a schedule of requests to an OpenAI-compatible endpoint
// and records what came back. It knows no bundle, no percentile and no page.
//
// All times are offsets from one monotonic origin, the start of the schedule, in
// nanoseconds; Unknown stands for a moment that never came. A failed request is
// a record with an outcome, never a gap.
package loadgen

import (
	"context"
	"time"
)

// Unknown is an Offset of something that did not happen, and a count that the
// server did not give.
const Unknown = -1

// An Offset is a moment: the time since the start of the schedule.
type Offset = time.Duration

// A Request is one request of a schedule. Its body is complete before it is due.
type Request struct {
	Seq          int    // position in the schedule, from 0
	At           Offset // when an open loop sends it; 0 in a closed loop
	Body         []byte
	PromptTokens int  // tokens that the prompt was made to have
	OutputTokens int  // tokens asked for: the hard cap on what is read as well
	KeepText     bool // keep the visible text of the answer in Result.Text: the next turn needs it
}

// An Outcome says how a request ended.
type Outcome string

// The outcomes. Everything but OK is a failure.
const (
	OK          Outcome = "ok"
	Connect     Outcome = "connect"      // no connection, or it broke before any byte of the answer
	Timeout     Outcome = "timeout"      // took longer than allowed
	HTTPStatus  Outcome = "http_status"  // an answer other than 200
	StreamError Outcome = "stream_error" // an error event inside a 200 answer
	Truncated   Outcome = "truncated"    // the stream ended without a finish reason
	Malformed   Outcome = "malformed"    // what came is not the protocol
	Cancelled   Outcome = "cancelled"    // the run was stopped while the answer was under way
	Unsent      Outcome = "unsent"       // the run ended before it was sent; no Sender returns it
)

// An Arrival of tokens: Tokens tokens became known at At. With speculative
// decoding one chunk carries several. Tokens is Unknown when the server only told
// the total and it is not the number of chunks: nobody knows then which chunk
// carried how many.
type Arrival struct {
	At     Offset
	Tokens int
}

// The ways in which arrivals get their tokens. A chunk is not a token.
const (
	ByContinuousUsage = "continuous_usage" // usage in every chunk that has a token
	ByTokenIDs        = "token_ids"        // the ids of the tokens in every such chunk
	ByUsage           = "usage"            // only the total: 1 each when it is the number of chunks, else Unknown
	ByChunks          = "chunks"           // not even the total: 1 each, which is a count of chunks
)

// A Result is what one sent request gave. Offsets count from the origin that the
// sender was given.
type Result struct {
	Sent         Offset // just before the first byte of the request is written
	Header       Offset // first byte of the answer: its status line
	FirstByte    Offset // first byte of the answer's body
	FirstToken   Offset // first chunk with a generated token on any channel
	FirstVisible Offset // first chunk with visible text
	LastToken    Offset // last chunk with a token: never the usage chunk or [DONE]
	Done         Offset // end of the answer, read or failed

	PromptTokens     int // as the server counts them; Unknown when it does not say
	CompletionTokens int
	CachedTokens     int
	Chunks           int       // chunks that carried a token
	Arrivals         []Arrival // one per such chunk, in order
	CountedBy        string    // how Arrivals got their tokens: ByContinuousUsage and so on, "" without any
	Bare             []Offset  // chunks with a choice but no token, in order: a role or a finish reason alone
	Usage            Offset    // last event with usage and without a choice
	Coalesced        int       // events that came in the same read as the one before them: they share its moment

	Outcome Outcome
	Text    string   // visible text of the answer, when the request asked to keep it
	Finish  string   // finish reason
	Status  int      // HTTP status, 0 without an answer
	Error   string   // first 2 kB of what the server said was wrong
	Reused  bool     // sent over a connection that was open already
	Broken  bool     // an answer began, but was not read to its own end: the connection broke or was given up
	Resent  int      // times it was sent again because a reused connection was dead before any byte
	Notes   []string // what was odd about the answer without being a failure: codes of the sender's package
}

// NoResult returns a result of which nothing is known: every moment and every
// count is Unknown.
func NoResult() Result {
	return Result{
		Sent: Unknown, Header: Unknown, FirstByte: Unknown, FirstToken: Unknown, FirstVisible: Unknown,
		LastToken: Unknown, Done: Unknown, Usage: Unknown,
		PromptTokens: Unknown, CompletionTokens: Unknown, CachedTokens: Unknown,
	}
}

// A Sender sends one request and reads its answer to the end. It never retries
// by itself and logs nothing. Send blocks until the answer is complete, failed,
// or ctx is done, and returns soon after that: the outcome is Timeout when ctx's
// deadline has passed and Cancelled when ctx was cancelled. Origin is the zero of
// all offsets. Send is called by many goroutines at once.
type Sender interface {
	Send(ctx context.Context, origin time.Time, r Request) Result
}

// A Record is a request with what became of it. A request that was never sent
// has one too: its outcome is Unsent and all its moments are Unknown.
type Record struct {
	Request
	Result
	Warmup bool   // sent, but not measured
	Slot   int    // closed loop: the slot that sent it
	Due    Offset // when it should have gone out: At in an open loop, the end of the slot's last answer in a closed one
	Queued Offset // open loop with a cap: how long it waited for a place after it was due
}

// Lateness is how much later than it could have gone out a request was sent: the
// delay that is the client's own. It is Unknown for a request that was not sent.
func (r Record) Lateness() time.Duration {
	if r.Sent == Unknown {
		return Unknown
	}
	return r.Sent - r.Due - r.Queued
}
