package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
)

// The two timings: what peers were measured with, and the one for as many streams
// as two processors can serve.
var (
	fast = timing{50 * time.Millisecond, 10 * time.Millisecond}
	slow = timing{200 * time.Millisecond, 50 * time.Millisecond}
)

// streamTokens is how many tokens an answer has.
const streamTokens = 64

// streams compares closed loops of many streams with the server's log.
func (b *bench) streams(ctx context.Context) error {
	b.print("\n## Streams\n")
	b.print("Closed loop; %d tokens an answer. Errors are what the client says minus what the server noted, in ms.\n", streamTokens)
	b.print("| streams | TTFT / ITL (ms) | requests | TTFT, server | TTFT error | of it on the way in | on the way back | server late (mean) | ITL error | std of gaps, client / server | held | refill late p50 / p99 / max (ms) | CPU, client (µs/token) | CPU, server (µs/token) | allocations a token | GC (cycles, pause ms) |")
	b.print("|---:|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---|---:|---:|---:|---|")
	for _, l := range []struct {
		streams, rounds int
		timing
	}{{1, 20, fast}, {10, 10, fast}, {100, 5, fast}, {500, 3, slow}, {1000, 2, slow}} {
		n := l.streams * max(b.times(l.rounds), 1)
		m, err := measure(ctx, load{timing: l.timing, schedule: arrival.ClosedLoop(l.streams, n), tokens: streamTokens})
		if err != nil {
			return err
		}
		client, server, w := viewOf(seen(m.run.Records)), viewOf(known(m.server)), m.wayOf()
		if client.requests != n || w.matched != n {
			b.print("\n%d of %d requests were answered, %d found in the log\n", client.requests, n, w.matched)
		}
		late, gc := m.run.Lateness, m.run.Collection
		b.print("| %d | %g / %g | %d | %.2f | %+.2f | %+.2f | %+.2f | %+.2f | %+.3f | %.2f / %.2f | %.3f | %.2f / %.2f / %.2f | %.1f | %.1f | %.2f | %d, %.2f |",
			l.streams, ms(l.ttft), ms(l.itl), n, server.ttft, client.ttft-server.ttft, w.in, w.out, w.serverLate,
			client.itl-server.itl, client.gaps, server.gaps, m.run.Held, ms(late.P50), ms(late.P99), ms(late.Max),
			perToken(m.run.CPU, client.tokens), perToken(m.cpu, server.tokens),
			float64(gc.Objects)/float64(client.tokens), gc.Cycles, ms(gc.Pause))
	}
	return nil
}

// stamps shows what the errors rest on: whose clock stamps the arrivals, and
// whether the streams start together.
func (b *bench) stamps(ctx context.Context) error {
	b.print("\n## Whose clock, and how streams start\n")
	b.print("As above. Mean TTFT error of all requests, and of the first of each stream alone, in ms.\n")
	b.print("| streams | TTFT / ITL (ms) | arrivals stamped by | streams start | TTFT error | first of each stream | ITL error |")
	b.print("|---:|---|---|---|---:|---:|---:|")
	for _, l := range []struct {
		streams, rounds int
		timing
	}{{1, 20, fast}, {10, 10, fast}, {100, 5, fast}, {500, 3, slow}, {1000, 2, slow}} {
		for _, way := range []struct {
			process     bool
			spread      time.Duration
			clock, text string
		}{{false, 0, "kernel", "0.1 ms apart"}, {true, 0, "process", "0.1 ms apart"}, {true, -1, "process", "all at once"}} {
			n := l.streams * max(b.times(l.rounds), 1)
			m, err := measure(ctx, load{
				timing: l.timing, schedule: arrival.ClosedLoop(l.streams, n), tokens: streamTokens,
				processTime: way.process, spread: way.spread,
			})
			if err != nil {
				return err
			}
			client, server := viewOf(seen(m.run.Records)), viewOf(known(m.server))
			first := viewOf(seen(m.run.Records[:l.streams])).ttft - viewOf(known(m.server[:min(l.streams, len(m.server))])).ttft
			b.print("| %d | %g / %g | %s | %s | %+.2f | %+.2f | %+.3f |", l.streams, ms(l.ttft), ms(l.itl), way.clock, way.text,
				client.ttft-server.ttft, first, client.itl-server.itl)
		}
	}
	return nil
}

func perToken(d time.Duration, tokens int) float64 {
	if d == loadgen.Unknown || tokens == 0 {
		return math.NaN()
	}
	return float64(d) / float64(time.Microsecond) / float64(tokens)
}

