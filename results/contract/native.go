package contract

import (
	"math"
	"slices"

	"example.org/arena/results/tomlfile"
)

// parseNativeClosed reads a closed loop of Arena's own load generator.
func parseNativeClosed(t, tool *tomlfile.Table) *ClosedLoop {
	t.Need("prompt_tokens", "output_tokens", "concurrency")
	tool.Need("base_url", "repetitions", "rounds", "texts")
	loop := &ClosedLoop{
		BaseURL:      tool.Str("base_url"),
		PromptTokens: t.Integers("prompt_tokens"),
		OutputTokens: t.Integers("output_tokens"),
		DepthTokens:  []int{0},
		Concurrency:  t.Integers("concurrency"),
		Runs:         int(tool.Integer("repetitions")),
		Rounds:       int(tool.Integer("rounds")),
		WarmupTokens: int(tool.Integer("warmup_tokens")),
		Texts:        ownTexts(t, tool),
		Turns:        1,
	}
	if t.Has("turns") {
		t.Need("question_tokens")
		loop.Turns = int(t.Integer("turns"))
		loop.QuestionTokens = int(t.Integer("question_tokens"))
	}
	return loop
}

// parseNativeOpen reads an open loop of Arena's own load generator.
func parseNativeOpen(t, tool *tomlfile.Table) *OpenLoop {
	t.Need("dataset", "burstiness", "request_rate", "prompts")
	tool.Need("base_url", "texts")
	loop := &OpenLoop{
		BaseURL:        tool.Str("base_url"),
		Dataset:        t.Str("dataset"),
		Burstiness:     t.Number("burstiness"),
		MaxConcurrency: int(t.Integer("max_concurrency")),
		RateDigits:     int(tool.Integer("rate_digits")),
		WarmupTokens:   int(tool.Integer("warmup_tokens")),
		Rungs:          parseRungs(t),
		StopP95TTFT:    int(t.Integer("stop_p95_ttft_ms")),
	}
	if loop.Dataset == FromTexts {
		t.Need("mean_input_tokens", "mean_output_tokens", "range_ratio")
		loop.InputTokens = int(t.Integer("mean_input_tokens"))
		loop.OutputTokens = int(t.Integer("mean_output_tokens"))
		loop.RangeRatio = t.Number("range_ratio")
		loop.Texts = ownTexts(t, tool)
	}
	return loop
}

// ownTexts returns the texts of a test: its own, or those of all tests.
func ownTexts(t, tool *tomlfile.Table) []string {
	shared := tool.Strs("texts")
	if t.Has("texts") {
		return t.Strs("texts")
	}
	return shared
}

// nativeClosed checks a closed loop of Arena's own load generator.
func (v *validator) nativeClosed(path string, l *ClosedLoop) {
	v.ascending(tomlfile.Join(path, "prompt_tokens"), l.PromptTokens, 1, math.MaxInt)
	v.ascending(tomlfile.Join(path, "output_tokens"), l.OutputTokens, 1, math.MaxInt)
	v.ascending(tomlfile.Join(path, "concurrency"), l.Concurrency, 1, math.MaxInt)
	tool := string(Native)
	v.match(tomlfile.Join(tool, "base_url"), l.BaseURL, urlPattern, "an address without a slash at its end")
	v.atLeast(tomlfile.Join(tool, "repetitions"), l.Runs, 1)
	v.atLeast(tomlfile.Join(tool, "rounds"), l.Rounds, 1)
	v.atLeast(tomlfile.Join(tool, "warmup_tokens"), l.WarmupTokens, 0)
	v.texts(path, l.Texts)
	v.atLeast(tomlfile.Join(path, "turns"), l.Turns, 1)
	if l.Turns > 1 {
		v.atLeast(tomlfile.Join(path, "question_tokens"), l.QuestionTokens, 1)
		if len(l.PromptTokens) != 1 || len(l.OutputTokens) != 1 {
			v.Add(tomlfile.Join(path, "turns"), "want one prompt length and one output length for conversations")
		}
	}
}

// nativeOpen checks an open loop of Arena's own load generator.
func (v *validator) nativeOpen(path string, l *OpenLoop) {
	v.match(tomlfile.Join(string(Native), "base_url"), l.BaseURL, urlPattern, "an address without a slash at its end")
	if !(l.Burstiness > 0) || math.IsInf(l.Burstiness, 0) {
		v.Add(tomlfile.Join(path, "burstiness"), "want more than 0, not %v", l.Burstiness)
	}
	v.atLeast(tomlfile.Join(string(Native), "warmup_tokens"), l.WarmupTokens, 0)
	v.atLeast(tomlfile.Join(path, "max_concurrency"), l.MaxConcurrency, 0)
	v.atLeast(tomlfile.Join(path, "stop_p95_ttft_ms"), l.StopP95TTFT, 0)
	switch l.Dataset {
	case FromTexts:
		v.lengths(path, l)
		v.texts(path, l.Texts)
	case ShareGPT:
	default:
		v.Add(tomlfile.Join(path, "dataset"), "want %q or %q, not %q", FromTexts, ShareGPT, l.Dataset)
	}
	v.rungs(path, l.Rungs)
}

// texts checks the names of texts; whether there are such texts is known where
// prompts are made.
func (v *validator) texts(path string, names []string) {
	if len(names) == 0 {
		v.Add(tomlfile.Join(path, "texts"), "want at least one text")
	}
	for i, name := range names {
		v.match(tomlfile.Join(path, "texts"), name, slugPattern, "lower-case words joined by hyphens")
		if slices.Contains(names[:i], name) {
			v.Add(tomlfile.Join(path, "texts"), "%q stands there twice", name)
		}
	}
}
