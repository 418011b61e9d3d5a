package contract

// What others ask about a test, its kind answers here: nobody else decides by the
// names of loops and tools.

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
// program can: the test has no command of a tool, and it is recorded which length
// each request was to have.
func (t Test) Own() bool {
	_, own := t.Kind.(Own)
	return own
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
	if k, ok := t.Kind.(Own); ok {
		return k.texts()
	}
	return nil
}