// lateness measures how late an open loop sends.
func (b *bench) lateness(ctx context.Context) error {
	b.print("\n## Send lateness\n")
	b.print("Open loop, Poisson arrivals; 8 tokens an answer after 20 ms, one each 10 ms. From due to written, in ms.\n")
	b.print("| requests per second | requests | p50 | p99 | max | new connections | TTFT error | CPU, client (%%) | CPU, server (%%) |")
	b.print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, l := range []struct {
		rate     float64
		requests int
	}{{0.3, 40}, {10, 300}, {100, 2000}, {1000, 10000}} {
		n := b.times(l.requests)
		s, err := arrival.Arrivals{Seed: 42, Rate: l.rate, Burstiness: 1, Requests: n}.Schedule(0)
		if err != nil {
			return err
		}
		m, err := measure(ctx, load{timing: timing{20 * time.Millisecond, 10 * time.Millisecond}, schedule: s, tokens: 8})
		if err != nil {
			return err
		}
		client, server := viewOf(seen(m.run.Records)), viewOf(known(m.server))
		fresh := 0
		for _, r := range m.run.Records {
			if !r.Reused {
				fresh++
			}
		}
		share := func(cpu time.Duration) float64 { return 100 * float64(cpu) / float64(m.run.Elapsed) }
		late := m.run.Lateness
		b.print("| %g | %d | %.3f | %.3f | %.3f | %d | %+.2f | %.1f | %.1f |", l.rate, late.Count, ms(late.P50), ms(late.P99), ms(late.Max),
			fresh, client.ttft-server.ttft, share(m.run.CPU), share(m.cpu))
	}
	return nil
}

// capacity adds streams until one process, with the server beside it, cannot
// follow.
func (b *bench) capacity(ctx context.Context) error {
	b.print("\n## Capacity of one process\n")
	b.print("Closed loop, one request a stream, a token every 50 ms after 500 ms, 100 tokens. Lag is from sent by the server to seen by the client.\n")
	b.print("| streams | tokens per second | lag p50 (ms) | lag p99 (ms) | server late p99 (ms) | CPU, client (µs/token) | CPU, server (µs/token) | CPU, client (%%) | CPU, server (%%) | memory a stream (kB) | goroutines a stream | failed |")
	b.print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, streams := range []int{100, 500, 1000, 1500, 2000, 3000, 4000} {
		n := b.times(streams)
		var memory, routines float64
		load := load{timing: timing{500 * time.Millisecond, 50 * time.Millisecond}, schedule: arrival.ClosedLoop(n, n), tokens: 100, keepGC: true}
		m, err := measure(ctx, load)
		if err != nil {
			return err
		}
		before := inUse()
		load.during = func() {
			memory = (inUse() - before) / float64(n) / 1000
			routines = float64(runtime.NumGoroutine()) / float64(n)
		}
		if _, err := measure(ctx, load); err != nil {
			return err
		}
		client, server, w := viewOf(seen(m.run.Records)), viewOf(known(m.server)), m.wayOf()
		share := func(cpu time.Duration) float64 { return 100 * float64(cpu) / float64(m.run.Elapsed) }
		b.print("| %d | %.0f | %.2f | %.2f | %.2f | %.1f | %.1f | %.0f | %.0f | %.0f | %.1f | %d |", n, client.rate, w.lag50, w.lag99, w.serverLate99,
			perToken(m.run.CPU, client.tokens), perToken(m.cpu, server.tokens), share(m.run.CPU), share(m.cpu), memory, routines, n-client.requests)
	}
	return nil
}

// inUse returns the bytes of heap and stacks that are in use.
func inUse() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse)
}

// A variant is a way in which real servers differ, and in which tools go wrong.
type variant struct {
	name, options, faults string
	others                string // what other tools said, measured elsewhere on two processors: docs/accuracy.md names them
}

