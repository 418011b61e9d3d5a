// Package bundle defines the record of one run or one import: a JSON file that
// is written once and never changed. It holds what was seen and stated, and no
// conclusion: rates, findings and ranks are computed from it elsewhere.
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
// Units stand at the end of a key: _ns nanoseconds, _us microseconds, _ms
// milliseconds, _s seconds, _bytes bytes, _mj millijoules, _per_s per second.
// Times of requests count from the start of their cell, and those of samples from
// the start of their test: a run that was resumed has no clock that spans it.
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
	Format      int           `json:"format"`                // version of the format, 1
	Kind        Kind          `json:"kind"`                  // "run", "import" or "simulated"
	StartedAt   string        `json:"started_at"`            // start of the first test, RFC 3339, UTC
	Supersedes  string        `json:"supersedes,omitzero"`   // SHA-256 of the bundle that this one corrects
	Platform    string        `json:"platform"`              // id of the platform, a file in content/platforms
	Profile     string        `json:"profile"`               // name of the configuration, unique per platform and model
	Licence     string        `json:"licence"`               // SPDX identifier, or NoLicence
	Credit      string        `json:"credit"`                // whom to name when the data are used
	Contract    *ContractPin  `json:"contract,omitzero"`     // absent when the measurements follow no contract
	Engine      EnginePin     `json:"engine"`                // the program that wrote the bundle
	Source      *Source       `json:"source,omitzero"`       // imports: where the figures come from
	Model       Model         `json:"model"`                 // the checkpoint that was served
	Draft       *Draft        `json:"draft,omitzero"`        // speculative decoding; absent when there is none
	Server      Server        `json:"server"`                // the program that served it
	Host        Host          `json:"host"`                  // the machine that was measured
	Sanity      *Sanity       `json:"sanity,omitzero"`       // the model's answer to a simple question
	Salt        string        `json:"salt,omitzero"`         // runs: what begins the salts of its prompts, so that they differ from those of every other run
	Calibration []Calibration `json:"calibration,omitempty"` // runs: how exact the load generator was
	Tests       []Test        `json:"tests"`                 // in the order in which they were run; slugs are unique
	Notes       []Note        `json:"notes,omitempty"`       // what the importer or engine noticed about the whole
}

// A ContractPin fixes the contract that was followed.
type ContractPin struct {
	Version  string `json:"version"`           // "v2"
	SHA256   string `json:"sha256"`            // of the contract file
	Revision string `json:"revision,omitzero"` // Git revision that last touched the file, 40 hex digits
}

// An EnginePin fixes the program that wrote the bundle.
type EnginePin struct {
	Version  string `json:"version"`           // "v0.1.0"
	Revision string `json:"revision,omitzero"` // Git revision, 40 hex digits
	Dirty    bool   `json:"dirty"`             // files outside results/bundles differed from the revision, or were not in it
	Runner   string `json:"runner"`            // "native", "tools", or "import/<format>"
	Go       string `json:"go"`                // Go version
}

// A Source says where imported figures come from.
type Source struct {
	URL         string `json:"url,omitzero"`          // http or https
	Revision    string `json:"revision,omitzero"`     // revision of a repository, as the source names it
	Path        string `json:"path,omitzero"`         // of the imported folder or file inside the source
	Title       string `json:"title,omitzero"`        // of the report or repository
	RetrievedAt string `json:"retrieved_at,omitzero"` // date, YYYY-MM-DD
	Conversion  string `json:"conversion,omitzero"`   // what was changed on the way in, for licences that ask for it
	Tools       []Tool `json:"tools,omitempty"`       // the programs that measured
	Files       []File `json:"files,omitempty"`       // every file that was read
}

// A Tool is a program that measured, with its version as the source states it.
type Tool struct {
	Name    string `json:"name"`             // llama-benchy, vllm-bench-serve, or as the source names it
	Version string `json:"version,omitzero"` // as the source states it
}

