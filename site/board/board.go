// Package board turns bundles into rows that can be compared: boards, ranks,
// statuses, capacities, pairs. It holds no HTML, no words and no language. A reader
// can repeat all of its arithmetic from the bundles.
//
// Boards are kept apart by contract, platform, kind and source: a row is only
// ever ranked against rows that were measured the same way by the same people.
// What is unknown stays unknown and sorts behind everything known; nothing is
// left out because it is slow.
//
// Units: those of the metric package; capacities are configured arrival rates.
package board

import (
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/facts"
	"example.org/arena/results/verdict"
)

// An Item is a bundle with its identity.
type Item struct {
	ID     string // SHA-256 of the bundle's bytes, lower-case hex
	Bundle *bundle.Bundle
}

// A Retraction withdraws a published bundle.
type Retraction struct {
	ID     string // of the bundle
	Date   string // YYYY-MM-DD
	Reason string // key of the reason's words
}

// Input is everything that boards are made from.
type Input struct {
	Items       []Item
	Contracts   []*contract.Contract
	Facts       facts.Catalog
	Retractions []Retraction
}

// A Set is everything that boards are made into.
type Set struct {
	Boards         []Board         // ranked boards first; then by contract, platform, kind and source
	Configurations []Configuration // by platform, model and profile
	Pairs          []Pair          // speculation on and off
	Withdrawn      []Withdrawn     // bundles that a retraction or a correction took off the boards
}

// A Key is what keeps boards apart.
type Key struct {
	Contract string // version; empty when the bundles follow none
	Digest   string // SHA-256 of the contract file
	Platform string
	Kind     bundle.Kind
	Source   string // URL or title of the source; empty for own runs
}

// A Board is a list of comparable rows.
type Board struct {
	Key
	Ranked   bool             // whether rows are ranked at all
	Unranked []verdict.Reason // why not
	Contract *contract.Contract
	Platform *facts.Platform // nil when nothing is known about it
	Columns  []Column
	Order    []SortKey // the default order, outermost key first
	Rows     []Row     // in the default order, rows without a rank last
	Groups   []Group   // of the ranked rows, in order
	History  []Row     // older runs of the configurations in Rows, newest first per configuration
}

// A Row is the newest run of one configuration.
type Row struct {
	Entry
	Family     *facts.Model      // nil when no facts file names the checkpoint
	Checkpoint *facts.Checkpoint // nil when no facts file names it
	Precision  string            // empty when unknown
	Date       string            // YYYY-MM-DD of the first test
	Memory     Memory
	Quality    []Quality        // one per facts.Dimensions
	Rank       int              // 1 is best; rows of a group share it; 0 when the row has none
	Group      int              // index into the board's groups; -1 when the row has none
	Unranked   []verdict.Reason // why the row has no rank
	Replaces   []string         // ids of the bundles that this one corrects, nearest first
}

// The reasons that come from the board itself.
const (
	ReasonUnknownContract = "unknown_contract" // pins a contract that is not at hand
	ReasonSimulated       = "simulated"        // measured against the simulated server
	ReasonDirty           = "dirty"            // measured with modified code
	ReasonUnknown         = "value_unknown"    // the value that the board ranks by is unknown
	ReasonRetracted       = "retracted"
	ReasonSuperseded      = "superseded"
	ReasonOlder           = "older" // a newer run of the same configuration stands on the board
)

// A ConfigKey is the identity of a configuration.
type ConfigKey struct {
	Platform string
	Model    string // Hugging Face id
	Profile  string
}

// Memory is what a configuration needs of the machine's memory. Only the size
// of the weights is a property of the model: the memory in use during a run is
// whatever the server was allowed to reserve, so it is not shown as a need.
type Memory struct {
	Known       bool
	WeightBytes float64       // meaningful when Known
	Nominal     bool          // parameters × bytes per parameter instead of a published size
	Weights     *facts.Number // the published size with its source; nil when Nominal or unknown
	Usable      *facts.Number // bytes of the platform that a model can use; nil when unknown
}

// A Quality is a model's published quality in one dimension.
type Quality struct {
	Dimension facts.Dimension
	Known     bool
	Figure    facts.Quality // with benchmark, mode, source and doubt; meaningful when Known
	SameModel bool          // measured on the very checkpoint of the row, not on its base
}

// A Withdrawn is a bundle that no longer stands for its configuration.
type Withdrawn struct {
	ID         string
	Config     ConfigKey
	By         string      // id of the bundle that supersedes it; empty when retracted
	Retraction *Retraction // nil when superseded
	Board      *Board      // the board it would stand on, without rows
	Row        *Row        // its own row, unranked
}