var variantList = []variant{
	{name: "as vLLM: role with the first token, usage with `choices: []`", options: `{}`, others: "SGLang's client stops with an error at `choices: []`; vLLM's says 9.70 for ITL"},
	{name: "role event early", options: `{"role":"early"}`, others: "vLLM's client: TTFT 2.8, TPOT 10.8; InferenceX: TTFT 9.0; llama-benchy: 126,422 tokens/s of prefill"},
	{name: "no role event", options: `{"role":"none"}`, others: "right"},
	{name: "4 tokens an event", options: `{"chunk":4}`, others: "llama-benchy: 248 tokens/s for 973; vLLM's and InferenceX: ITL 35.4 for 40"},
	{name: "usage null before the end", options: `{"usage":"null"}`, others: "llama-benchy: no result at all"},
	{name: "usage in the finish event", options: `{"usage":"finish"}`, others: "vLLM's client tokenises the text again: 602 tokens for 512, TPOT 4.92 for 5.69"},
	{name: "usage never", options: `{"usage":"none"}`, others: "InferenceX: 0 tokens/s; SGLang's takes the length that was asked for"},
	{name: "continuous usage", options: `{"continuous":"always"}`, others: "not measured"},
	{name: "32 reasoning tokens first", options: `{"reasoning":32}`, others: "SGLang's client: TTFT 376, TPOT 4.9"},
	{name: "finish event of its own", options: `{"finish":"own"}`, others: "vLLM's client: ITL 9.70; InferenceX 9.71"},
	{name: "events split in 3 writes", options: `{"split":3}`, others: "right"},
	{name: "4 events a write", options: `{"coalesce":4}`, others: "right"},
	{name: "connection closed after each answer, unannounced", options: `{"close":"silent"}`, others: "vLLM's client loses 2 of 6, llama-benchy 3 of 6"},
	{name: "3 of 10 refused (status 500)", options: `{}`, faults: `{"fault":"status"}`, others: "llama-benchy averages the rest and says so nowhere in its result"},
	{name: "3 of 10 cut off", options: `{}`, faults: `{"fault":"cut","fault_after":20}`, others: "the same"},
	{name: "3 of 10 end in an error event", options: `{}`, faults: `{"fault":"error","fault_after":20}`, others: "llama-benchy and vLLM's client count them as answers"},
}

// variants compares what is said with what is true where tools go wrong.
func (b *bench) variants(ctx context.Context) error {
	b.print("\n## Variants\n")
	b.print("Closed loop of 10 streams, %d tokens an answer, 50 / 10 ms. Said by the client / noted by the server.\n", streamTokens)
	b.print("| variant | answers | failed, by outcome | tokens | TTFT (ms) | time per token (ms) | tokens per second | other tools |")
	b.print("|---|---|---|---|---|---|---|---|")
	n := max(b.times(100), 20)
	for _, v := range variantList {
		m, err := measure(ctx, load{timing: fast, schedule: arrival.ClosedLoop(10, n), tokens: streamTokens, options: v.options, faults: v.faults})
		if err != nil {
			return err
		}
		b.compare(v.name, v.others, m)
	}
	return b.capped(ctx, n)
}

func (b *bench) compare(name, others string, m *measurement) {
	client, server := viewOf(seen(m.run.Records)), viewOf(known(m.server))
	b.print("| %s | %d / %d | %s | %d / %d | %.2f / %.2f | %.3f / %.3f | %.1f / %.1f | %s |", name, client.requests, server.requests,
		outcomes(m.run.Records), client.tokens, server.tokens, client.ttft, server.ttft, client.itl, server.itl, client.rate, server.rate, others)
}

// outcomes counts what failed.
func outcomes(records []loadgen.Record) string {
	counts := map[loadgen.Outcome]int{}
	for _, r := range records {
		if r.Outcome != loadgen.OK {
			counts[r.Outcome]++
		}
	}
	if len(counts) == 0 {
		return "none"
	}
	var texts []string
	for _, o := range slices.Sorted(maps.Keys(counts)) {
		texts = append(texts, fmt.Sprintf("%d %s", counts[o], o))
	}
	return strings.Join(texts, ", ")
}

// capped measures an open loop that its places cannot follow: the wait for a
// place is a number of its own, and counts from the scheduled moment.
func (b *bench) capped(ctx context.Context, n int) error {
	s, err := arrival.Arrivals{Seed: 42, Rate: 20, Burstiness: 1, Requests: n}.Schedule(8)
	if err != nil {
		return err
	}
	m, err := measure(ctx, load{timing: fast, schedule: s, tokens: streamTokens})
	if err != nil {
		return err
	}
	b.compare("open loop, 20 requests/s, 8 places", "vLLM's client: TTFT 52.6, the wait for a place is in no number", m)
	var queued, scheduled, sent []float64
	for _, r := range m.run.Records {
		queued, scheduled, sent = append(queued, ms(r.Queued)), append(scheduled, ms(r.FirstToken-r.At)), append(sent, ms(r.FirstToken-r.Sent))
	}
	slices.Sort(queued)
	mean := func(list []float64) float64 {
		sum := 0.0
		for _, x := range list {
			sum += x
		}
		return sum / float64(len(list))
	}
	b.print("\nThe open loop offers more than its places can serve: requests waited %.0f ms for one (mean; at most %.0f). TTFT is %.1f ms from sent and %.1f ms from scheduled.",
		mean(queued), queued[len(queued)-1], mean(sent), mean(scheduled))
	return nil
}
