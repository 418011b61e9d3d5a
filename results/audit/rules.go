package audit

// Rules lists every rule, in the order in which findings about one place appear.
var Rules = []Rule{
	{AllRequestsFailed, allRequestsFailed},
	{SuccessBelowThreshold, successBelowThreshold},
	{OutputTokensMismatch, outputTokensMismatch},
	{ShortOutput, shortOutput},
	{PromptTokensMismatch, promptTokensMismatch},
	{PrefixCacheHit, prefixCacheHit},
	{ClientSaturated, clientSaturated},
	{ConcurrencyNotHeld, concurrencyNotHeld},
	{Throttled, throttled},
	{ProjectedValue, projectedValue},
	{ZeroTTFT, zeroTTFT},
	{LatencySubtraction, latencySubtraction},
	{MissingPrefill, missingPrefill},
	{PeakBelowMean, peakBelowMean},
	{PerSlotRate, perSlotRate},
	{WrongTail, wrongTail},
	{MultiTokenChunks, multiTokenChunks},
	{DepthIsTokens, depthIsTokens},
	{TokenizerFallback, tokenizerFallback},
	{ContractDeviation, contractDeviation},
	{HighVariation, highVariation},
	{StddevExceedsMean, stddevExceedsMean},
}
