// Package bundle defines the record of one run or one import: a JSON file that
// is written once and never changed.
//
// The bytes of a bundle are deterministic: fields in the order of the structs
// below, two-space indent, LF, final newline; Encode of a decoded bundle gives
// the same bytes. Decode is strict: an unknown, repeated or misspelt key, NaN, a
// byte order mark or trailing data is an error that names file, line and key.
// The identity of a bundle is the SHA-256 of its bytes, so sha256sum checks it.
//
// Formats only grow: a field that is added later is absent when unset, so that
// every older bundle decodes and encodes to the same bytes.
//
// Units stand at the end of a key: _us microseconds, _ms milliseconds, _s
// seconds, _bytes bytes, _mj millijoules, _per_s per second. Times of requests
// and samples count from the bundle's StartedAt, in UTC.
package bundle

import "example.org/arena/results/metric"

// Format is the version of the bundle format that Encode writes.
const Format = 1

// A Kind says where a bundle's measurements come from.
type Kind string

// The kinds. Simulated bundles never rank and never lie under results.
const (
	Run       Kind = "run"       // measured by Arena itself
	Import    Kind = "import"    // measured by someone else, converted
	Simulated Kind = "simulated" // measured against the simulated server
)

// NoLicence is the licence of data whose source states none.
const NoLicence = "none stated"

// A Bundle is one run or one import.
type Bundle struct {
	Format     int          `json:"format"`
	Kind       Kind         `json:"kind"`
	StartedAt  string       `json:"started_at"`          // start of the first test, RFC 3339, UTC
	Supersedes string       `json:"supersedes,omitzero"` // SHA-256 of the bundle that this one corrects
	Platform   string       `json:"platform"`            // id of the platform, a file in content/platforms
	Profile    string       `json:"profile"`             // name of the configuration, unique per platform and model
	Licence    string       `json:"licence"`             // SPDX identifier, or NoLicence
	Credit     string       `json:"credit"`              // whom to name when the data are used
	Contract   *ContractPin `json:"contract,omitzero"`   // absent when the measurements follow no contract
	Engine     EnginePin    `json:"engine"`              // the program that wrote the bundle
	Source     *Source      `json:"source,omitzero"`     // imports: where the figures come from
	Model      Model        `json:"model"`
	Draft      *Draft       `json:"draft,omitzero"` // speculative decoding; absent when there is none
	Server     Server       `json:"server"`
	Host       Host         `json:"host"`
	Sanity     *Sanity      `json:"sanity,omitzero"` // the model's answer to a simple question
	Tests      []Test       `json:"tests"`
	Notes      []Note       `json:"notes,omitempty"` // what the importer or engine noticed about the whole
}

// A ContractPin fixes the contract that was followed.
type ContractPin struct {
	Version  string `json:"version"`
	SHA256   string `json:"sha256"`            // of the contract file
	Revision string `json:"revision,omitzero"` // Git revision that last touched the file, 40 hex digits
}

// An EnginePin fixes the program that wrote the bundle.
type EnginePin struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitzero"` // Git revision, 40 hex digits
	Dirty    bool   `json:"dirty"`             // tracked files outside results/bundles differed from the revision
	Runner   string `json:"runner"`            // "native", "tools", or "import/<format>"
	Go       string `json:"go"`                // Go version
}

// A Source says where imported figures come from.
type Source struct {
	URL         string `json:"url,omitzero"`
	Revision    string `json:"revision,omitzero"` // revision of a repository, as the source names it
	Path        string `json:"path,omitzero"`     // of the imported folder or file inside the source
	Title       string `json:"title,omitzero"`
	RetrievedAt string `json:"retrieved_at,omitzero"` // date, YYYY-MM-DD
	Conversion  string `json:"conversion,omitzero"`   // what was changed on the way in, for licences that ask for it
	Tools       []Tool `json:"tools,omitempty"`       // the programs that measured
	Files       []File `json:"files,omitempty"`       // every file that was read
}

// A Tool is a program that measured, with its version as the source states it.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version,omitzero"`
}

// A File is a raw file behind a bundle. When Kept is set its bytes lie beside the
// bundle, gzip-compressed, as raw/<sha256>.gz.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Kept   bool   `json:"kept,omitzero"`
}

// A Model is the checkpoint that was served.
type Model struct {
	ID           string `json:"id"`                    // Hugging Face id, ORG/MODEL
	Revision     string `json:"revision,omitzero"`     // of the repository, 40 hex digits
	Quantisation string `json:"quantisation,omitzero"` // as the source names it: bf16, fp8, nvfp4, mxfp4, q4_k_m
	Licence      string `json:"licence,omitzero"`
	ServedName   string `json:"served_name,omitzero"`
}

