package ingest

import (
	"path"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
	"example.org/arena/results/tomlfile"
)

// printedDecimals is the number of decimals in a printed block.
const printedDecimals = 2

// compareResults compares a result with the block that was printed for it: the
// same numbers, rounded.
func compareResults(result, printed VLLMResult, f *faultList) {
	c := comparison{f: f, file: printed.File, line: printed.Line, other: path.Base(result.File)}
	a, b := result.Cell, printed.Cell
	c.requests(a.Requests, b.Requests)
	c.tokens(a.Tokens, b.Tokens)
	if b.MaxConcurrency != 0 && a.MaxConcurrency != b.MaxConcurrency {
		c.fault("max_concurrency", float64(b.MaxConcurrency), float64(a.MaxConcurrency))
	}
	if a.RequestRate != nil && b.RequestRate != nil {
		c.number("request_rate", float64(*b.RequestRate), float64(*a.RequestRate), printedDecimals)
	}
	for _, fig := range b.Reported {
		if have := figureOf(a, fig.Metric); have != nil {
			c.figure(fig, *have)
		}
	}
	c.draft(a.Draft, b.Draft)
}

func figureOf(c bundle.Cell, key metric.Key) *bundle.Figure {
	for i := range c.Reported {
		if c.Reported[i].Metric == key {
			return &c.Reported[i]
		}
	}
	return nil
}

// A comparison compares what a file says with what another file says, within the
// rounding of the first.
type comparison struct {
	f     *faultList
	file  string
	line  int
	other string
}

func (c comparison) fault(key string, said, other float64) {
	c.f.list = append(c.f.list, tomlfile.Fault{File: c.file, Line: c.line, Key: key,
		Message: "is " + plain(said) + ", but " + c.other + " says " + plain(other)})
}

// number compares one number, which was rounded to the given decimals.
func (c comparison) number(key string, said, other float64, decimals int) {
	if !closeAt(other, said, decimals) {
		c.fault(key, said, other)
	}
}

// optional compares two numbers that may be missing.
func (c comparison) optional(key string, said, other *float64, decimals int) {
	if said != nil && other != nil {
		c.number(key, *said, *other, decimals)
	}
}

func (c comparison) count(key string, said, other *int) {
	if said != nil && other != nil && *said != *other {
		c.fault(key, float64(*said), float64(*other))
	}
}

func (c comparison) requests(a, b *bundle.Requests) {
	if a != nil && b != nil {
		c.count("completed", b.Completed, a.Completed)
		c.count("failed", b.Failed, a.Failed)
	}
}

func (c comparison) tokens(a, b *bundle.Tokens) {
	if a == nil || b == nil {
		return
	}
	for _, t := range []struct {
		key         string
		said, other *int64
	}{{"total_input_tokens", b.Input, a.Input}, {"total_output_tokens", b.Output, a.Output}} {
		if t.said != nil && t.other != nil && *t.said != *t.other {
			c.fault(t.key, float64(*t.said), float64(*t.other))
		}
	}
}

func (c comparison) figure(said, other bundle.Figure) {
	name := other.Name
	c.optional(name, said.Value, other.Value, printedDecimals)
	c.optional("mean_"+name, said.Mean, other.Mean, printedDecimals)
	c.optional("median_"+name, said.Median, other.Median, printedDecimals)
	for _, p := range said.Percentiles {
		if v, ok := other.Percentile(p.P); ok {
			c.number("p"+plain(p.P)+"_"+name, p.Value, v, printedDecimals)
		}
	}
}

// draft compares the counts of speculation. Percentages are printed with two
// decimals: ratios with four.
func (c comparison) draft(a, b *bundle.DraftStat) {
	if a == nil || b == nil {
		return
	}
	for _, n := range []struct {
		key         string
		said, other int64
	}{
		{"spec_decode_num_drafts", b.Drafts, a.Drafts},
		{"spec_decode_draft_tokens", b.DraftTokens, a.DraftTokens},
		{"spec_decode_accepted_tokens", b.AcceptedTokens, a.AcceptedTokens},
	} {
		if n.said != n.other {
			c.fault(n.key, float64(n.said), float64(n.other))
		}
	}
	c.optional("spec_decode_acceptance_length", b.AcceptanceLength, a.AcceptanceLength, printedDecimals)
	for i, v := range b.PerPosition {
		if i < len(a.PerPosition) {
			c.number("spec_decode_per_position_acceptance_rates", v, a.PerPosition[i], printedDecimals+2)
		}
	}
}
