package compat

import "example.org/arena/loadgen"

// VLLMOutputs returns what `vllm bench serve` would have noted about the measured
// requests, in the order of the schedule.
//
// The tool takes every chunk with a choice for a token, those without text too,
// and so do its latencies here. Where the server does not count tokens the tool
// counts those of the answer's text with a tokenizer of its own; here the chunks
// with a token count.
func VLLMOutputs(release VLLMRelease, records []loadgen.Record) []VLLMOutput {
	var outputs []VLLMOutput
	for _, r := range measured(records) {
		outputs = append(outputs, vllmOutput(release, r))
	}
	return outputs
}

func vllmOutput(release VLLMRelease, r loadgen.Record) VLLMOutput {
	o := VLLMOutput{
		Success:      answered(r),
		Start:        seconds(r.Sent),
		PromptTokens: r.Request.PromptTokens,
	}
	chunks := choices(r)
	if o.Success && len(chunks) == 0 && release.has(v29) {
		o.Success = false
	}
	if !o.Success {
		return o
	}
	o.OutputTokens = outputTokens(r)
	if release.has(v20) && r.Result.PromptTokens != loadgen.Unknown {
		o.PromptTokens = r.Result.PromptTokens
	}
	last := r.Sent
	for i, at := range chunks {
		if i == 0 {
			o.TTFT = seconds(at - r.Sent)
		} else {
			o.ITL = append(o.ITL, seconds(at-last))
		}
		last = at
	}
	if !release.has(v29) {
		last = max(last, r.Usage)
	}
	o.Latency = seconds(last - r.Sent)
	return o
}

// outputTokens returns the server's count, or that of the chunks, 1 at least.
func outputTokens(r loadgen.Record) int {
	if r.CompletionTokens > 0 {
		return r.CompletionTokens
	}
	return max(r.Chunks, 1)
}

// VLLMDuration returns how long the tool would have said that a run took, in
// seconds: from the start of the schedule to the end of the last answer, failed
// ones included. It is 0 when nothing was sent.
func VLLMDuration(records []loadgen.Record) float64 {
	end := loadgen.Offset(0)
	for _, r := range measured(records) {
		end = max(end, r.Done)
	}
	return seconds(end)
}
