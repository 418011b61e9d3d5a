package contract

import "example.org/arena/results/tomlfile"

// A Grid holds the lengths and loads of a closed loop. Its cells are every
// combination of the lists, prompt outermost and concurrency innermost.
type Grid struct {
	PromptTokens []int
	OutputTokens []int
	DepthTokens  []int // context before the prompt; a zero alone for kinds without
	Concurrency  []int
}

// Cells lists the combinations.
func (g Grid) Cells() []Cell {
	var cells []Cell
	for _, prompt := range g.PromptTokens {
		for _, output := range g.OutputTokens {
			for _, depth := range g.DepthTokens {
				for _, c := range g.Concurrency {
					cells = append(cells, Cell{PromptTokens: prompt, OutputTokens: output, DepthTokens: depth, Concurrency: c})
				}
			}
		}
	}
	return cells
}

// Arrivals say how the requests of an open loop come, and how long they are: one
// cell per rung.
type Arrivals struct {
	Dataset        string  // Random or ShareGPT for VLLMServe, FromTexts or ShareGPT for OpenLoop
	InputTokens    int     // mean prompt length, not for ShareGPT
	OutputTokens   int     // mean output length, not for ShareGPT
	RangeRatio     float64 // half width of the spread of lengths around their mean, in [0,1), not for ShareGPT
	Burstiness     float64 // shape of the gamma arrivals: 1 is Poisson, lower is burstier
	MaxConcurrency int     // cap on requests in flight, 0 for none
	RateDigits     int     // fewest decimals of a rate in commands and file names
	Rungs          []Rung
}

// The datasets that open loops take their prompts from.
const (
	Random    = "random"   // made-up tokens of random lengths
	FromTexts = "texts"    // windows of named texts, of the lengths that Random has for the same seed
	ShareGPT  = "sharegpt" // recorded conversations
)

// A Rung is one arrival rate of an open loop.
type Rung struct {
	RequestRate float64 // requests per second
	Prompts     int     // requests sent
}

// Cells lists a cell for each rung.
func (a Arrivals) Cells() []Cell {
	var cells []Cell
	for _, r := range a.Rungs {
		cells = append(cells, Cell{
			PromptTokens: a.InputTokens,
			OutputTokens: a.OutputTokens,
			RequestRate:  r.RequestRate,
			Prompts:      r.Prompts,
		})
	}
	return cells
}

// rate returns the rung's rate as commands and file names write it.
func (a Arrivals) rate(r Rung) string { return decimal(r.RequestRate, max(a.RateDigits, 1)) }

// parseArrivals reads what the kinds of open loop share. Random names the dataset
// of random lengths.
func parseArrivals(t, tool *tomlfile.Table, random string) Arrivals {
	t.Need("dataset", "burstiness", "request_rate", "prompts")
	a := Arrivals{
		Dataset:        t.Str("dataset"),
		Burstiness:     t.Number("burstiness"),
		MaxConcurrency: int(t.Integer("max_concurrency")),
		RateDigits:     int(tool.Integer("rate_digits")),
		Rungs:          parseRungs(t),
	}
	if a.Dataset == random {
		t.Need("mean_input_tokens", "mean_output_tokens", "range_ratio")
		a.InputTokens = int(t.Integer("mean_input_tokens"))
		a.OutputTokens = int(t.Integer("mean_output_tokens"))
		a.RangeRatio = t.Number("range_ratio")
	}
	return a
}

// parseRungs pairs the two lists: the n-th rate sends the n-th number of prompts.
func parseRungs(t *tomlfile.Table) []Rung {
	rates, prompts := t.Numbers("request_rate"), t.Integers("prompts")
	if len(rates) != len(prompts) {
		t.Fault("prompts", "want as many values as request_rate has: %d, not %d", len(rates), len(prompts))
		return nil
	}
	var rungs []Rung
	for i := range rates {
		rungs = append(rungs, Rung{RequestRate: rates[i], Prompts: prompts[i]})
	}
	return rungs
}