// A File is a raw file behind a bundle. When Kept is set its bytes lie beside the
// bundle, gzip-compressed, as raw/<sha256>.gz.
type File struct {
	Name   string `json:"name"`          // inside the source, with forward slashes
	SHA256 string `json:"sha256"`        // of its bytes, uncompressed
	Bytes  int64  `json:"bytes"`         // size, uncompressed
	Kept   bool   `json:"kept,omitzero"` // the bytes lie beside the bundle
}

// A Model is the checkpoint that was served.
type Model struct {
	ID           string `json:"id"`                    // Hugging Face id, ORG/MODEL
	Revision     string `json:"revision,omitzero"`     // of the repository, 40 hex digits
	Quantisation string `json:"quantisation,omitzero"` // as the source names it: bf16, fp8, nvfp4, mxfp4, q4_k_m
	Licence      string `json:"licence,omitzero"`      // SPDX identifier, or the licence's name
	ServedName   string `json:"served_name,omitzero"`  // name by which requests asked for it
}

// A Draft is the speculative decoding in use.
type Draft struct {
	Method        string `json:"method"`                   // dflash, dspark, eagle3, mtp, ngram
	Model         string `json:"model,omitzero"`           // Hugging Face id of the draft model
	Revision      string `json:"revision,omitzero"`        // of the repository of the draft model, 40 hex digits
	TokensPerStep int    `json:"tokens_per_step,omitzero"` // draft tokens proposed per step
}

// A Server is the program that served the model, and how it was started.
type Server struct {
	Name                  string    `json:"name"`                             // vllm, sglang, llama.cpp, ollama
	Version               string    `json:"version,omitzero"`                 // as the server reported it
	Image                 string    `json:"image,omitzero"`                   // container image reference
	ImageDigest           string    `json:"image_digest,omitzero"`            // sha256:…
	Argv                  []string  `json:"argv,omitempty"`                   // arguments, as recorded
	Env                   []Setting `json:"env,omitempty"`                    // allow-listed environment, sorted by name
	Settings              []Setting `json:"settings,omitempty"`               // settings that the source states outside the arguments, sorted by name
	PrefixCaching         *bool     `json:"prefix_caching,omitzero"`          // whether prompts could be answered from a cache; absent when unknown
	PrefixCachingVerified string    `json:"prefix_caching_verified,omitzero"` // how it was checked; absent when it was only stated
}

// A Setting is a named value, kept as text.
type Setting struct {
	Name  string `json:"name"`  // unique in its list
	Value string `json:"value"` // text, even of a number
}

// A Host is the machine that was measured. It never holds a host name, user,
// path, key or address.
type Host struct {
	Description string `json:"description,omitzero"`  // as the source words it
	GPU         string `json:"gpu,omitzero"`          // model of the GPU
	GPUs        int    `json:"gpus,omitzero"`         // number of GPUs
	Driver      string `json:"driver,omitzero"`       // version of the GPU driver
	VBIOS       string `json:"vbios,omitzero"`        // version of the firmware of the GPU
	CUDA        string `json:"cuda,omitzero"`         // version of CUDA
	OS          string `json:"os,omitzero"`           // name and version of the operating system
	Kernel      string `json:"kernel,omitzero"`       // version of the kernel
	MemoryBytes int64  `json:"memory_bytes,omitzero"` // memory of the host
}

// A Sanity is the model's answer to a simple question before the measurement.
type Sanity struct {
	Answer string `json:"answer,omitzero"` // the model's words
	Raw    string `json:"raw,omitzero"`    // raw response as found, possibly cut off; opaque text, never parsed
}

