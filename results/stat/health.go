package stat

import (
	"slices"

	"example.org/arena/results/bundle"
)

// A Health sums up over the cells of a test how well the load generator kept up,
// and what the server counted.
type Health struct {
	Known     bool     // a cell says how the load generator kept up
	LateP99US int64    // the worst of the cells' 99th percentiles, µs
	LateMaxUS int64    // the latest of all requests, µs
	Held      *float64 // the worst share of the time in which the load was held, 0 to 1; nil when unknown
	CountedBy []string // the ways in which tokens were counted, in the order of the cells

	CountsHits  bool   // the server counts hits of its prefix cache
	HitTokens   int64  // tokens of all prompts that the cache held
	QueryTokens int64  // tokens of all prompts that the cache was asked for
	Preemptions *int64 // of all cells; nil when the server counts none
}

// HealthOf sums up the health of a test.
func HealthOf(t *bundle.Test) Health {
	var h Health
	for i := range t.Cells {
		if k := t.Cells[i].Client; k != nil {
			h.addClient(k)
		}
		if k := t.Cells[i].Counters; k != nil {
			h.addCounters(k)
		}
	}
	return h
}

func (h *Health) addClient(k *bundle.Client) {
	h.Known = true
	h.LateP99US, h.LateMaxUS = max(h.LateP99US, k.LateP99US), max(h.LateMaxUS, k.LateMaxUS)
	if k.Held != nil && (h.Held == nil || *k.Held < *h.Held) {
		h.Held = k.Held
	}
	if k.CountedBy != "" && !slices.Contains(h.CountedBy, k.CountedBy) {
		h.CountedBy = append(h.CountedBy, k.CountedBy)
	}
}

func (h *Health) addCounters(k *bundle.Counters) {
	if k.PrefixHitTokens != nil && k.PrefixQueryTokens != nil {
		h.CountsHits = true
		h.HitTokens, h.QueryTokens = h.HitTokens+*k.PrefixHitTokens, h.QueryTokens+*k.PrefixQueryTokens
	}
	if k.Preemptions != nil {
		if h.Preemptions == nil {
			h.Preemptions = new(int64(0))
		}
		*h.Preemptions += *k.Preemptions
	}
}

// Recorded counts the requests that the figures of a test follow from, and reports
// whether any figure does.
func Recorded(t *bundle.Test) (requests int, ok bool) {
	for i := range t.Cells {
		if c := &t.Cells[i]; HasRecordsOnly(c) {
			requests += c.Records.Len()
			ok = true
		}
	}
	return requests, ok
}
