package openai_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/openai/llamacpptest"
	"example.org/arena/loadgen/prompt"
)

// An engineCell is a load for the engine, and how its answers look.
type engineCell struct {
	name     string
	api      openai.API
	streams  int           // of a closed loop; 0: open
	every    time.Duration // open: between two requests
	requests int
	tokens   int // of an answer
	wrapper  string
	limit    openai.Limit
	perEvent int  // tokens of an event; 0: 1
	closes   bool // the server closes after each answer
	endless  bool // the server does not know when to stop
	run      *loadgen.Run
}

func engineCells() []*engineCell {
	return []*engineCell{
		{name: "one stream", streams: 1, requests: 8, tokens: 192},
		{name: "four streams", streams: 4, requests: 24, tokens: 128},
		{name: "open loop", every: 60 * time.Millisecond, requests: 24, tokens: 64},
		{name: "completions", api: openai.Completions, streams: 2, requests: 8, tokens: 32},
		{name: "closed after each answer", streams: 4, requests: 40, tokens: 16, wrapper: `{"close":true}`, closes: true},
		{name: "closed after each answer, open loop", every: 15 * time.Millisecond, requests: 40, tokens: 16, wrapper: `{"close":true}`, closes: true},
		{name: "usage in the finish event", streams: 2, requests: 8, tokens: 16, wrapper: `{"usage":"finish"}`},
		{name: "usage null before", streams: 2, requests: 8, tokens: 16, wrapper: `{"usage":"null"}`},
		{name: "four tokens an event", streams: 2, requests: 8, tokens: 30, wrapper: `{"tokensPerEvent":4}`, perEvent: 4},
		{name: "max_completion_tokens ignored", streams: 2, requests: 8, tokens: 16, wrapper: `{"ignore":["max_completion_tokens"]}`},
		{name: "max_tokens ignored, both sent", streams: 2, requests: 8, tokens: 16, wrapper: `{"ignore":["max_tokens"]}`, limit: openai.BothLimits},
		{name: "the only limit ignored", streams: 2, requests: 4, tokens: 16, wrapper: `{"ignore":["max_completion_tokens"]}`, limit: openai.MaxCompletionTokens, endless: true},
	}
}