// A Test is what was measured of one test of the contract, or of a test that
// belongs to no contract.
type Test struct {
	Slug      string     `json:"slug"`                // identity of the test in its contract, or a name of its own
	StartedAt string     `json:"started_at,omitzero"` // RFC 3339, UTC
	Tool      *Tool      `json:"tool,omitzero"`       // the program that measured; absent when the source does not state it
	Command   *Command   `json:"command"`             // null when the command was not recorded
	Stopped   *Stop      `json:"stopped,omitzero"`    // the run ended before every cell was measured
	LatencyMS *float64   `json:"latency_ms,omitzero"` // what the tool subtracts from its first response, ms
	Cells     []Cell     `json:"cells,omitempty"`     // in the order of the source
	Sweep     *Sweep     `json:"sweep,omitzero"`      // the source's own summary of a rate sweep
	Telemetry *Telemetry `json:"telemetry,omitzero"`  // samples of the GPU during the test
	Files     []File     `json:"files,omitempty"`     // raw files behind this test
	Notes     []Note     `json:"notes,omitempty"`     // what the importer or engine noticed about this test
}

// A Command is a command line as the source recorded it.
type Command struct {
	Argv []string `json:"argv"` // the program and its arguments
}

// A Stop says why a test ended early.
type Stop struct {
	Reason string `json:"reason"`          // a StopReason
	Detail string `json:"detail,omitzero"` // in the source's words
}

// The reasons why a test may stop early.
const (
	StopSaturated   = "saturated" // a rung exceeded the limit that ends a sweep
	StopTimeLimit   = "time_limit"
	StopErrors      = "errors"
	StopInterrupted = "interrupted" // the run was ended before the test was over
	StopUnknown     = "unknown"     // the source does not say
)

// A Cell is one measured point: its parameters, how its requests ended, and the
// figures that were reported for it. A parameter that does not apply is absent.
type Cell struct {
	PromptTokens   int        `json:"prompt_tokens,omitzero"`      // asked for, tokens per request
	OutputTokens   int        `json:"output_tokens,omitzero"`      // asked for, tokens per request
	DepthTokens    int        `json:"depth_tokens,omitzero"`       // tokens of context before the prompt
	Phase          string     `json:"phase,omitzero"`              // "context" for the context load of a prefix-caching run
	Concurrency    int        `json:"concurrency,omitzero"`        // requests in flight, closed loop
	RequestRate    *Rate      `json:"request_rate_per_s,omitzero"` // arrivals per second, open loop; "inf" sends all at once
	Burstiness     *Rate      `json:"burstiness,omitzero"`         // shape of the gamma arrivals: 1 is Poisson, lower is burstier
	MaxConcurrency int        `json:"max_concurrency,omitzero"`    // cap on requests in flight, open loop
	StartedAt      string     `json:"started_at,omitzero"`         // RFC 3339, UTC
	EndedAt        string     `json:"ended_at,omitzero"`           // RFC 3339, UTC
	Runs           int        `json:"runs,omitzero"`               // measured batches
	Requests       *Requests  `json:"requests,omitzero"`           // how the requests ended
	Tokens         *Tokens    `json:"tokens,omitzero"`             // of the completed requests
	Reported       []Figure   `json:"reported,omitempty"`          // the source's own aggregates, untouched
	Records        *Records   `json:"records,omitzero"`            // runs: every request
	Gaps           *Histogram `json:"gaps_us,omitzero"`            // runs: times between one chunk with tokens and the next, of completed requests
	ChunkTokens    *Histogram `json:"tokens_per_chunk,omitzero"`   // runs: tokens that a chunk carried, where the server tells
	Counters       *Counters  `json:"server_counters,omitzero"`    // runs: what the server counted
	Client         *Client    `json:"client,omitzero"`             // runs: how well the load generator kept up
	EnergyMJ       *int64     `json:"energy_mj,omitzero"`          // runs: drawn by the GPU during the cell, by trapezoids through the telemetry
	Draft          *DraftStat `json:"draft,omitzero"`              // speculative decoding during the cell
	Error          string     `json:"error,omitzero"`              // why there are no figures, in the source's words
	Notes          []Note     `json:"notes,omitempty"`             // what the importer or engine noticed about this cell
}

