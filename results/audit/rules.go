package audit

import "example.org/arena/results/metric"

// A Rule finds one kind of fault.
type Rule struct {
	Code   Code
	Params []Param // what its findings carry, in order
	Check  func(Input) []Finding
}

// A Param is an argument of a rule's findings.
type Param struct {
	Name     string
	Unit     metric.Unit // of a number
	Text     bool        // it is a name, not a number
	OfMetric bool        // its unit is that of the quantity concerned
	Optional bool        // left out when it is not known
}

// Rules lists every rule, in the order in which findings about one place appear.
var Rules = []Rule{
	{AllRequestsFailed, []Param{count("requests")}, allRequestsFailed},
	{SuccessBelowThreshold, []Param{count("completed"), count("requests"), ratio("share"), ratio("threshold")}, successBelowThreshold},
	// The share is one of those expected, negative when tokens are missing.
	{OutputTokensMismatch, []Param{tokens("tokens"), tokens("expected"), ratio("share"), count("failed").optional()}, outputTokensMismatch},
	// Tokens and expected are means over the answers.
	{ShortOutput, []Param{tokens("tokens"), tokens("expected"), count("short"), count("requests")}, shortOutput},
	{PromptTokensMismatch, []Param{count("different"), count("requests"), tokens("tokens"), tokens("expected"), ratio("share")}, promptTokensMismatch},
	{PrefixCacheHit, []Param{ratio("share"), tokens("hits"), tokens("queries")}, prefixCacheHit},
	{ClientSaturated, []Param{
		ms("lateness").optional(), ratio("held").optional(), ms("stall").optional(),
		ms("ttft_error").optional(), ms("itl_error").optional(), count("streams").optional(),
	}, clientSaturated},
	{ConcurrencyNotHeld, []Param{number("held"), count("concurrency")}, concurrencyNotHeld},
	{Throttled, []Param{{Name: "clock", Unit: metric.Megahertz, Optional: true}, number("samples").optional(), number("of").optional()}, throttled},
	{ProjectedValue, nil, projectedValue}, // and whatever the source's note says
	{ZeroTTFT, []Param{count("completed").optional()}, zeroTTFT},
	{LatencySubtraction, []Param{ms("latency"), ms("response"), ratio("share"), ratio("threshold")}, latencySubtraction},
	{MissingPrefill, []Param{ms("latency").optional(), ms("response").optional()}, missingPrefill},
	{PeakBelowMean, []Param{name("metric"), perS("peak"), perS("mean")}, peakBelowMean},
	{PerSlotRate, []Param{
		{Name: "rate", Unit: metric.RequestsPerS}, ms("latency"), number("slots"), count("concurrency"), {Name: "system_rate", Unit: metric.RequestsPerS},
	}, perSlotRate},
	{WrongTail, []Param{name("metric"), number("percentile")}, wrongTail},
	{MultiTokenChunks, []Param{ms("gap"), ms("token"), number("ratio")}, multiTokenChunks},
	{DepthIsTokens, []Param{tokens("depth"), tokens("prompt")}, depthIsTokens},
	{TokenizerFallback, []Param{name("tokenizer").optional(), tokens("label").optional(), tokens("prompt").optional()}, tokenizerFallback},
	{ContractDeviation, []Param{name("kind"), name("parameter"), name("contract").optional(), name("recorded").optional()}, contractDeviation},
	{HighVariation, spreadParams, highVariation},
	{StddevExceedsMean, spreadParams, stddevExceedsMean},
}

var spreadParams = []Param{
	name("metric"), {Name: "mean", OfMetric: true}, {Name: "std", OfMetric: true}, ratio("share"), number("n").optional(),
}

func name(n string) Param   { return Param{Name: n, Text: true} }
func number(n string) Param { return Param{Name: n, Unit: metric.Dimensionless} }
func count(n string) Param  { return Param{Name: n, Unit: metric.Requests} }
func tokens(n string) Param { return Param{Name: n, Unit: metric.Tokens} }
func perS(n string) Param   { return Param{Name: n, Unit: metric.TokensPerS} }
func ratio(n string) Param  { return Param{Name: n, Unit: metric.Ratio} }
func ms(n string) Param     { return Param{Name: n, Unit: metric.Millisecond} }

func (p Param) optional() Param {
	p.Optional = true
	return p
}
