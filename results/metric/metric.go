// Package metric defines every measured quantity once: its key, unit, direction
// and digits. It holds no values and no words for readers: names and
// explanations come from the language catalogs under "metric.<key>".
//
// Keys end in their unit: _ms milliseconds, _s seconds, _per_s per second,
// _w watts, _c degrees Celsius, _ratio a number in [0,1].
package metric

// A Key names a quantity in bundles, contracts, tables and charts.
type Key string

// A Unit is the unit in which values of a metric are stored.
type Unit string

// The units in use. Storage units never depend on the reader's language.
const (
	Millisecond   Unit = "ms"
	Second        Unit = "s"
	TokensPerS    Unit = "tok/s"
	RequestsPerS  Unit = "req/s"
	Tokens        Unit = "tok"
	Requests      Unit = "req"
	Ratio         Unit = "ratio"
	TokensPerStep Unit = "tok/step"
	Watt          Unit = "W"
	Celsius       Unit = "°C"
	Megahertz     Unit = "MHz"
	Megabyte      Unit = "MB"
	JoulePerToken Unit = "J/tok"
	Dimensionless Unit = "1"
)

// A Direction says which way a metric improves.
type Direction int

// The directions. A Neutral metric never ranks and is never coloured.
const (
	Neutral Direction = iota
	HigherIsBetter
	LowerIsBetter
)

// A Metric is the definition of one quantity.
type Metric struct {
	Key    Key
	Unit   Unit
	Better Direction
	Digits int    // decimals shown to readers
	Define string // the defining formula, in terms of request times and token counts
}

// The keys of all metrics.
const (
	TTFT             Key = "ttft_ms"
	TTFTScheduled    Key = "ttft_scheduled_ms"
	Queue            Key = "queue_ms"
	TTFR             Key = "ttfr_ms"
	EstimatedPrefill Key = "est_prefill_ms"
	TPOT             Key = "tpot_ms"
	ITL              Key = "itl_ms"
	E2E              Key = "e2e_ms"
	E2EScheduled     Key = "e2e_scheduled_ms"
	Prefill          Key = "prefill_tok_per_s"
	PrefillRequest   Key = "prefill_req_tok_per_s"
	Decode           Key = "decode_tok_per_s"
	DecodeRequest    Key = "decode_req_tok_per_s"
	Peak             Key = "peak_tok_per_s"
	PeakRequest      Key = "peak_req_tok_per_s"
	Output           Key = "output_tok_per_s"
	OutputRequest    Key = "output_req_tok_per_s"
	Total            Key = "total_tok_per_s"
	RequestRate      Key = "req_per_s"
	Goodput          Key = "goodput_req_per_s"
	PeakConcurrency  Key = "peak_concurrency"
	Duration         Key = "duration_s"
	AcceptanceRate   Key = "acceptance_ratio"
	AcceptanceLength Key = "acceptance_length"
	Capacity         Key = "capacity_req_per_s"
	Power            Key = "power_w"
	Energy           Key = "energy_j_per_tok"
)

// All lists every metric, in the order in which tables show them.
var All = []Metric{
	{TTFT, Millisecond, LowerIsBetter, 0, "first token − sent"},
	{TTFTScheduled, Millisecond, LowerIsBetter, 0, "first token − scheduled, open loop"},
	{Queue, Millisecond, LowerIsBetter, 0, "wait for a place under a cap on requests in flight, between scheduled and sent"},
	{TTFR, Millisecond, LowerIsBetter, 0, "first response chunk − sent, token or not"},
	{EstimatedPrefill, Millisecond, LowerIsBetter, 0, "max(0, TTFR − latency probe)"},
	{TPOT, Millisecond, LowerIsBetter, 1, "(last token − first token) / (output tokens − 1), per request"},
	{ITL, Millisecond, LowerIsBetter, 1, "time between consecutive chunks that carry output, pooled over requests"},
	{E2E, Millisecond, LowerIsBetter, 0, "last token − sent"},
	{E2EScheduled, Millisecond, LowerIsBetter, 0, "last token − scheduled, open loop"},
	{Prefill, TokensPerS, HigherIsBetter, 0, "prompt tokens of a batch / time until its last first token"},
	{PrefillRequest, TokensPerS, HigherIsBetter, 0, "prompt tokens / estimated prefill time, per request"},
	{Decode, TokensPerS, HigherIsBetter, 1, "output tokens after the first of all requests / (last token − first token of the batch)"},
	{DecodeRequest, TokensPerS, HigherIsBetter, 1, "output tokens after the first / (last token − first token), per request"},
	{Peak, TokensPerS, HigherIsBetter, 1, "largest number of tokens (or chunks, if the tool counts those) in one second"},
	{PeakRequest, TokensPerS, HigherIsBetter, 1, "largest number of tokens in one second, per request"},
	{Output, TokensPerS, HigherIsBetter, 1, "output tokens / duration of the test"},
	{OutputRequest, TokensPerS, HigherIsBetter, 1, "output tokens / (last token − sent), per request"},
	{Total, TokensPerS, HigherIsBetter, 0, "(prompt + output tokens) / duration of the test"},
	{RequestRate, RequestsPerS, HigherIsBetter, 2, "completed requests / duration of the test"},
	{Goodput, RequestsPerS, HigherIsBetter, 2, "requests that met every limit / duration of the test"},
	{PeakConcurrency, Requests, Neutral, 0, "largest number of requests in flight, as the tool counts it"},
	{Duration, Second, Neutral, 1, "last response − start of the schedule"},
	{AcceptanceRate, Ratio, HigherIsBetter, 3, "accepted draft tokens / proposed draft tokens"},
	{AcceptanceLength, TokensPerStep, HigherIsBetter, 2, "1 + accepted draft tokens / drafts"},
	{Capacity, RequestsPerS, HigherIsBetter, 1, "highest rate of the contiguous prefix of rungs whose p95 TTFT stays under the limit"},
	{Power, Watt, Neutral, 1, "power drawn by the GPU as its driver reports it"},
	{Energy, JoulePerToken, LowerIsBetter, 2, "energy of the GPU during the test / output tokens"},
}

// Lookup returns the definition of key and whether there is one.
func Lookup(key Key) (Metric, bool) {
	for _, m := range All {
		if m.Key == key {
			return m, true
		}
	}
	return Metric{}, false
}
