package hostinfo

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/arena/results/bundle"
)

// A Delta is what a server counted between two looks at its metrics.
type Delta struct {
	Counters *bundle.Counters  // nil when the server counts none of it
	Draft    *bundle.DraftStat // nil without a speculative step
	Notes    []bundle.Note
}

// counterNames are the servers' names for what a bundle keeps, without the _total
// that most add. The first that a server has counts.
//
// Earlier versions of vLLM have gpu_prefix_cache_queries, which counts blocks and
// not tokens, and is left out. SGLang looks all tokens of a prompt up in its cache, so
// that its count of prompt tokens is that of queries too. llama.cpp counts the tokens of prompts that it computed,
// without those that it had in its cache; the others count both.
var counterNames = struct {
	hits, preemptions, prompt, generation []string
	queries                               map[string]string // by the counter of the hits
}{
	hits: []string{"vllm:prefix_cache_hits", "sglang:cached_tokens"},
	queries: map[string]string{
		"vllm:prefix_cache_hits": "vllm:prefix_cache_queries", "sglang:cached_tokens": "sglang:prompt_tokens",
	},
	preemptions: []string{"vllm:num_preemptions", "sglang:num_retracted_requests"},
	prompt:      []string{"vllm:prompt_tokens", "sglang:prompt_tokens", "llamacpp:prompt_tokens"},
	generation:  []string{"vllm:generation_tokens", "sglang:generation_tokens", "llamacpp:tokens_predicted"},
}

// Counters of speculative decoding, which vLLM alone has: SGLang tells the state of
// its last step, which says nothing about a cell.
const (
	draftsName   = "vllm:spec_decode_num_drafts"
	draftTokens  = "vllm:spec_decode_num_draft_tokens"
	draftHits    = "vllm:spec_decode_num_accepted_tokens"
	draftHitsPos = "vllm:spec_decode_num_accepted_tokens_per_pos"
)

// Difference returns what a server counted from one look at its metrics to the
// next. It counts all traffic, also that of others. What went backwards, since the
// server was started anew, is not known; it is never negative.
func Difference(before, after Metrics) Delta {
	d := differ{before: before, after: after}
	if before.Empty() || after.Empty() {
		return Delta{}
	}
	if restarted(before, after) {
		return Delta{Notes: []bundle.Note{bundle.NewNote(NoteServerRestarted)}}
	}
	var c bundle.Counters
	c.Preemptions, _ = d.first(counterNames.preemptions)
	c.PromptTokens, _ = d.first(counterNames.prompt)
	c.GenerationTokens, _ = d.first(counterNames.generation)
	hits, name := d.first(counterNames.hits)
	if queries := d.count(counterNames.queries[name]); hits != nil && queries != nil {
		c.PrefixHitTokens, c.PrefixQueryTokens = hits, queries
	}
	out := Delta{Draft: d.draft()}
	if c != (bundle.Counters{}) {
		out.Counters = &c
	}
	if len(d.unusable) > 0 {
		slices.Sort(d.unusable)
		out.Notes = append(out.Notes, bundle.NewNote(NoteCountersUnusable, "counters", strings.Join(slices.Compact(d.unusable), " ")))
	}
	return out
}

// restarted reports whether the server says that it started at another time.
func restarted(before, after Metrics) bool {
	const name, tolerance = "process_start_time_seconds", 1.0
	b, a := before.series[name], after.series[name]
	return len(b) == 1 && len(a) == 1 && math.Abs(a[0].value-b[0].value) > tolerance
}

type differ struct {
	before, after Metrics
	unusable      []string
}

// first returns the first of the counters that the server has, and its name.
func (d *differ) first(names []string) (*int64, string) {
	for _, name := range names {
		if _, ok := d.after.counter(name); ok {
			return d.count(name), name
		}
		if _, ok := d.before.counter(name); ok {
			return d.count(name), name
		}
	}
	return nil, ""
}

// counter returns the series of a counter, with _total or without.
func (m Metrics) counter(name string) ([]series, bool) {
	if name == "" {
		return nil, false
	}
	if list, ok := m.series[name+"_total"]; ok {
		return list, true
	}
	list, ok := m.series[name]
	return list, ok
}

// count returns by how much a counter grew, nil when that is not known.
func (d *differ) count(name string) *int64 {
	return d.countWhere(name, func(map[string]string) bool { return true })
}

// countWhere is count for the series whose labels are wanted. A series that is new
// began at zero; one that is gone was lost.
func (d *differ) countWhere(name string, wanted func(labels map[string]string) bool) *int64 {
	before, hadIt := d.before.counter(name)
	after, hasIt := d.after.counter(name)
	if !hadIt && !hasIt {
		return nil
	}
	found, sum := 0, 0.0
	for _, s := range after {
		if !wanted(s.labels) {
			continue
		}
		from := 0.0
		if i := slices.IndexFunc(before, func(b series) bool { return b.id == s.id }); i >= 0 {
			from = before[i].value
			found++
		}
		if d.createdAnew(name, s.id) || !(s.value >= from) || math.IsInf(s.value, 0) || !(from >= 0) {
			return d.lose(name)
		}
		sum += s.value - from
	}
	for _, s := range before {
		if wanted(s.labels) {
			found--
		}
	}
	if found != 0 || sum > mostCounted {
		return d.lose(name)
	}
	return new(int64(math.Round(sum)))
}

// mostCounted is more than any cell has of anything.
const mostCounted = 1e12

func (d *differ) lose(name string) *int64 {
	d.unusable = append(d.unusable, name)
	return nil
}

// createdAnew reports whether a counter says that it was made between the looks.
func (d *differ) createdAnew(name, id string) bool {
	at := func(m Metrics) (float64, bool) {
		list := m.series[name+"_created"]
		i := slices.IndexFunc(list, func(s series) bool { return s.id == id })
		if i < 0 {
			return 0, false
		}
		return list[i].value, true
	}
	b, hadIt := at(d.before)
	a, hasIt := at(d.after)
	return hadIt && hasIt && math.Abs(a-b) > 1
}

// draft returns the speculative decoding, nil when there was none or when its
// counters contradict each other.
func (d *differ) draft() *bundle.DraftStat {
	drafts, proposed, accepted := d.count(draftsName), d.count(draftTokens), d.count(draftHits)
	if drafts == nil || proposed == nil || accepted == nil || *drafts == 0 {
		return nil
	}
	if *accepted > *proposed {
		d.lose(draftHits)
		return nil
	}
	return &bundle.DraftStat{
		Drafts: *drafts, DraftTokens: *proposed, AcceptedTokens: *accepted, PerPosition: d.positions(*drafts),
	}
}

// positions returns the share of drafts that were accepted at each position: up to
// the first position that is not known.
func (d *differ) positions(drafts int64) []float64 {
	var shares []float64
	list, _ := d.after.counter(draftHitsPos)
	for k := range len(list) {
		position := strconv.Itoa(k)
		there := func(labels map[string]string) bool { return labels["position"] == position }
		if !slices.ContainsFunc(list, func(s series) bool { return there(s.labels) }) {
			break
		}
		n := d.countWhere(draftHitsPos, there)
		if n == nil || *n > drafts {
			break
		}
		shares = append(shares, float64(*n)/float64(drafts))
	}
	return shares
}
