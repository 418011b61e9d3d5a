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

// A Grid holds the lengths and loads of a closed loop. Its cells are every
// combination of the lists, prompt outermost and concurrency innermost.
type Grid struct {
	PromptTokens []int
	OutputTokens []int
	DepthTokens  []int // context before the prompt; a zero alone for kinds without
	Concurrency  []int
}

// Cells lists the combinations.
func (g Grid) Cells() []Cell {
	var cells []Cell
	for _, prompt := range g.PromptTokens {
		for _, output := range g.OutputTokens {
			for _, depth := range g.DepthTokens {
				for _, c := range g.Concurrency {
					cells = append(cells, Cell{PromptTokens: prompt, OutputTokens: output, DepthTokens: depth, Concurrency: c})
				}
			}
		}
	}
	return cells
}

// Arrivals say how the requests of an open loop come, and how long they are: one
// cell per rung.
type Arrivals struct {
	Dataset        string  // Random or ShareGPT for VLLMServe, FromTexts or ShareGPT for OpenLoop
	InputTokens    int     // mean prompt length, not for ShareGPT
	OutputTokens   int     // mean output length, not for ShareGPT
	RangeRatio     float64 // half width of the spread of lengths around their mean, in [0,1), not for ShareGPT
	Burstiness     float64 // shape of the gamma arrivals: 1 is Poisson, lower is burstier
	MaxConcurrency int     // cap on requests in flight, 0 for none
	RateDigits     int     // fewest decimals of a rate in commands and file names
	Rungs          []Rung
}

// The datasets that open loops take their prompts from.
const (
	Random    = "random"   // made-up tokens of random lengths
	FromTexts = "texts"    // windows of named texts, of the lengths that Random has for the same seed
	ShareGPT  = "sharegpt" // recorded conversations
)

// A Rung is one arrival rate of an open loop.
type Rung struct {
	RequestRate float64 // requests per second
	Prompts     int     // requests sent
}

// Cells lists a cell for each rung.
func (a Arrivals) Cells() []Cell {
	var cells []Cell
	for _, r := range a.Rungs {
		cells = append(cells, Cell{
			PromptTokens: a.InputTokens,
			OutputTokens: a.OutputTokens,
			RequestRate:  r.RequestRate,
			Prompts:      r.Prompts,
		})
	}
	return cells
}

// rate returns the rung's rate as commands and file names write it.
func (a Arrivals) rate(r Rung) string { return decimal(r.RequestRate, max(a.RateDigits, 1)) }

// parseArrivals reads what the kinds of open loop share. Random names the dataset
// of random lengths.
func parseArrivals(t, tool *tomlfile.Table, random string) Arrivals {
	t.Need("dataset", "burstiness", "request_rate", "prompts")
	a := Arrivals{
		Dataset:        t.Str("dataset"),
		Burstiness:     t.Number("burstiness"),
		MaxConcurrency: int(t.Integer("max_concurrency")),
		RateDigits:     int(tool.Integer("rate_digits")),
		Rungs:          parseRungs(t),
	}
	if a.Dataset == random {
		t.Need("mean_input_tokens", "mean_output_tokens", "range_ratio")
		a.InputTokens = int(t.Integer("mean_input_tokens"))
		a.OutputTokens = int(t.Integer("mean_output_tokens"))
		a.RangeRatio = t.Number("range_ratio")
	}
	return a
}

// parseRungs pairs the two lists: the n-th rate sends the n-th number of prompts.
func parseRungs(t *tomlfile.Table) []Rung {
	rates, prompts := t.Numbers("request_rate"), t.Integers("prompts")
	if len(rates) != len(prompts) {
		t.Fault("prompts", "want as many values as request_rate has: %d, not %d", len(rates), len(prompts))
		return nil
	}
	var rungs []Rung
	for i := range rates {
		rungs = append(rungs, Rung{RequestRate: rates[i], Prompts: prompts[i]})
	}
	return rungs
}

// Loop names how the test offers its load.
func (t Test) Loop() Loop {
	if t.Kind == nil {
		return ""
	}
	loop, _ := t.Kind.name()
	return loop
}

