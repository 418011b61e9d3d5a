package main

import (
	"cmp"
	"math"
	"slices"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/numpy"
)

// A view is what one side says of a load: the client that measures, or the server
// that knows. Times are in milliseconds; NaN where there is nothing.
type view struct {
	requests int
	tokens   int
	ttft     float64 // mean
	itl      float64 // mean over requests of the time per token after the first
	gaps     float64 // standard deviation of the times between events with tokens
	rate     float64 // tokens per second, from the first request to the last token
}

// A sight is one answer as one side saw it.
type sight struct {
	sent   time.Duration
	tokens int
	events []time.Duration // with tokens
}

func viewOf(list []sight) view {
	v := view{requests: len(list)}
	var ttft, itl, gaps []float64
	first, last := time.Duration(math.MaxInt64), time.Duration(math.MinInt64)
	for _, s := range list {
		v.tokens += s.tokens
		if len(s.events) == 0 {
			continue
		}
		begin, end := s.events[0], s.events[len(s.events)-1]
		first, last = min(first, s.sent), max(last, end)
		ttft = append(ttft, ms(begin-s.sent))
		if s.tokens > 1 {
			itl = append(itl, ms(end-begin)/float64(s.tokens-1))
		}
		for i := 1; i < len(s.events); i++ {
			gaps = append(gaps, ms(s.events[i]-s.events[i-1]))
		}
	}
	v.ttft, v.itl, v.gaps = numpy.Mean(ttft), numpy.Mean(itl), numpy.Std(gaps)
	v.rate = float64(v.tokens) / (last - first).Seconds()
	return v
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// seen returns the answers that the client calls OK.
func seen(records []loadgen.Record) []sight {
	var list []sight
	for _, r := range records {
		if r.Outcome != loadgen.OK {
			continue
		}
		s := sight{sent: r.Sent, tokens: r.CompletionTokens}
		if s.tokens == loadgen.Unknown {
			s.tokens = r.Chunks
		}
		for _, a := range r.Arrivals {
			s.events = append(s.events, a.At)
		}
		list = append(list, s)
	}
	return list
}

// known returns the answers that the server completed.
func known(records []simserver.Record) []sight {
	var list []sight
	for _, r := range records {
		if r.Outcome == simserver.Complete {
			list = append(list, sight{r.Arrived, r.Tokens, tokenEvents(r)})
		}
	}
	return list
}

func tokenEvents(r simserver.Record) []time.Duration {
	var at []time.Duration
	for _, e := range r.Events {
		if e.Tokens > 0 {
			at = append(at, e.Sent)
		}
	}
	return at
}

// A way says where time went between client and server. Both read the same
// clock. Times are in milliseconds.
type way struct {
	in, out          float64 // mean, from sent to arrived, and of first tokens from sent to seen
	lag50, lag99     float64 // of every token, from sent to seen
	serverLate       float64 // mean, of first tokens, from due to sent
	serverLate99     float64 // of every token
	matched, records int
}

// wayOf matches requests by the length of their prompt and the order of their
// moments.
func (m *measurement) wayOf() way {
	shift := m.run.Origin.Sub(m.started) // from the server's offsets to the client's
	client := slices.DeleteFunc(slices.Clone(m.run.Records), func(r loadgen.Record) bool { return r.Outcome != loadgen.OK })
	server := slices.DeleteFunc(slices.Clone(m.server), func(r simserver.Record) bool { return r.Outcome != simserver.Complete })
	slices.SortFunc(client, func(a, b loadgen.Record) int {
		return cmp.Or(cmp.Compare(a.Result.PromptTokens, b.Result.PromptTokens), cmp.Compare(a.Sent, b.Sent))
	})
	slices.SortFunc(server, func(a, b simserver.Record) int {
		return cmp.Or(cmp.Compare(a.PromptTokens, b.PromptTokens), cmp.Compare(a.Arrived, b.Arrived))
	})
	w := way{records: len(client)}
	if len(client) != len(server) {
		return w
	}
	var in, out, lags, late, lates []float64
	for i, c := range client {
		s := server[i]
		sent := tokenEvents(s)
		if c.Result.PromptTokens != s.PromptTokens || len(sent) != len(c.Arrivals) || len(sent) == 0 {
			continue
		}
		w.matched++
		in = append(in, ms(s.Arrived-shift-c.Sent))
		out = append(out, ms(c.FirstToken-(sent[0]-shift)))
		for j, a := range c.Arrivals {
			lags = append(lags, ms(a.At-(sent[j]-shift)))
		}
		first := true
		for _, e := range s.Events {
			if e.Tokens == 0 {
				continue
			}
			lates = append(lates, ms(e.Sent-e.Due))
			if first {
				late, first = append(late, ms(e.Sent-e.Due)), false
			}
		}
	}
	slices.Sort(lags)
	slices.Sort(lates)
	w.in, w.out, w.serverLate = numpy.Mean(in), numpy.Mean(out), numpy.Mean(late)
	w.lag50, w.lag99 = numpy.Percentile(lags, 50), numpy.Percentile(lags, 99)
	w.serverLate99 = numpy.Percentile(lates, 99)
	return w
}