// TestLlamaCpp sends to a real engine. What the client says is compared with what
// the engine counted, which passed neither HTTP nor the client: counts are equal,
// and times as near as a busy machine lets them be.
func TestLlamaCpp(t *testing.T) {
	dir := os.Getenv(llamacpptest.Variable)
	if dir == "" {
		t.Skip("NOT TESTED against a real engine: " + llamacpptest.Variable + " names no folder with node-llama-cpp; see make test-engine")
	}
	e, err := llamacpptest.Start(t.Context(), llamacpptest.Options{Folder: dir, Work: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	cells := engineCells()
	for _, c := range cells {
		c.send(t, e)
	}
	counted, err := e.Stop()
	if err != nil {
		t.Fatal(err)
	}
	answers := counted.Answers
	for _, c := range cells {
		t.Run(c.name, func(t *testing.T) { c.check(t, answers) })
	}
	sum := 0
	for _, a := range answers {
		sum += a.Cells
	}
	if counted.Total != sum || sum == 0 {
		t.Errorf("llama.cpp computed %d tokens, the answers have %d", counted.Total, sum)
	}
	sent, prompted, generated := 0, 0, 0
	for _, c := range cells {
		for _, r := range c.run.Records {
			if r.Outcome == loadgen.OK {
				sent, prompted, generated = sent+1, prompted+r.Result.PromptTokens, generated+r.CompletionTokens
			}
		}
	}
	t.Logf("%d answers with %d prompt and %d completion tokens; llama.cpp computed %d for all of its %d", sent, prompted, generated, sum, len(answers))
}

// send makes the requests, with prompts of many lengths, and sends them.
func (c *engineCell) send(t *testing.T, e *llamacpptest.Engine) {
	t.Helper()
	client, err := openai.New(openai.Options{BaseURL: e.URL, API: c.api, Model: "tiny"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	end := prompt.Endpoint{Client: client, API: c.api, Params: openai.Params{Model: "tiny", IgnoreEOS: true, Limit: c.limit}}
	counter, err := prompt.Endpoint{Client: client, API: c.api, Params: openai.Params{Model: "tiny"}}.Counter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if counter.Probes() {
		t.Fatalf("%s: tokens are not counted by the server's tokenizer", c.name)
	}
	if c.wrapper != "" {
		end.Params.Extra = map[string]json.RawMessage{"wrapper": json.RawMessage(c.wrapper)}
	}
	names := prompt.Names()
	wants := make([]prompt.RequestSpec, c.requests)
	for i := range wants {
		wants[i].Spec = prompt.Spec{Text: names[i%len(names)], Seed: uint64(i), Salt: c.name, Tokens: 150 + 37*i%800}
		wants[i].OutputTokens = c.tokens
	}
	maker := &prompt.Maker{Counter: counter}
	requests, err := maker.Requests(t.Context(), end, wants)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	for i := range requests { // the engine's log names the request
		requests[i].Body = fmt.Appendf(bytes.TrimSuffix(requests[i].Body, []byte("}")), `,"user":%q}`, c.user(i))
	}
	runner := &loadgen.Runner{Sender: client, Connect: client.Warm}
	c.run, err = runner.Run(t.Context(), loadgen.Cell{Schedule: c.schedule(), Requests: requests, Timeout: 2 * time.Minute})
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
}

// user names a request in the engine's log.
func (c *engineCell) user(i int) string { return fmt.Sprintf("%s #%d", c.name, i) }

func (c *engineCell) schedule() arrival.Schedule {
	if c.streams > 0 {
		return arrival.ClosedLoop(c.streams, c.requests)
	}
	s := arrival.Schedule{Kind: arrival.Open, Requests: c.requests}
	for i := range c.requests {
		s.At = append(s.At, time.Duration(i)*c.every)
	}
	return s
}

// check compares the records of a cell with the engine's answers.
func (c *engineCell) check(t *testing.T, answers []llamacpptest.Answer) {
	truths := map[string][]llamacpptest.Answer{}
	for _, a := range answers {
		truths[a.User] = append(truths[a.User], a)
	}
	if len(c.run.Records) != c.requests || c.run.Sent != c.requests {
		t.Errorf("%d records, %d sent", len(c.run.Records), c.run.Sent)
	}
	times := &timesPerToken{}
	resent, coalesced, connections := 0, 0, map[int]bool{}
	for i, r := range c.run.Records {
		truth := truths[c.user(i)]
		if len(truth) != 1 {
			t.Errorf("request %d: the engine answered it %d times", i, len(truth))
			continue
		}
		for _, fault := range c.compare(r, truth[0]) {
			t.Errorf("request %d: %s", i, fault)
		}
		if c.perEvent == 0 && !c.endless {
			times.add(r, truth[0])
		}
		connections[truth[0].Connection] = true
		resent += r.Resent
		coalesced += r.Coalesced
	}
	if c.closes && len(connections) != c.requests {
		t.Errorf("%d connections for %d requests, though none outlives an answer", len(connections), c.requests)
	}
	t.Logf("%d requests on %d connections, %d sent again; %d events shared a read with the one before", c.requests, len(connections), resent, coalesced)
	times.check(t)
}

// compare tells where a record is not what the engine counted.
func (c *engineCell) compare(r loadgen.Record, truth llamacpptest.Answer) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if !truth.Sound() {
		fault("the engine contradicts itself: %+v", truth)
	}
	if r.Request.PromptTokens != truth.Prompt {
		fault("the prompt was made to have %d tokens, the engine read %d", r.Request.PromptTokens, truth.Prompt)
	}
	if c.endless {
		if most := c.tokens + c.tokens/8 + 16; r.Outcome != loadgen.Malformed || r.Chunks != most+1 || truth.Tokens < r.Chunks || !strings.Contains(r.Error, "cut off") {
			fault("%s after %d chunks of %d, want a cut after %d: %s", r.Outcome, r.Chunks, truth.Tokens, most+1, r.Error)
		}
		return faults
	}
	if r.Outcome != loadgen.OK || r.Finish != "length" || len(r.Notes) > 0 {
		fault("%s, finish %q, %v: %s", r.Outcome, r.Finish, r.Notes, r.Error)
	}
	if r.Result.PromptTokens != truth.Prompt || r.CompletionTokens != truth.Tokens || truth.Tokens != c.tokens {
		fault("%d and %d tokens, the engine counted %d and %d, %d were asked for", r.Result.PromptTokens, r.CompletionTokens, truth.Prompt, truth.Tokens, c.tokens)
	}
	per := max(c.perEvent, 1)
	if n := (truth.Tokens + per - 1) / per; r.Chunks != n || len(r.Arrivals) != n {
		fault("%d chunks, %d arrivals, want %d", r.Chunks, len(r.Arrivals), n)
	}
	for _, a := range r.Arrivals {
		if per == 1 && a.Tokens != 1 || per > 1 && a.Tokens != loadgen.Unknown {
			fault("an arrival of %d tokens", a.Tokens)
			break
		}
	}
	if ours, its := r.FirstToken-r.Sent, time.Duration(truth.Times[0]-truth.Arrived); ours < its {
		fault("first token after %v, but the engine took %v", ours, its)
	}
	return faults
}

// timesPerToken are those of requests, ours and the engine's, in nanoseconds.
type timesPerToken struct {
	ours, engine, off, late []float64
}

func (p *timesPerToken) add(r loadgen.Record, truth llamacpptest.Answer) {
	n := len(truth.Times)
	if r.Outcome != loadgen.OK || n < 2 {
		return // which compare has said
	}
	ours := float64(r.LastToken-r.FirstToken) / float64(n-1)
	engine := float64(truth.Times[n-1]-truth.Times[0]) / float64(n-1)
	p.ours, p.engine = append(p.ours, ours), append(p.engine, engine)
	p.off = append(p.off, math.Abs(ours-engine)/engine)
	p.late = append(p.late, float64(r.FirstToken-r.Sent)-float64(truth.Times[0]-truth.Arrived))
}

// check fails when times per token differ by more than what can happen between the
// engine's clock and its socket: to one request anything on a busy machine, to half
// of them little.
func (p *timesPerToken) check(t *testing.T) {
	if len(p.off) == 0 {
		return
	}
	slices.Sort(p.off)
	slices.Sort(p.late)
	median, worst := p.off[len(p.off)/2], p.off[len(p.off)-1]
	t.Logf("time per token %.4f ms, the engine's %.4f ms (means); off by %.2f %% (median), %.2f %% (at most); first token %.2f ms (median) after the engine had it",
		mean(p.ours)/1e6, mean(p.engine)/1e6, 100*median, 100*worst, p.late[len(p.late)/2]/1e6)
	if median > 0.05 {
		t.Errorf("half of the times per token are off by more than %.1f %%", 100*median)
	}
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
