package audit

import (
	"slices"
	"strconv"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// NoteProjected is the code of a note on a cell or a test whose source calls its
// figures projected, not measured.
const NoteProjected = "projected_value"

// lengthKeys are the quantities that depend on the length of the prompt.
var lengthKeys = []metric.Key{
	metric.TTFT, metric.TTFR, metric.EstimatedPrefill, metric.Prefill, metric.PrefillRequest,
}

// tokenizerFallback finds tests whose tool cut its prompts with a tokenizer that
// is not the model's. Prompts are then not as long as their label says: how
// long, the prefill rate tells, because it counts what the server counted.
func tokenizerFallback(in Input) []Finding {
	return eachTest(in, func(t *bundle.Test) []Finding {
		n, ok := noteOf(t.Notes, bundle.NoteTokenizerFallback)
		if !ok {
			return nil
		}
		f := Finding{Code: TokenizerFallback, Severity: Warning, Test: t.Slug, Cell: WholeTest, Metrics: lengthKeys}
		for _, a := range n.Args {
			f.Args = append(f.Args, text(a.Name, a.Value))
		}
		if label, actual, ok := promptLength(t); ok {
			f.Args = append(f.Args, num("label", float64(label), metric.Tokens), num("prompt", actual, metric.Tokens))
		}
		return one(f)
	})
}

// steadyPrefill is the largest coefficient of variation at which a prompt length
// may be read off a prefill rate: the mean of ratios then differs from the ratio
// of means by less than its square, a quarter of a percent.
const steadyPrefill = 0.05

// promptLength returns the label of the test's longest prompt that was measured
// alone, and its length in tokens as the prefill rate implies: rate × time.
func promptLength(t *bundle.Test) (label int, actual float64, ok bool) {
	for i := range t.Cells {
		c := &t.Cells[i]
		rate, okRate := mean(c, metric.PrefillRequest)
		if !okRate {
			rate, okRate = mean(c, metric.Prefill)
		}
		ms, okTime := mean(c, metric.EstimatedPrefill)
		if !okRate || !okTime || c.Concurrency > 1 || c.PromptTokens <= label || !steady(c) {
			continue
		}
		label, actual, ok = c.PromptTokens, rate*ms/1000, true
	}
	return label, actual, ok
}

func steady(c *bundle.Cell) bool {
	f := c.Figure(metric.EstimatedPrefill)
	return f.Mean != nil && f.Std != nil && *f.Std <= steadyPrefill**f.Mean
}

// projectedValue finds cells that their source calls projected: nobody measured
// them.
func projectedValue(in Input) []Finding {
	cells := eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		return projected(c.Notes)
	})
	return append(cells, eachTest(in, func(t *bundle.Test) []Finding {
		out := projected(t.Notes)
		for i := range out {
			out[i].Test, out[i].Cell = t.Slug, WholeTest
		}
		return out
	})...)
}

func projected(notes []bundle.Note) []Finding {
	n, ok := noteOf(notes, NoteProjected)
	if !ok {
		return nil
	}
	f := Finding{Code: ProjectedValue, Severity: Error}
	for _, a := range n.Args {
		f.Args = append(f.Args, text(a.Name, a.Value))
	}
	return one(f)
}

func noteOf(notes []bundle.Note, code string) (bundle.Note, bool) {
	for _, n := range notes {
		if n.Code == code {
			return n, true
		}
	}
	return bundle.Note{}, false
}

// slowed are the codes of the notes which say that the GPU was slowed down by what
// is wrong with the machine. A GPU at its power limit is not among them: that is
// how many are run.
var slowed = []string{"gpu_slowed_by_heat", "gpu_slowed_by_power_brake", "gpu_slowed_by_hardware"}

// Slowed reports whether a note says what throttled finds.
func Slowed(n bundle.Note) bool { return slices.Contains(slowed, n.Code) }

// throttled finds tests and cells during which the GPU was slowed down.
func throttled(in Input) []Finding {
	cells := eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding { return throttling(c.Notes) })
	return append(cells, eachTest(in, func(t *bundle.Test) []Finding {
		out := throttling(t.Notes)
		for i := range out {
			out[i].Test, out[i].Cell = t.Slug, WholeTest
		}
		return out
	})...)
}

// throttling returns a finding for the first note about a slowed GPU.
func throttling(notes []bundle.Note) []Finding {
	i := slices.IndexFunc(notes, Slowed)
	if i < 0 {
		return nil
	}
	f := Finding{Code: Throttled, Severity: Warning}
	values := map[string]float64{}
	for _, a := range notes[i].Args {
		if v, err := strconv.ParseFloat(a.Value, 64); err == nil && finite(v) {
			values[a.Name] = v
		}
	}
	if clock, ok := values["clock_mhz"]; ok {
		f.Args = append(f.Args, num("clock", clock, metric.Megahertz))
	}
	samples, some := values["samples"]
	of, all := values["of"]
	if some && all {
		f.Args = append(f.Args, num("samples", samples, metric.Dimensionless), num("of", of, metric.Dimensionless))
	}
	return one(f)
}
