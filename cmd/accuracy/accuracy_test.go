package main

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/simserver"
)

// The program is its own server, in tests too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == serveArgument {
		exit(serve(os.Stdin, os.Stdout, os.Args[2:]))
		return
	}
	os.Exit(m.Run())
}

// A load goes to a server in another process, and what both sides say can be
// compared, request by request.
func TestMeasure(t *testing.T) {
	t.Parallel()
	const tokens = 5
	m, err := measure(t.Context(), load{
		timing:   timing{20 * time.Millisecond, 4 * time.Millisecond},
		schedule: arrival.ClosedLoop(3, 12),
		tokens:   tokens,
	})
	if err != nil {
		t.Fatal(err)
	}
	client, server, w := viewOf(seen(m.run.Records)), viewOf(known(m.server)), m.wayOf()
	if client.requests != 12 || server.requests != 12 || client.tokens != 12*tokens || server.tokens != 12*tokens {
		t.Errorf("client %+v\nserver %+v", client, server)
	}
	if w.matched != 12 || w.records != 12 {
		t.Errorf("matched %d of %d", w.matched, w.records)
	}
	// However busy the machine is: a token is not seen before it is sent, nor sent
	// before it is due.
	if w.in < 0 || w.out < 0 || w.lag50 < 0 || w.serverLate < 0 || client.ttft < server.ttft || server.ttft < 20 {
		t.Errorf("way %+v, TTFT %v and %v", w, client.ttft, server.ttft)
	}
	if d := (client.ttft - server.ttft) - (w.in + w.out); math.Abs(d) > 0.2 {
		t.Errorf("the two ways differ from the error by %v ms", d)
	}
}

func TestViewOf(t *testing.T) {
	t.Parallel()
	const msec = time.Millisecond
	got := viewOf([]sight{
		{sent: 0, tokens: 3, events: []time.Duration{10 * msec, 20 * msec, 40 * msec}},
		{sent: 10 * msec, tokens: 4, events: []time.Duration{40 * msec, 110 * msec}}, // several tokens an event
		{sent: 5 * msec}, // no event
	})
	if got.requests != 3 || got.tokens != 7 || got.ttft != 20 || math.Abs(got.itl-(15+70.0/3)/2) > 1e-12 {
		t.Errorf("got %+v", got)
	}
	// 10, 20 and 70 ms: mean 100/3, squares of the distances 4200 - 3*(100/3)²
	if want := math.Sqrt((10*10+20*20+70*70)/3.0 - (100/3.0)*(100/3.0)); math.Abs(got.gaps-want) > 1e-9 {
		t.Errorf("gaps %v, want %v", got.gaps, want)
	}
	if got.rate != 7/0.11 {
		t.Errorf("rate %v", got.rate)
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), &out, []string{"nothing"}); err == nil || err.Error() != `no section "nothing"` {
		t.Errorf("got %v", err)
	}
	if got := outcomes([]loadgen.Record{{Result: loadgen.Result{Outcome: loadgen.OK}}, {Result: loadgen.Result{Outcome: loadgen.Timeout}}}); got != "1 timeout" {
		t.Errorf("got %q", got)
	}
	if got := outcomes(nil); got != "none" {
		t.Errorf("got %q", got)
	}
}

// The variants are options that the server has.
func TestVariants(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, k := range simserver.Keys() {
		names[k.Name] = true
	}
	for _, v := range variantList {
		for _, text := range []string{v.options, v.faults} {
			if text == "" {
				continue
			}
			var chosen map[string]any
			if err := json.Unmarshal([]byte(text), &chosen); err != nil {
				t.Errorf("%s: %v", v.name, err)
			}
			for key := range chosen {
				if !names[key] {
					t.Errorf("%s: the server has no option %s", v.name, key)
				}
			}
		}
	}
}
