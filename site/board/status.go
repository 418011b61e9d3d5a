package board

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
)

// A Completeness says how much of a test was measured.
type Completeness string

// The degrees of completeness.
const (
	Complete     Completeness = "complete"      // every cell of the contract
	StoppedEarly Completeness = "stopped_early" // some of them
	Empty        Completeness = "no_data"       // none
)

// A TestStatus says what became of a test.
type TestStatus struct {
	Slug         string
	Number       int            // in the contract; 0 for a test it does not have
	Spec         *contract.Test // nil for a test that the contract does not have
	Test         *bundle.Test   // nil when the bundle has no such test
	Completeness Completeness
	Stopped      *bundle.Stop    // why it stopped early, when the bundle says so
	Planned      int             // cells of the contract
	Measured     int             // cells of the contract that were measured
	Missing      []contract.Cell // cells of the contract that were not
	Cells        []int           // per contract cell, its index in Test.Cells, or -1
	Success      Success
	Counts       bool     // whether its values may rank
	Reasons      []Reason // why it does not count
	Headline     []Value  // the values that answer the test's question
}

// Success is how the requests of a test ended.
type Success struct {
	Known     bool
	Completed int
	Requests  int     // completed and failed, or planned where the source says so
	Share     float64 // Completed / Requests, in [0,1]
	Threshold float64 // the contract's, in [0,1]; 0 when there is none
}