// Requests counts how the requests of a cell ended. What the source does not
// state is absent.
type Requests struct {
	Planned   *int `json:"planned,omitzero"`   // requests to send
	Completed *int `json:"completed,omitzero"` // answered in full
	Failed    *int `json:"failed,omitzero"`    // not answered in full; in a run, those that were never sent are among them
}

// Ended returns how many requests completed and how many there were, and whether
// that is known. Prompts is the number of requests that the contract asks for, 0
// when unknown: it stands in where the source counts only those that completed.
func (r *Requests) Ended(prompts int) (completed, total int, ok bool) {
	if r == nil || r.Completed == nil {
		return 0, 0, false
	}
	completed = *r.Completed
	total = completed
	if r.Failed != nil {
		total += *r.Failed
	}
	if r.Planned != nil {
		total = max(total, *r.Planned)
	}
	if r.Failed == nil && r.Planned == nil {
		total = max(total, prompts)
		return completed, total, prompts > 0
	}
	return completed, total, total > 0
}

// Tokens counts the tokens of a cell's completed requests.
type Tokens struct {
	Input  *int64 `json:"input,omitzero"`  // prompt tokens
	Output *int64 `json:"output,omitzero"` // generated tokens
}

// A Figure is one quantity as its source reported it: a single Value, or
// statistics over samples. Std is the standard deviation as the tool computes
// it; StdKind says which. Absent means not reported, never zero.
type Figure struct {
	Metric      metric.Key   `json:"metric"`                // what it is, one of the metrics
	Name        string       `json:"name"`                  // the source's own name
	Unit        metric.Unit  `json:"unit"`                  // the metric's unit, or one that converts to it
	Approximate bool         `json:"approximate,omitzero"`  // the source marks the value as approximate
	Value       *float64     `json:"value,omitzero"`        // a figure without statistics
	N           int          `json:"n,omitzero"`            // samples behind the statistics
	Mean        *float64     `json:"mean,omitzero"`         // arithmetic mean
	Std         *float64     `json:"std,omitzero"`          // standard deviation
	StdKind     string       `json:"std_kind,omitzero"`     // "population" (n) or "sample" (n−1)
	Min         *float64     `json:"min,omitzero"`          // smallest sample
	Median      *float64     `json:"median,omitzero"`       // 50th percentile
	Max         *float64     `json:"max,omitzero"`          // largest sample
	Percentiles []Percentile `json:"percentiles,omitempty"` // ascending
	Values      []float64    `json:"values,omitempty"`      // the samples, where the source gives them
}

// A Percentile is the value below which P percent of the samples lie.
type Percentile struct {
	P     float64 `json:"p"`     // in (0,100)
	Value float64 `json:"value"` // in the figure's unit
}

// DraftStat counts speculative decoding during a cell, as the server counted it.
type DraftStat struct {
	Drafts           int64     `json:"drafts,omitzero"`            // steps that proposed tokens
	DraftTokens      int64     `json:"draft_tokens,omitzero"`      // tokens proposed
	AcceptedTokens   int64     `json:"accepted_tokens,omitzero"`   // tokens accepted
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
	LimitMS  float64  `json:"limit_ms"`   // limit on p95 TTFT
	RatePerS *float64 `json:"rate_per_s"` // highest rate under the limit; null is the source's null
}

// Telemetry holds samples of the GPU in columns. Columns without a single sample
// are absent; a missing sample in a column is null.
type Telemetry struct {
	OffsetS        []float64  `json:"offset_s"`                      // since the start of the test
	PowerW         []*float64 `json:"power_w,omitempty"`             // power drawn
	TemperatureC   []*float64 `json:"temperature_c,omitempty"`       // temperature
	ClockMHz       []*float64 `json:"clock_mhz,omitempty"`           // clock of the GPU
	UtilisationPct []*float64 `json:"utilisation_percent,omitempty"` // of the GPU, in [0,100]
	MemoryUsedMB   []*float64 `json:"memory_used_mb,omitempty"`      // memory in use
}
