package engine

import "time"

// An Event tells an observer that something happened. Events are few: what goes on
// while requests are under way is asked for with [Run.Snapshot].
type Event struct {
	Kind EventKind
	At   time.Time
	Place
	Message string   // for people, in English, one line
	Code    string   // of a warning or a refusal
	Figures []Figure // CellDone: what was measured
}

// An EventKind says what happened.
type EventKind string

// The kinds of event, in the order in which a run has them.
const (
	Preflight   EventKind = "preflight" // a check before the run: its message says what was found
	Warning     EventKind = "warning"   // something to know; the run goes on
	Resumed     EventKind = "resumed"   // the journal holds cells of an earlier attempt
	TestStarted EventKind = "test_started"
	CellStarted EventKind = "cell_started"
	CellDone    EventKind = "cell_done"
	CellSkipped EventKind = "cell_skipped" // not measured: the message says why
	TestDone    EventKind = "test_done"
	Written     EventKind = "written" // the bundle: its message is the path
)

// A Place says where in a run something is. Numbers count from 1; a Place outside
// of all tests is empty but for the totals.
type Place struct {
	Test        string // slug
	TestNumber  int
	Tests       int    // of the run
	Cell        string // id in the plan
	CellNumber  int    // in the run
	Cells       int    // of the run
	CellInTest  int
	CellsOfTest int
	Repetition  int
	Repetitions int // of the cell
}

// A Figure is a number that is shown when a cell is done. The bundle has more of them.
type Figure struct {
	Name  string // "TTFT p50"
	Value float64
	Unit  string // "ms", "tok/s"
}

// A Phase says what a cell is doing.
type Phase string

// The phases of a cell.
const (
	Idle      Phase = ""
	Preparing Phase = "preparing" // prompts are being made
	Measuring Phase = "measuring"
	Stopping  Phase = "stopping" // answers under way are waited for
)

// A Snapshot says how a run goes at a moment.
type Snapshot struct {
	Place
	Phase     Phase
	Started   time.Time // of the run
	CellSince time.Time // start of the cell's present phase

	Requests int // of the present repetition, or of the command of a tool; 0 when not known
	Sent     int
	Done     int // whatever the outcome
	Failed   int
	MeanTTFT time.Duration // of the answers so far; negative without one
	Tokens   int64         // of the answers so far

	CellExpected time.Duration // about how long the cell takes, as the cells before it went; 0 when not known
	Remaining    time.Duration // about how long the run still takes; 0 when not known
}
