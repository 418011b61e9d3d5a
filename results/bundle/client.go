package bundle

import "fmt"

// Counters are differences of the server's own counters over a cell. Absent is
// what the server does not count.
type Counters struct {
	PrefixQueryTokens *int64 `json:"prefix_query_tokens,omitzero"` // prompt tokens looked up in the prefix cache
	PrefixHitTokens   *int64 `json:"prefix_hit_tokens,omitzero"`   // of them found there
	Preemptions       *int64 `json:"preemptions,omitzero"`         // requests put back for want of memory
	PromptTokens      *int64 `json:"prompt_tokens,omitzero"`       // computed
	GenerationTokens  *int64 `json:"generation_tokens,omitzero"`   // generated
}

// A Client says how well the load generator kept up during a cell.
//
// A request is late by the time from the moment at which it could have gone out to
// that at which it did: in an open loop the moment at which it was due and had a place,
// in a closed one the end of its slot's last answer. Percentiles of lateness are linear
// between order statistics, as all percentiles here are (numpy's default). Until
// December 2026 cells had the nearest rank instead, which lies less than one request
// away: what those bundles state is kept and shown as it is.
type Client struct {
	CountedBy string   `json:"counted_by,omitzero"`   // how tokens were counted: continuous_usage, token_ids, usage, chunks, or mixed
	LateP50US int64    `json:"send_late_p50_us"`      // how late requests were sent, median
	LateP99US int64    `json:"send_late_p99_us"`      // 99th percentile
	LateMaxUS int64    `json:"send_late_max_us"`      // the latest
	Held      *float64 `json:"held_ratio,omitzero"`   // closed loop: requests in flight over places, in [0,1]
	StallUS   int64    `json:"stall_max_us,omitzero"` // longest time in which the process did not run
	GCPauseUS int64    `json:"gc_pause_us"`           // that garbage collection stopped the program, in all
	CPUUS     *int64   `json:"cpu_us,omitzero"`       // processor time
	Resent    int64    `json:"resent,omitzero"`       // requests sent again because a reused connection was dead
	Coalesced int64    `json:"coalesced,omitzero"`    // events that came in the same read as the one before them
	Spread    int64    `json:"start_spread_us"`       // mean distance between the starts of two slots or of two requests of a batch
	Arrivals  string   `json:"arrivals_by,omitempty"` // whose clock stamped what arrived: kernel or process
}

// A Calibration is a check of the load generator against the simulated server, on
// the machine that sends. Its lateness is that of Client.
type Calibration struct {
	When        string `json:"when"`             // "before" or "after" the run
	Streams     int    `json:"streams"`          // requests in flight
	Requests    int    `json:"requests"`         // answers compared
	TTFTErrorUS int64  `json:"ttft_error_us"`    // mean TTFT that was seen minus the true one
	ITLErrorNS  int64  `json:"itl_error_ns"`     // mean time per token that was seen minus the true one
	LateP50US   int64  `json:"send_late_p50_us"` // how late requests were sent, median
	LateP99US   int64  `json:"send_late_p99_us"` // 99th percentile
	LateMaxUS   int64  `json:"send_late_max_us"` // the latest
}

func (c *checker) counters(at string, k *Counters) {
	if k == nil {
		return
	}
	for _, n := range []struct {
		key   string
		count *int64
	}{
		{"prefix_query_tokens", k.PrefixQueryTokens},
		{"prefix_hit_tokens", k.PrefixHitTokens},
		{"preemptions", k.Preemptions},
		{"prompt_tokens", k.PromptTokens},
		{"generation_tokens", k.GenerationTokens},
	} {
		if n.count != nil {
			c.tally(at+"/"+n.key, *n.count)
		}
	}
}

func (c *checker) client(at string, k *Client) {
	if k == nil {
		return
	}
	c.ratio(at+"/held_ratio", k.Held)
	c.late(at, k.LateP50US, k.LateP99US, k.LateMaxUS)
	c.count(at+"/gc_pause_us", k.GCPauseUS)
	c.count(at+"/stall_max_us", k.StallUS)
	c.tally(at+"/resent", k.Resent)
	c.tally(at+"/coalesced", k.Coalesced)
}

func (c *checker) late(at string, p50, p99, longest int64) {
	if p50 < 0 || p99 < p50 || longest < p99 {
		c.faultf(at+"/send_late_p99_us", "%d, %d and %d do not ascend from 0", p50, p99, longest)
	}
}

func (c *checker) calibrations(at string, list []Calibration) {
	for i, k := range list {
		key := fmt.Sprintf("%s/%d", at, i)
		if k.When != "before" && k.When != "after" {
			c.faultf(key+"/when", "%q is neither before nor after", k.When)
		}
		c.tally(key+"/streams", int64(k.Streams))
		c.tally(key+"/requests", int64(k.Requests))
		c.late(key, k.LateP50US, k.LateP99US, k.LateMaxUS)
	}
}
