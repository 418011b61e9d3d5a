package show

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"example.org/arena/results/bundle"
)

// CSV writes a bundle as CSV: one line per number that the source reports,
// with the parameters of its cell. An empty field is unknown or does not apply.
func CSV(w io.Writer, b *bundle.Bundle) error {
	out := csv.NewWriter(w)
	out.Write([]string{
		"test", "cell", "prompt_tokens", "output_tokens", "depth_tokens", "phase", "concurrency",
		"request_rate_per_s", "max_concurrency", "planned", "completed", "failed",
		"metric", "name", "unit", "n", "statistic", "value",
	})
	for i := range b.Tests {
		t := &b.Tests[i]
		for j := range t.Cells {
			cell := cellFields(t.Slug, j, &t.Cells[j])
			for k := range t.Cells[j].Reported {
				f := &t.Cells[j].Reported[k]
				figure := append(slices.Clip(cell), string(f.Metric), f.Name, string(f.Unit), whole(f.N))
				for _, s := range statistics(f) {
					out.Write(append(slices.Clip(figure), s.name, decimal(s.value)))
				}
			}
		}
	}
	out.Flush()
	return out.Error() // of any line
}

func cellFields(slug string, index int, c *bundle.Cell) []string {
	fields := []string{
		slug, strconv.Itoa(index), whole(c.PromptTokens), whole(c.OutputTokens), whole(c.DepthTokens),
		c.Phase, whole(c.Concurrency),
	}
	rate := ""
	if c.RequestRate != nil {
		rate = decimal(float64(*c.RequestRate))
	}
	fields = append(fields, rate, whole(c.MaxConcurrency))
	r := c.Requests
	if r == nil {
		r = &bundle.Requests{}
	}
	for _, n := range []*int{r.Planned, r.Completed, r.Failed} {
		text := ""
		if n != nil {
			text = strconv.Itoa(*n)
		}
		fields = append(fields, text)
	}
	return fields
}

// whole writes a parameter, which is absent when it is zero.
func whole(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

type statistic struct {
	name  string
	value float64
}

// statistics lists the numbers of a figure.
func statistics(f *bundle.Figure) []statistic {
	var list []statistic
	for _, s := range []struct {
		name  string
		value *float64
	}{{"value", f.Value}, {"mean", f.Mean}, {"std_" + f.StdKind, f.Std}, {"min", f.Min}, {"median", f.Median}, {"max", f.Max}} {
		if s.value != nil {
			list = append(list, statistic{s.name, *s.value})
		}
	}
	for _, p := range f.Percentiles {
		list = append(list, statistic{"p" + decimal(p.P), p.Value})
	}
	for i, v := range f.Values {
		list = append(list, statistic{"sample_" + strconv.Itoa(i+1), v})
	}
	return list
}