// A Draft is the speculative decoding in use.
type Draft struct {
	Method        string `json:"method"`         // dflash, dspark, eagle3, mtp, ngram
	Model         string `json:"model,omitzero"` // Hugging Face id of the draft model
	Revision      string `json:"revision,omitzero"`
	TokensPerStep int    `json:"tokens_per_step,omitzero"` // draft tokens proposed per step
}

// A Server is the program that served the model, and how it was started.
type Server struct {
	Name                  string    `json:"name"`                  // vllm, sglang, llama.cpp, ollama
	Version               string    `json:"version,omitzero"`      // as the server reported it
	Image                 string    `json:"image,omitzero"`        // container image reference
	ImageDigest           string    `json:"image_digest,omitzero"` // sha256:…
	Argv                  []string  `json:"argv,omitempty"`        // arguments, as recorded
	Env                   []Setting `json:"env,omitempty"`         // allow-listed environment, sorted by name
	Settings              []Setting `json:"settings,omitempty"`    // settings that the source states outside the arguments, sorted by name
	PrefixCaching         *bool     `json:"prefix_caching,omitzero"`
	PrefixCachingVerified string    `json:"prefix_caching_verified,omitzero"` // how it was checked; absent when it was only stated
}

// A Setting is a named value, kept as text.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Host is the machine that was measured. It never holds a host name, user,
// path, key or address.
type Host struct {
	Description string `json:"description,omitzero"` // as the source words it
	GPU         string `json:"gpu,omitzero"`
	GPUs        int    `json:"gpus,omitzero"`
	Driver      string `json:"driver,omitzero"`
	VBIOS       string `json:"vbios,omitzero"`
	CUDA        string `json:"cuda,omitzero"`
	OS          string `json:"os,omitzero"`
	Kernel      string `json:"kernel,omitzero"`
	MemoryBytes int64  `json:"memory_bytes,omitzero"`
}

// A Sanity is the model's answer to a simple question before the measurement.
type Sanity struct {
	Answer string `json:"answer,omitzero"`
	Raw    string `json:"raw,omitzero"` // raw response as found, possibly cut off; opaque text, never parsed
}

// A Test is what was measured of one test of the contract, or of a test that
// belongs to no contract.
type Test struct {
	Slug      string     `json:"slug"`
	StartedAt string     `json:"started_at,omitzero"` // RFC 3339, UTC
	Tool      *Tool      `json:"tool,omitzero"`
	Command   *Command   `json:"command"`             // null when the command was not recorded
	Stopped   *Stop      `json:"stopped,omitzero"`    // the run ended before every cell was measured
	LatencyMS *float64   `json:"latency_ms,omitzero"` // what the tool subtracts from its first response, ms
	Cells     []Cell     `json:"cells,omitempty"`
	Sweep     *Sweep     `json:"sweep,omitzero"`
	Telemetry *Telemetry `json:"telemetry,omitzero"`
	Files     []File     `json:"files,omitempty"`
	Notes     []Note     `json:"notes,omitempty"`
}

// A Command is a command line as the source recorded it.
type Command struct {
	Argv []string `json:"argv"`
}

// A Stop says why a test ended early.
type Stop struct {
	Reason string `json:"reason"`          // a StopReason
	Detail string `json:"detail,omitzero"` // in the source's words
}

// The reasons why a test may stop early.
const (
	StopSaturated = "saturated" // a rung exceeded the limit that ends a sweep
	StopTimeLimit = "time_limit"
	StopErrors    = "errors"
	StopUnknown   = "unknown" // the source does not say
)

// A Cell is one measured point: its parameters, how its requests ended, and the
// figures that were reported for it. A parameter that does not apply is absent.
type Cell struct {
	PromptTokens   int        `json:"prompt_tokens,omitzero"`
	OutputTokens   int        `json:"output_tokens,omitzero"`
	DepthTokens    int        `json:"depth_tokens,omitzero"`
	Phase          string     `json:"phase,omitzero"` // "context" for the context load of a prefix-caching run
	Concurrency    int        `json:"concurrency,omitzero"`
	RequestRate    *Rate      `json:"request_rate_per_s,omitzero"`
	Burstiness     *Rate      `json:"burstiness,omitzero"`
	MaxConcurrency int        `json:"max_concurrency,omitzero"`
	StartedAt      string     `json:"started_at,omitzero"`
	EndedAt        string     `json:"ended_at,omitzero"`
	Runs           int        `json:"runs,omitzero"` // measured batches
	Requests       *Requests  `json:"requests,omitzero"`
	Tokens         *Tokens    `json:"tokens,omitzero"`
	Reported       []Figure   `json:"reported,omitempty"` // the source's own aggregates, untouched
	Draft          *DraftStat `json:"draft,omitzero"`
	Error          string     `json:"error,omitzero"` // why there are no figures, in the source's words
	Notes          []Note     `json:"notes,omitempty"`
}

