package audit

import (
	"math"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// eachOwnCell calls check for every cell whose requests are recorded, of the tests
// whose contract has Arena's own load generator fix every length.
func eachOwnCell(in Input, check func(*bundle.Cell) []Finding) []Finding {
	return eachCell(in, func(t *bundle.Test, c *bundle.Cell) []Finding {
		spec, ok := in.spec(t.Slug)
		if !ok || !spec.Own() || c.Records == nil {
			return nil
		}
		return check(c)
	})
}

// mostHits is the share of prompt tokens from which on a prefix cache counts as
// warm.
const mostHits = 0.01

// prefixCacheHit finds cells whose prompts the server partly knew already, where
// the contract asks for a cold cache.
func prefixCacheHit(in Input) []Finding {
	return eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		k := c.Counters
		if in.Contract == nil || !in.Contract.ColdCache || k == nil || k.PrefixHitTokens == nil || k.PrefixQueryTokens == nil || *k.PrefixQueryTokens <= 0 {
			return nil
		}
		share := float64(*k.PrefixHitTokens) / float64(*k.PrefixQueryTokens)
		if share < mostHits {
			return nil
		}
		return one(Finding{Code: PrefixCacheHit, Severity: Error, Args: []Arg{
			num("share", share, metric.Ratio),
			num("hits", float64(*k.PrefixHitTokens), metric.Tokens),
			num("queries", float64(*k.PrefixQueryTokens), metric.Tokens),
		}})
	})
}

// A length is what the answered requests of a cell were to have and had.
type length struct {
	requests    int // that say
	fewer, more int // requests with fewer and with more tokens than asked for
	asked, had  int64
}

// lengthOf compares counts with what was asked for, over answered requests.
func lengthOf(r *bundle.Records, asked []int64, had []*int64) length {
	var l length
	for i, o := range r.Outcome {
		if o != bundle.OutcomeOK || i >= len(asked) || i >= len(had) || had[i] == nil {
			continue
		}
		l.requests++
		l.asked += asked[i]
		l.had += *had[i]
		switch {
		case *had[i] < asked[i]:
			l.fewer++
		case *had[i] > asked[i]:
			l.more++
		}
	}
	return l
}

// share is by how much more tokens there were than asked for, negative for fewer.
func (l length) share() float64 {
	if l.asked == 0 {
		return 0
	}
	return float64(l.had-l.asked) / float64(l.asked)
}

// shortOutput finds cells whose answers ended before the length that was asked
// for, although the model was told not to stop: the server did less work. Up to
// what the success threshold allows for requests the figures stand.
func shortOutput(in Input) []Finding {
	return eachOwnCell(in, func(c *bundle.Cell) []Finding {
		l := lengthOf(c.Records, c.Records.AskedOutputTokens, c.Records.CompletionTokens)
		if l.fewer == 0 {
			return nil
		}
		f := Finding{Code: ShortOutput, Severity: Warning, Args: []Arg{
			num("tokens", float64(l.had)/float64(l.requests), metric.Tokens),
			num("expected", float64(l.asked)/float64(l.requests), metric.Tokens),
			num("short", float64(l.fewer), metric.Requests),
			num("requests", float64(l.requests), metric.Requests),
		}}
		if -l.share() > 1-in.Contract.SuccessThreshold+slack {
			f.Severity = Error
		}
		return one(f)
	})
}

// longOutput finds cells whose answers are longer than was asked for.
func longOutput(in Input) []Finding {
	return eachOwnCell(in, func(c *bundle.Cell) []Finding {
		l := lengthOf(c.Records, c.Records.AskedOutputTokens, c.Records.CompletionTokens)
		if l.more == 0 || l.had <= l.asked {
			return nil
		}
		f := Finding{Code: OutputTokensMismatch, Severity: Warning, Args: []Arg{
			num("tokens", float64(l.had), metric.Tokens),
			num("expected", float64(l.asked), metric.Tokens),
			num("share", l.share(), metric.Ratio),
		}}
		if l.share() > 1-in.Contract.SuccessThreshold+slack {
			f.Severity = Error
		}
		return one(f)
	})
}

// promptTokensMismatch finds cells whose prompts the server counts otherwise than
// they were made. A difference in total that is within what the success threshold
// allows is only mentioned.
func promptTokensMismatch(in Input) []Finding {
	return eachOwnCell(in, func(c *bundle.Cell) []Finding {
		l := lengthOf(c.Records, c.Records.AskedPromptTokens, c.Records.PromptTokens)
		if l.fewer+l.more == 0 {
			return nil
		}
		f := Finding{Code: PromptTokensMismatch, Severity: Info, Metrics: lengthKeys, Args: []Arg{
			num("different", float64(l.fewer+l.more), metric.Requests),
			num("requests", float64(l.requests), metric.Requests),
			num("tokens", float64(l.had)/float64(l.requests), metric.Tokens),
			num("expected", float64(l.asked)/float64(l.requests), metric.Tokens),
			num("share", l.share(), metric.Ratio),
		}}
		if math.Abs(l.share()) > 1-in.Contract.SuccessThreshold+slack {
			f.Severity = Warning
		}
		return one(f)
	})
}
