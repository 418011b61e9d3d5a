// Package facts describes what a model and a platform are, apart from any
// measurement: sizes, architecture, memory, bandwidth, published quality. Every
// fact names its source; what no source states stays unset, which means
// unknown, never zero. The package holds types, look-ups and the arithmetic of
// weight formats only: the content package reads the files.
//
// Units: parameters are counts, memory is bytes, bandwidth is bytes per second,
// compute is floating-point operations per second.
package facts

// Words is a remark for readers, by language code ("nl", "en", "fr"). Either all
// languages of the site are there or none.
type Words map[string]string

// A Status says how a fact is known.
type Status string

// The statuses. The zero value stands for Stated.
const (
	Stated   Status = "stated"   // by the vendor or the source named
	Measured Status = "measured" // by the source named
	Inferred Status = "inferred" // follows from other facts; the note says how
)

// A Number is a fact with its source.
type Number struct {
	Value  float64
	Source string // URL or the name of a document
	Status Status
	Note   Words // a doubt or a qualification
}

// A Text is a fact that is not a number: a code, a name or a date, the same in
// every language.
type Text struct {
	Value  string
	Source string
	Status Status
	Note   Words
}

// A Model is a family: one model in all the precisions it is published in.
type Model struct {
	ID           string // slug of the file, lower case
	Name         string // as its vendor writes it
	Vendor       string
	TotalParams  *Number // parameters
	ActiveParams *Number // parameters used per token
	Architecture *Text   // "dense" or "moe"
	Experts      *Experts
	Layers       *Number      // layers of the language model
	KVLayers     *Number      // layers that store keys and values
	LayerKinds   []LayerGroup // the layers by kind; empty when no source gives the split
	Context      *Number      // native context length, tokens
	Licence      *Text        // SPDX identifier or the licence's own name
	Released     *Text        // YYYY-MM-DD, or YYYY-MM when the day is unknown
	Checkpoints  []Checkpoint
	Quality      []Quality // every published figure; suggested ones first per dimension
	Note         Words
}

// Experts counts the experts of a mixture-of-experts model, per layer. Zero
// means unknown.
type Experts struct {
	Total  int
	Active int // routed to per token
	Shared int // used by every token, beside the routed ones
	Source string
}

// A LayerKind is the way in which a layer mixes tokens, or "mlp" and "moe" for
// layers that do not.
type LayerKind string

// The kinds of layers. Only full, sliding and latent layers keep a cache that
// grows with the context; that of sliding layers stops growing at the window.
const (
	FullAttention    LayerKind = "full"
	SlidingAttention LayerKind = "sliding"
	LatentAttention  LayerKind = "latent" // caches one latent vector per token
	LinearAttention  LayerKind = "linear"
	StateSpace       LayerKind = "state_space"
	Convolution      LayerKind = "convolution"
	FeedForward      LayerKind = "mlp"
	ExpertLayer      LayerKind = "moe"
)

// LayerKinds lists the kinds of layers.
var LayerKinds = []LayerKind{
	FullAttention, SlidingAttention, LatentAttention, LinearAttention,
	StateSpace, Convolution, FeedForward, ExpertLayer,
}

// A LayerGroup is the layers of one kind. Zero means unknown or not applicable.
type LayerGroup struct {
	Kind         LayerKind
	Name         string // the vendor's own name: "Gated DeltaNet", "Mamba-2"
	Count        int
	KVHeads      int
	HeadDim      int
	Window       int // tokens
	LatentValues int // values cached per token and layer
	Source       string
	Status       Status
	Note         Words
}

// A Checkpoint is one published set of weights of a model.
type Checkpoint struct {
	ID        string // Hugging Face id, ORG/MODEL
	Precision string // bf16, fp8, nvfp4, mxfp4; empty when no source states it
	Base      bool   // the checkpoint that the quality figures belong to
	Bytes     *Number
	Note      Words
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

// A Mode says whether a model reasoned before it answered.
type Mode string

// The modes.
const (
	Thinking    Mode = "thinking"
	NonThinking Mode = "non-thinking"
	UnknownMode Mode = "unknown"
)

// A Quality is one published result of a model on a quality benchmark. Figures
// of different benchmarks are never compared, and a blank stays blank.
type Quality struct {
	Checkpoint  string // Hugging Face id it was measured on
	Dimension   Dimension
	Benchmark   string   // exact name, with version and protocol
	Value       *float64 // in Unit; nil when the source shows none
	Digits      int      // decimals that the source prints
	Unit        string   // "%"
	Mode        Mode
	Effort      string // reasoning effort as the source names it; empty when it names none
	Source      string // URL
	Via         string // the copy that was read when the source itself was not; URL or "stored copy"
	By          string // who measured or printed the figure: the vendor or a Publisher
	Independent bool   // By is not the vendor of the model
	Suggested   bool   // the figure to show for this dimension
	Doubt       Words  // a doubt that must be shown with the figure
	Note        Words  // a further remark
	Attribution string // whom the publisher asks to be named
}

// A Publisher measures models of other vendors and publishes the figures.
type Publisher struct {
	Name        string
	URL         string // empty when none is known
	Attribution string // whom the publisher asks to be named, empty when it does not ask
	Note        Words  // what holds for all its figures
}

// A Platform is a machine that models are measured on.
type Platform struct {
	ID                string // slug of the file
	Name              string
	Accelerator       string
	Accelerators      int
	Memory            *Number // bytes usable by a model, all accelerators together
	Bandwidth         *Number // peak memory bandwidth, bytes per second, all accelerators together
	MeasuredBandwidth *Number
	ComputeBF16       *Number // dense peak, operations per second, all accelerators together
	ComputeFP8        *Number
	ComputeFP4        *Number
	Power             *Number // watts
	Facts             []Fact  // everything else worth showing
}

// A Fact is a further statement about a platform. Its words come from the
// language catalogs under "platform.fact.<key>"; the value is the same in every
// language.
type Fact struct {
	Key    string
	Value  string
	Unit   string // empty for names and counts
	Source string
	Status Status
	Note   Words
}
