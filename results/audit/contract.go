package audit

import (
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// smallestDepth is the share of the prompt below which a context depth cannot be
// meant in tokens: four tokens before a prompt of 2048 are no conversation.
const smallestDepth = 0.01

// depthIsTokens finds tests whose contract asks for turns of a conversation with
// a parameter that the tool counts in tokens. What was measured is one turn.
func depthIsTokens(in Input) []Finding {
	return eachTest(in, func(t *bundle.Test) []Finding {
		spec, ok := in.spec(t.Slug)
		l, batches := spec.Kind.(contract.Batches)
		if !ok || !batches || len(t.Cells) == 0 {
			return nil
		}
		if len(l.DepthTokens) == 0 || len(l.PromptTokens) == 0 {
			return nil
		}
		depth, prompt := slices.Max(l.DepthTokens), slices.Max(l.PromptTokens)
		if depth <= 0 || float64(depth) >= smallestDepth*float64(prompt) {
			return nil
		}
		return one(Finding{Code: DepthIsTokens, Severity: Warning, Test: t.Slug, Cell: WholeTest, Args: []Arg{
			num("depth", float64(depth), metric.Tokens),
			num("prompt", float64(prompt), metric.Tokens),
		}})
	})
}

// outputOnly are flags that say what a tool does with its results, or with a run
// that fails. They leave the load as it is.
var outputOnly = []string{
	"--exit-on-first-fail", "--format", "--save-result", "--result-dir", "--result-filename", "--metric-percentiles",
	"--percentile-metrics", "--emit-progress", "--save-detailed", "--disable-tqdm",
}

// contractDeviation finds recorded commands that differ from the contract's, one
// finding per parameter. A flag that does not touch the load is only mentioned.
func contractDeviation(in Input) []Finding {
	return eachTest(in, func(t *bundle.Test) []Finding {
		spec, ok := in.spec(t.Slug)
		if !ok || t.Command == nil {
			return nil
		}
		var out []Finding
		for _, d := range in.Contract.Deviations(spec, t.Command.Argv) {
			f := Finding{Code: ContractDeviation, Severity: Warning, Test: t.Slug, Cell: WholeTest, Args: []Arg{
				text("kind", string(d.Kind)), text("parameter", d.Parameter),
			}}
			if slices.Contains(outputOnly, d.Parameter) {
				f.Severity = Info
			}
			if d.Contract != "" {
				f.Args = append(f.Args, text("contract", d.Contract))
			}
			if d.Recorded != "" {
				f.Args = append(f.Args, text("recorded", d.Recorded))
			}
			out = append(out, f)
		}
		return out
	})
}