// Tool names the program that sends the test's load.
func (t Test) Tool() Tool {
	if t.Kind == nil {
		return ""
	}
	_, tool := t.Kind.name()
	return tool
}

// Cells lists the test's cells in the order in which they are measured.
func (t Test) Cells() []Cell {
	if t.Kind == nil {
		return nil
	}
	return t.Kind.Cells()
}

// Open reports whether the test is an open loop: see Arrivals.
func (t Test) Open() bool {
	_, ok := t.Arrivals()
	return ok
}

// Closed reports whether the test is a closed loop: see Grid.
func (t Test) Closed() bool {
	_, ok := t.Grid()
	return ok
}

// Grid returns the lengths and loads of a closed loop, and whether the test is one.
func (t Test) Grid() (Grid, bool) {
	switch k := t.Kind.(type) {
	case Batches:
		return k.Grid, true
	case Refill:
		return k.Grid, true
	case Conversations:
		return k.Grid, true
	case VLLMServe, OpenLoop:
	}
	return Grid{}, false
}

// Slots returns what a closed loop of Arena's own load generator does, and whether
// the test is one.
func (t Test) Slots() (Slots, bool) {
	switch k := t.Kind.(type) {
	case Refill:
		return k.Slots, true
	case Conversations:
		return k.Slots, true
	case Batches, VLLMServe, OpenLoop:
	}
	return Slots{}, false
}

// Arrivals returns how the requests of an open loop come, and whether the test is
// one.
func (t Test) Arrivals() (Arrivals, bool) {
	switch k := t.Kind.(type) {
	case VLLMServe:
		return k.Arrivals, true
	case OpenLoop:
		return k.Arrivals, true
	case Batches, Refill, Conversations:
	}
	return Arrivals{}, false
}

// Sweeps reports whether the test measures several rates.
func (t Test) Sweeps() bool {
	a, _ := t.Arrivals()
	return len(a.Rungs) > 1
}

// Own reports whether Arena's own load generator sends the load, because no other
// program can: the test has no command of a tool, its requests are recorded, and
// every length was asked for exactly.
func (t Test) Own() bool {
	switch t.Kind.(type) {
	case Refill, Conversations, OpenLoop:
		return true
	case Batches, VLLMServe:
	}
	return false
}

// SuccessCounts reports whether the contract's success threshold applies. It does
// to open loops: what fails there takes load off the server that the test says it
// carried. In a closed loop the next request takes the place of one that failed.
func (t Test) SuccessCounts() bool { return t.Open() }

// FromFile reports whether prompts and lengths come from a file of recorded
// conversations.
func (t Test) FromFile() bool {
	a, _ := t.Arrivals()
	return a.Dataset == ShareGPT
}

// Runs returns how often the load of a cell is sent: measured batches, or
// repetitions of the whole cell. It is 0 for an open loop, which is sent once.
func (t Test) Runs() int {
	if k, ok := t.Kind.(Batches); ok {
		return k.Runs
	}
	s, _ := t.Slots()
	return s.Repetitions
}

// Turns returns how many turns each conversation has, 1 without conversations.
func (t Test) Turns() int {
	if k, ok := t.Kind.(Conversations); ok {
		return k.Turns
	}
	return 1
}

// StopP95TTFT returns the p95 TTFT in ms above which no higher rate is measured, 0
// when all are.
func (t Test) StopP95TTFT() int {
	k, _ := t.Kind.(OpenLoop)
	return k.StopP95TTFT
}

// SubtractsLatency reports whether the test's tool subtracts an estimate of the
// latency from its figures.
func (t Test) SubtractsLatency() bool {
	_, ok := t.Kind.(Batches)
	return ok
}

// Texts names the texts that prompts are taken from, in turn; none where a tool or
// a file has the prompts.
func (t Test) Texts() []string {
	if k, ok := t.Kind.(OpenLoop); ok {
		return k.Texts
	}
	s, _ := t.Slots()
	return s.Texts
}
