package simserver

import (
	"math/rand/v2"
	"slices"
	"time"
)

// A Fault is a way for an answer to go wrong.
type Fault struct {
	Kind FaultKind

	// After is the number of events with tokens that are sent before it. The fault
	// strikes when the next one is due, or in place of the end of an answer that
	// has no more.
	After int

	Status int           // of the answer of FaultStatus; 0: 500
	Body   string        // of the answer of FaultStatus; empty: an error as vLLM writes it
	Shape  Shape         // of FaultError; empty: ShapeError
	Gap    time.Duration // between the bytes of FaultDrip; 0: 20 ms
}

// FaultKind names a fault.
type FaultKind string

// The faults.
const (
	NoFault        FaultKind = ""
	FaultReset     FaultKind = "reset"      // the connection is reset; with After 0 before any byte of the answer
	FaultHang      FaultKind = "hang"       // nothing is answered, not even headers, and the connection stays open
	FaultStall     FaultKind = "stall"      // nothing more is sent, and the connection stays open
	FaultStatus    FaultKind = "status"     // an answer with an error status
	FaultTruncate  FaultKind = "truncate"   // the body ends properly, but too early
	FaultCut       FaultKind = "cut"        // the connection is closed in the middle of the body
	FaultError     FaultKind = "error"      // an event that tells of an error, then the end
	FaultMalformed FaultKind = "malformed"  // an event that is not JSON, then the rest as it should be
	FaultChunk     FaultKind = "bad_chunk"  // the chunked framing breaks
	FaultDrip      FaultKind = "drip"       // every byte of the events is a write of its own, Gap after the one before it
	FaultEndless   FaultKind = "endless"    // the answer never ends
	FaultIdleClose FaultKind = "idle_close" // the next request on the connection is met by a reset
	FaultHTML      FaultKind = "html"       // a page of a proxy, with status 200
	FaultEmpty     FaultKind = "empty"      // status 200 and an empty body
)

var faultKinds = []FaultKind{
	NoFault, FaultReset, FaultHang, FaultStall, FaultStatus, FaultTruncate, FaultCut, FaultError, FaultMalformed,
	FaultChunk, FaultDrip, FaultEndless, FaultIdleClose, FaultHTML, FaultEmpty,
}

// Shape is how an error looks inside a stream.
type Shape string

// The shapes, each seen in a server.
const (
	ShapeError  Shape = "error"  // {"error":{"message":…,"type":…,"code":500}}, then [DONE]
	ShapeString Shape = "string" // {"error":"…"}
	ShapeObject Shape = "object" // {"object":"error","message":…}
	ShapeEvent  Shape = "event"  // a line event: error before the data
	ShapeBare   Shape = "bare"   // the JSON without "data: " before it
)

// A Rule says which requests a fault strikes.
type Rule struct {
	Fault
	Share    float64 // of all requests, drawn by the seed, in [0,1]
	Requests []int   // and these, by their number from 0
}

// meets reports whether the rule strikes request seq. Each rule draws on its own,
// whatever the order in which requests end.
func (r *Rule) meets(seed uint64, rule, seq int) bool {
	if slices.Contains(r.Requests, seq) {
		return true
	}
	return r.Share > 0 && draws(seed, streamFaults+uint64(rule), seq).Float64() < r.Share
}

// The streams of random numbers of one seed.
const (
	streamDrafts uint64 = 1
	streamText   uint64 = 2
	streamFaults uint64 = 1 << 32 // and the rules after it
)

// draws returns random numbers that depend on the seed, the purpose and the
// request alone.
func draws(seed, stream uint64, seq int) *rand.Rand {
	return rand.New(rand.NewPCG(seed^stream*0x9e3779b97f4a7c15, uint64(seq)))
}
