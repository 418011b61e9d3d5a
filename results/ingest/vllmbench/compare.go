package vllmbench

import (
	"path"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/tomlfile"
)

// printedDecimals is the number of decimals in a printed block.
const printedDecimals = 2

// Compare compares a result with the block that was printed for it: the
// same numbers, rounded.
func Compare(result, printed Result, f *scan.Faults) {
	c := Comparison{F: f, File: printed.File, Line: printed.Line, Other: path.Base(result.File)}
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
		if have := a.Figure(fig.Metric); have != nil {
			c.figure(fig, *have)
		}
	}
	c.draft(a.Draft, b.Draft)
}

// A Comparison compares what a file says with what another file says, within the
// rounding of the first.
type Comparison struct {
	F     *scan.Faults
	File  string
	Line  int
	Other string
}

func (c Comparison) fault(key string, said, other float64) {
	c.F.List = append(c.F.List, tomlfile.Fault{
		File: c.File, Line: c.Line, Key: key,
		Message: "is " + scan.FormatNumber(said) + ", but " + c.Other + " says " + scan.FormatNumber(other),
	})
}

// number compares one number, which was rounded to the given decimals.
func (c Comparison) number(key string, said, other float64, decimals int) {
	if !scan.CloseAt(other, said, decimals) {
		c.fault(key, said, other)
	}
}

// Optional compares two numbers that may be missing.
func (c Comparison) Optional(key string, said, other *float64, decimals int) {
	if said != nil && other != nil {
		c.number(key, *said, *other, decimals)
	}
}

func (c Comparison) count(key string, said, other *int) {
	if said != nil && other != nil && *said != *other {
		c.fault(key, float64(*said), float64(*other))
	}
}

func (c Comparison) requests(a, b *bundle.Requests) {
	if a != nil && b != nil {
		c.count("completed", b.Completed, a.Completed)
		c.count("failed", b.Failed, a.Failed)
	}
}

func (c Comparison) tokens(a, b *bundle.Tokens) {
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

func (c Comparison) figure(said, other bundle.Figure) {
	name := other.Name
	c.Optional(name, said.Value, other.Value, printedDecimals)
	c.Optional("mean_"+name, said.Mean, other.Mean, printedDecimals)
	c.Optional("median_"+name, said.Median, other.Median, printedDecimals)
	for _, p := range said.Percentiles {
		if v, ok := other.Percentile(p.P); ok {
			c.number("p"+scan.FormatNumber(p.P)+"_"+name, p.Value, v, printedDecimals)
		}
	}
}

// draft compares the counts of speculation. Percentages are printed with two
// decimals: ratios with four.
func (c Comparison) draft(a, b *bundle.DraftStat) {
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
	c.Optional("spec_decode_acceptance_length", b.AcceptanceLength, a.AcceptanceLength, printedDecimals)
	for i, v := range b.PerPosition {
		if i < len(a.PerPosition) {
			c.number("spec_decode_per_position_acceptance_rates", v, a.PerPosition[i], printedDecimals+2)
		}
	}
}
