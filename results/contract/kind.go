package contract

import "example.org/arena/results/tomlfile"

// A Kind is what a test does: how it offers its load, which program sends it, and
// the parameters that belong to that. It is one of [Batches], [VLLMServe],
// [Refill], [Conversations] and [OpenLoop].
//
// A new kind is a file with these methods, a row in kinds, and a case in every
// switch over the kinds: the linter finds those.
//
//sumtype:decl
type Kind interface {
	name() (Loop, Tool)
	Cells() []Cell // in the order in which they are measured
	// commands returns the command lines that measure a test of this kind.
	commands(c *Contract, t Test, names Names) []Command
	// program returns how many words at the start of a command line name the tool,
	// and the version that they pin it to, if they do.
	program(words []string) (version string, n int)
	check(v *validator, path string)
}

// A Loop says how a test offers its load. It is a word of the file and of pages:
// what follows from it, the methods of a Test say.
type Loop string

// The two ways to offer load.
const (
	Closed Loop = "closed" // a slot sends its next request when the last one finished
	Open   Loop = "open"   // arrivals do not wait for answers
)

// A Tool names the program that sends a test's load. Like a Loop it is only a word.
type Tool string

// The tools of the contracts so far.
const (
	LlamaBenchy Tool = "llama-benchy"
	VLLMBench   Tool = "vllm-bench-serve"
	Native      Tool = "arena" // the load generator of Arena itself: no other program has the loops it asks for
)

// PrintsPrefill reports whether a tool prints a prefill rate for every cell.
func (t Tool) PrintsPrefill() bool { return t == LlamaBenchy }

// TakesKey reports whether a tool takes the server's key from its environment.
func (t Tool) TakesKey() bool { return t != LlamaBenchy }

// toolNames lists the tools: a contract has a table for each that its tests use.
var toolNames = []Tool{LlamaBenchy, VLLMBench, Native}

// kinds says which loop and tool of a [[test]] make which kind. The parser gets the
// test's table and that of its tool.
var kinds = []struct {
	loop  Loop
	tool  Tool
	parse func(t, tool *tomlfile.Table) Kind
}{
	{Closed, LlamaBenchy, parseBatches},
	{Open, VLLMBench, parseVLLMServe},
	{Closed, Native, parseSlots},
	{Open, Native, parseOpenLoop},
}