// Requests counts how the requests of a cell ended. What the source does not
// state is absent.
type Requests struct {
	Planned   *int `json:"planned,omitzero"`
	Completed *int `json:"completed,omitzero"`
	Failed    *int `json:"failed,omitzero"`
}

// Tokens counts the tokens of a cell's completed requests.
type Tokens struct {
	Input  *int64 `json:"input,omitzero"`
	Output *int64 `json:"output,omitzero"`
}

// A Figure is one quantity as its source reported it: a single Value, or
// statistics over samples. Std is the standard deviation as the tool computes
// it; StdKind says which. Absent means not reported, never zero.
type Figure struct {
	Metric      metric.Key   `json:"metric"`
	Name        string       `json:"name"` // the source's own name
	Unit        metric.Unit  `json:"unit"`
	Approximate bool         `json:"approximate,omitzero"` // the source marks the value as approximate
	Value       *float64     `json:"value,omitzero"`
	N           int          `json:"n,omitzero"` // samples behind the statistics
	Mean        *float64     `json:"mean,omitzero"`
	Std         *float64     `json:"std,omitzero"`
	StdKind     string       `json:"std_kind,omitzero"` // "population" (n) or "sample" (n−1)
	Min         *float64     `json:"min,omitzero"`
	Median      *float64     `json:"median,omitzero"`
	Max         *float64     `json:"max,omitzero"`
	Percentiles []Percentile `json:"percentiles,omitempty"` // ascending
	Values      []float64    `json:"values,omitempty"`      // the samples, where the source gives them
}

// A Percentile is the value below which P percent of the samples lie.
type Percentile struct {
	P     float64 `json:"p"` // in (0,100)
	Value float64 `json:"value"`
}

// DraftStat counts speculative decoding during a cell, as the server counted it.
type DraftStat struct {
	Drafts           int64     `json:"drafts,omitzero"`
	DraftTokens      int64     `json:"draft_tokens,omitzero"`
	AcceptedTokens   int64     `json:"accepted_tokens,omitzero"`
	AcceptanceRatio  *float64  `json:"acceptance_ratio,omitzero"`  // accepted / proposed tokens, in [0,1]
	AcceptanceLength *float64  `json:"acceptance_length,omitzero"` // tokens per step, at least 1
	PerPosition      []float64 `json:"per_position,omitempty"`     // share of drafts accepted at each position, in [0,1]
}

// A Sweep is a source's own summary of a rate sweep.
type Sweep struct {
	AbortedAtPerS *float64        `json:"aborted_at_per_s,omitzero"` // rate at which the source stopped
	Capacities    []SweepCapacity `json:"capacities,omitempty"`      // ascending by limit
	KneePerS      *float64        `json:"knee_per_s,omitzero"`       // rate above which the queue grows, as the source found it
}

// A SweepCapacity is the source's capacity under one limit. A nil RatePerS is the
// source's null: no rung, or no data.
type SweepCapacity struct {
	LimitMS  float64  `json:"limit_ms"`
	RatePerS *float64 `json:"rate_per_s"`
}

// Telemetry holds samples of the GPU in columns. Columns without a single sample
// are absent; a missing sample in a column is null.
type Telemetry struct {
	OffsetS        []float64  `json:"offset_s"` // since the start of the test
	PowerW         []*float64 `json:"power_w,omitempty"`
	TemperatureC   []*float64 `json:"temperature_c,omitempty"`
	ClockMHz       []*float64 `json:"clock_mhz,omitempty"`
	UtilisationPct []*float64 `json:"utilisation_percent,omitempty"` // of the GPU, in [0,100]
	MemoryUsedMB   []*float64 `json:"memory_used_mb,omitempty"`
}

// A Note is something the importer or engine noticed, as data: a code and the
// values that belong to it. Its words come from the language catalogs.
type Note struct {
	Code string    `json:"code"`
	Args []Setting `json:"args,omitempty"`
}
