// Package facts describes what a model and a platform are, apart from any
// measurement: sizes, architecture, memory, bandwidth, published quality. Every
// fact names its source; what no source states stays unset, which means
// unknown, never zero. The package holds types and look-ups only: the content
// package reads the files.
//
// Units: parameters are counts, memory is bytes, bandwidth is bytes per second,
// compute is floating-point operations per second.
package facts

// A Number is a fact with its source. Note carries a doubt or a qualification.
type Number struct {
	Value  float64
	Source string // URL or the name of a document
	Note   string
}

// A Text is a fact in words, with its source.
type Text struct {
	Value  string
	Source string
	Note   string
}

// A Model is a family: one model in all the precisions it is published in.
type Model struct {
	ID           string // slug of the file, lower case
	Name         string // as its vendor writes it
	Vendor       string
	TotalParams  *Number // parameters
	ActiveParams *Number // parameters used per token
	Architecture *Text   // "dense", "moe", with its peculiarities
	Layers       *Number
	KVHeads      *Text // per attention kind where they differ
	HeadDim      *Text
	Attention    *Text   // sliding-window or linear layers
	Context      *Number // native context length, tokens
	Licence      *Text   // SPDX identifier or the licence's name
	Released     *Text   // YYYY-MM-DD
	Checkpoints  []Checkpoint
	Quality      []Quality // every published figure; suggested ones first per dimension
}

// A Checkpoint is one published set of weights of a model.
type Checkpoint struct {
	ID        string // Hugging Face id, ORG/MODEL
	Precision string // bf16, fp8, nvfp4, mxfp4
	Base      bool   // the checkpoint that the quality figures belong to
	Bytes     *Number
	Note      string
}

// A Dimension groups quality benchmarks by what they ask of a model.
type Dimension string

// The dimensions.
const (
	Knowledge Dimension = "knowledge"
	Science   Dimension = "science"
	Coding    Dimension = "coding"
)

// Dimensions lists the dimensions in the order of the columns.
var Dimensions = []Dimension{Knowledge, Science, Coding}

// A Quality is one published result of a model on a quality benchmark. Figures
// of different benchmarks are never compared, and a blank stays blank.
type Quality struct {
	Checkpoint  string // Hugging Face id it was measured on
	Dimension   Dimension
	Benchmark   string   // exact name, with version and protocol
	Value       *float64 // in Unit; nil when the source shows none
	Unit        string   // "%"
	Mode        string   // "thinking", "non-thinking" or "unknown"
	Source      string   // URL
	Independent bool     // measured by someone other than the vendor
	Suggested   bool     // the figure to show for this dimension
	Doubt       string   // a doubt that must be shown with the figure, empty when there is none
	Attribution string   // whom the publisher asks to be named
}

// A Platform is a machine that models are measured on.
type Platform struct {
	ID                string // slug of the file
	Name              string
	Accelerator       string
	Accelerators      int
	Memory            *Number // bytes usable by a model
	Bandwidth         *Number // peak memory bandwidth, bytes per second, all accelerators together
	MeasuredBandwidth *Number
	ComputeBF16       *Number // dense peak, operations per second, all accelerators together
	ComputeFP8        *Number
	ComputeFP4        *Number
	Power             *Number // watts
	Facts             []Fact  // everything else worth showing
}

// A Fact is a further statement about a platform.
type Fact struct {
	Key    string
	Value  string
	Source string
	Status string // "stated", "measured" or "inferred"
}

// A Catalog finds models and platforms.
type Catalog struct {
	Models    []Model    // sorted by ID
	Platforms []Platform // sorted by ID
}

// Checkpoint returns the model that has the checkpoint with the given Hugging
// Face id, and the checkpoint, or false when no model does.
func (c Catalog) Checkpoint(id string) (Model, Checkpoint, bool) {
	for _, m := range c.Models {
		for _, cp := range m.Checkpoints {
			if cp.ID == id {
				return m, cp, true
			}
		}
	}
	return Model{}, Checkpoint{}, false
}

// Platform returns the platform with the given id and whether there is one.
func (c Catalog) Platform(id string) (Platform, bool) {
	for _, p := range c.Platforms {
		if p.ID == id {
			return p, true
		}
	}
	return Platform{}, false
}
