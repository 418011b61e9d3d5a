package simserver

import "time"

// Options say when the tokens of an answer are due and how they look on the wire.
// Each has a key of the same meaning for profiles and requests: see [Keys].
type Options struct {
	TTFT   time.Duration // from arrival to first token; without an engine only
	ITL    time.Duration // from token to token; without an engine only
	Tokens int           // length of an answer that nothing limits
	EOS    int           // tokens after which the model stops by itself, unless told to ignore that; 0: never

	// Draft is the number of tokens that are guessed ahead in each step, and
	// Acceptance[i] how likely guess i is right if those before it were, in [0,1].
	// A position without a value has that of the one before it.
	Draft      int
	Acceptance []float64

	Chunk          int           // tokens per event, at least 1; with a draft model it is the steps that decide
	Hold           int           // every Hold-th token comes with the next one; 0: none
	Coalesce       int           // events per write, at least 1
	Split          int           // writes per event, at least 1
	SplitGap       time.Duration // between the writes of a split event
	CommentEvery   time.Duration // a comment line this often before the first token; 0: never
	CommentEvents  bool          // a comment line before every event
	CRLF           bool          // lines end in CR LF
	Headers        Headers
	Role           Role
	Finish         Finish
	Usage          Usage
	Continuous     Continuous
	UsageError     int // added to completion_tokens
	Reasoning      int // tokens at the start that are reasoning
	ReasoningField ReasoningField
	Tool           int // tokens at the end that are a tool call
	Text           Text
	Done           bool // the answer ends with [DONE]
	Framing        Framing
	Close          Close

	IgnoreMaxTokens           bool // max_tokens does nothing
	IgnoreMaxCompletionTokens bool // max_completion_tokens does nothing

	Fault Fault
}

// Headers says when the headers of a streamed answer are sent.
type Headers string

// The moments of the headers.
const (
	HeadersEarly Headers = "early" // at once
	HeadersToken Headers = "token" // with the first token
)

// Role says where the role of the assistant stands.
type Role string

// The places of the role.
const (
	RoleBefore Role = "before" // an event of its own in one write with the first token
	RoleEarly  Role = "early"  // an event of its own as soon as the request has arrived
	RoleIn     Role = "in"     // in the event of the first token
	RoleEvery  Role = "every"  // in every event
	RoleNone   Role = "none"
)

// Finish says where the finish reason stands.
type Finish string

// The places of the finish reason.
const (
	FinishIn   Finish = "in"  // in the event of the last token
	FinishOwn  Finish = "own" // in an event of its own
	FinishNone Finish = "none"
)

// Usage says where the usage stands.
type Usage string

// The places of the usage. Only UsageAsked and UsageNull look at what the request
// asks for.
const (
	UsageAsked  Usage = "asked"  // in an event of its own, without choices, if asked for
	UsageNull   Usage = "null"   // the same, and null in all other events
	UsageAlways Usage = "always" // in an event of its own, asked for or not
	UsageFinish Usage = "finish" // in the event with the finish reason
	UsageNone   Usage = "none"
)

// Continuous says whether every event carries the usage so far.
type Continuous string

// The choices for continuous usage.
const (
	ContinuousAsked  Continuous = "asked"
	ContinuousAlways Continuous = "always"
	ContinuousNever  Continuous = "never"
)

// ReasoningField is the field of a delta that reasoning stands in.
type ReasoningField string

// The names of the field.
const (
	ReasoningContent ReasoningField = "reasoning_content"
	ReasoningShort   ReasoningField = "reasoning"
)

// Text is the kind of text that is generated.
type Text string

// The kinds of text. A word of TextASCII is one token for /tokenize too.
const (
	TextASCII Text = "ascii"
	TextUTF8  Text = "utf8" // with characters of two to four bytes
)

// Framing says how the end of a body is known.
type Framing string

// The framings.
const (
	FramingChunked Framing = "chunked"
	FramingClose   Framing = "close" // the connection ends with the body
)

// Close says whether the connection is closed after an answer.
type Close string

// The ways to close.
const (
	CloseNever     Close = "never"
	CloseAnnounced Close = "announced" // as the Connection header says
	CloseSilent    Close = "silent"    // although the headers say otherwise
)
