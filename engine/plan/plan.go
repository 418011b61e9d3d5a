// Package plan turns a contract into everything that a run will send: for each
// cell of each test the schedule, and for each request its text, its seed and its
// lengths, before anything is sent. It is pure: the same contract, tests and salt
// give the same plan on every machine.
//
// Lengths are tokens as the server counts them. What only the server can say, the
// words that have these lengths, is made from a plan before each cell; which
// conversations of a ShareGPT file fit is chosen then too.
package plan

import (
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/prompt"
	"example.org/arena/results/contract"
)

// A Plan is everything that a run sends.
type Plan struct {
	Contract *contract.Contract
	Salt     string // what makes this run's prompts differ from those of every other
	Tests    []Test // in the contract's order
}

// A Test is a planned test.
type Test struct {
	Spec  contract.Test
	Cells []Cell // in the order in which they are measured
}

// A Cell is what is measured in one go: it is kept as a whole or not at all.
type Cell struct {
	ID          string // unique in a plan, "chat/c5/1024+1024"
	Spec        contract.Cell
	Rung        int                  // place of its rate among those of its test, from 0
	MaxInFlight int                  // most requests at a time; for an open loop without a cap, all of them
	Turns       []prompt.Turn        // of each conversation; none without conversations
	Warmup      []prompt.RequestSpec // sent before the first repetition, and not measured
	Repetitions []Repetition         // one for open loops and for batches, which repeat inside their schedule
	FromFile    bool                 // prompts and lengths come from a file of conversations
}

// A Repetition is a schedule with what it sends.
type Repetition struct {
	Salt     string // of its prompts
	Schedule arrival.Schedule
	Requests []prompt.RequestSpec // one for each of the schedule's, in its order; the first turns of conversations; none for ShareGPT
}
