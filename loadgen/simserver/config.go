package simserver

import (
	"io"
	"time"
)

// Prefix begins the name of every simulated model.
const Prefix = "arena-sim/"

// A Config describes a server. It begins as [Default].
type Config struct {
	Version     string        // of the program, for /version
	Model       string        // served name; begins with Prefix
	Seed        uint64        // of every random draw
	MaxModelLen int           // most tokens of prompt and answer together
	KeepAlive   time.Duration // how long an idle connection stays open

	Request Options // what each request gets, unless it says otherwise
	Faults  []Rule  // the first rule that meets a request breaks its answer
	Engine  *Engine // nil: tokens are due at fixed moments after the arrival

	// Precise makes a thread of its own wait for each moment, which is exact to
	// some 50 µs where the system allows it. The runtime's timers are late by up
	// to 1 ms, but know fake time.
	Precise bool

	// Senders is the number of goroutines that send. One sends some 100,000
	// events a second.
	Senders int

	LogTo   io.Writer // gets the log as JSON lines, see ReadLog; nil: nobody
	LogKeep int       // how many of the newest records Log returns
}

// Default returns the configuration of a server that sends the first token after
// 50 ms and then one every 10 ms, 64 in all, as vLLM would write them.
func Default() Config {
	return Config{
		Version:     "devel",
		Model:       Prefix + "fixed",
		MaxModelLen: 131072,
		KeepAlive:   5 * time.Second,
		Senders:     1,
		LogKeep:     100_000,
		Request: Options{
			TTFT:           50 * time.Millisecond,
			ITL:            10 * time.Millisecond,
			Tokens:         64,
			Chunk:          1,
			Coalesce:       1,
			Split:          1,
			SplitGap:       time.Millisecond,
			Headers:        HeadersEarly,
			Role:           RoleBefore,
			Finish:         FinishIn,
			Usage:          UsageAsked,
			Continuous:     ContinuousAsked,
			ReasoningField: ReasoningContent,
			Text:           TextASCII,
			Done:           true,
			Framing:        FramingChunked,
			Close:          CloseNever,
		},
	}
}

// An Engine is a simulated inference engine. One step computes a token (or, with
// speculation, several) for each running request that decodes, and a piece of the
// prompts that wait for it.
type Engine struct {
	PrefillRate float64    // prompt tokens per second
	Steps       []StepTime // time of a decoding step by batch size, rising; linear between and beyond
	DraftTime   time.Duration

	MaxSeqs   int // most requests that run at a time
	MaxTokens int // most tokens in one step: prompts are computed in pieces

	KVTokens    int  // capacity of the KV cache
	BlockTokens int  // tokens in a block of it
	PrefixCache bool // blocks of equal prefixes are computed once
}

// StepTime is the time of a decoding step with Batch requests in it.
type StepTime struct {
	Batch int
	Time  time.Duration
}

// DefaultEngine returns an engine that prefills 10,000 tokens a second and decodes
// in steps of 10 ms for one request to 20 ms for 64.
func DefaultEngine() *Engine {
	return &Engine{
		PrefillRate: 10_000,
		Steps:       []StepTime{{1, 10 * time.Millisecond}, {64, 20 * time.Millisecond}},
		MaxSeqs:     256,
		MaxTokens:   2048,
		KVTokens:    1 << 20,
		BlockTokens: 16,
		PrefixCache: true,
	}
}
