package audit

import (
	"maps"
	"math"
	"slices"

	"example.org/arena/results/bundle"
	"example.org/arena/results/metric"
)

// What a load generator may do without its figures measuring itself.
const (
	// MostLateMS is how late, at the 99th percentile, requests may be sent, ms.
	MostLateMS = 10
	// LeastHeld is the share of the places of a closed loop that must be busy.
	LeastHeld = 0.95
	// MostStallMS is how long the process may not have run, ms: what arrived in such a
	// time has no time of its own.
	MostStallMS = 500
	// MostTTFTErrorMS is how far a TTFT may be off when it is compared with that of
	// the simulated server, ms.
	MostTTFTErrorMS = 5
	// MostITLErrorMS is how far a time per token may be off, ms.
	MostITLErrorMS = 0.5
)

// clientSaturated finds runs, and cells of them, in which the load generator was
// slower than the load: requests left late, places stood empty, or what it saw of
// a server whose times are known was off.
func clientSaturated(in Input) []Finding {
	var out []Finding
	for _, k := range in.Bundle.Calibration {
		late, ttft, itl := float64(k.LateP99US)/1000, float64(k.TTFTErrorUS)/1000, float64(k.ITLErrorNS)/1e6
		f := Finding{Code: ClientSaturated, Severity: Error, Cell: WholeTest}
		if late > MostLateMS {
			f.Args = append(f.Args, num("lateness", late, metric.Millisecond))
		}
		if math.Abs(ttft) > MostTTFTErrorMS {
			f.Args = append(f.Args, num("ttft_error", math.Abs(ttft), metric.Millisecond))
		}
		if math.Abs(itl) > MostITLErrorMS {
			f.Args = append(f.Args, num("itl_error", math.Abs(itl), metric.Millisecond))
		}
		if len(f.Args) > 0 {
			f.Args = append(f.Args, num("streams", float64(k.Streams), metric.Requests))
			out = append(out, f)
		}
	}
	return append(out, eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		k := c.Client
		if k == nil {
			return nil
		}
		f := Finding{Code: ClientSaturated, Severity: Error}
		if late := float64(k.LateP99US) / 1000; late > MostLateMS {
			f.Args = append(f.Args, num("lateness", late, metric.Millisecond))
		}
		if k.Held != nil && *k.Held < LeastHeld {
			f.Args = append(f.Args, num("held", *k.Held, metric.Ratio))
		}
		if stall := float64(k.StallUS) / 1000; stall > MostStallMS {
			f.Args = append(f.Args, num("stall", stall, metric.Millisecond))
		}
		if len(f.Args) == 0 {
			return nil
		}
		return one(f)
	})...)
}

// concurrencyNotHeld finds closed loops whose requests show another number in
// flight than was asked for, while there was work for all places: throughput times
// duration is the number in flight (Little's law). Where the load generator says so
// itself, that is told already.
func concurrencyNotHeld(in Input) []Finding {
	return eachCell(in, func(_ *bundle.Test, c *bundle.Cell) []Finding {
		if c.Records == nil || open(c) || c.Concurrency < 1 || c.Client != nil && c.Client.Held != nil && *c.Client.Held < LeastHeld {
			return nil
		}
		held, ok := inFlight(c.Records, c.Concurrency)
		if !ok || math.Abs(held-float64(c.Concurrency)) <= (1-LeastHeld)*float64(c.Concurrency) {
			return nil
		}
		return one(Finding{Code: ConcurrencyNotHeld, Severity: Error, Args: []Arg{
			num("held", held, metric.Dimensionless),
			num("concurrency", float64(c.Concurrency), metric.Requests),
		}})
	})
}

// inFlight returns the mean number of requests in flight while there was work for
// all places, over all repetitions, and whether there was such a time. The requests
// of a schedule, or its conversations, belong to the places in turn; there is work
// for all from the moment at which the last place starts until the first one is
// through.
func inFlight(r *bundle.Records, places int) (float64, bool) {
	var busy, length int64
	for from, to := 0, 0; from < len(r.SentUS); from = to {
		for to = from; to < len(r.SentUS) && repetitionOf(r, to) == repetitionOf(r, from); to++ {
		}
		b, l := occupied(r, from, to, places)
		busy, length = busy+b, length+l
	}
	if length <= 0 {
		return 0, false
	}
	return float64(busy) / float64(length), true
}

func repetitionOf(r *bundle.Records, i int) int {
	if i < len(r.Repetition) {
		return r.Repetition[i]
	}
	return 0
}

// occupied returns for the requests [first,last) of one repetition how long there
// was work for all places, and how long requests were in flight then, added up.
func occupied(r *bundle.Records, first, last, places int) (busy, length int64) {
	starts, ends := map[int]int64{}, map[int]int64{} // by place
	piece := -1
	for i := first; i < last; i++ {
		if i >= len(r.Turn) || r.Turn[i] <= 1 {
			piece++
		}
		if i >= len(r.DoneUS) || r.SentUS[i] == nil || r.DoneUS[i] == nil {
			continue
		}
		place := max(piece, 0) % places
		if start, known := starts[place]; !known || *r.SentUS[i] < start {
			starts[place] = *r.SentUS[i]
		}
		ends[place] = max(ends[place], *r.DoneUS[i])
	}
	if len(starts) == 0 {
		return 0, 0
	}
	from, to := slices.Max(slices.Collect(maps.Values(starts))), slices.Min(slices.Collect(maps.Values(ends)))
	if len(starts) < places || to <= from {
		return 0, 0
	}
	for i := first; i < last; i++ {
		if i < len(r.DoneUS) && r.SentUS[i] != nil && r.DoneUS[i] != nil {
			busy += max(min(*r.DoneUS[i], to)-max(*r.SentUS[i], from), 0)
		}
	}
	return busy, to - from
}
