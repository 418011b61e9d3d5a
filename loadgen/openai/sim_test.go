package openai

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/simserver"
)

// forms are the ways in which servers differ while they answer well. The first of
// each is what the simulated server does by itself.
var forms = map[string][]string{
	"chunk":            {"1", "3", "64"},
	"hold":             {"0", "2"},
	"coalesce":         {"1", "2", "5"},
	"split":            {"1", "2", "7"},
	"comment_every_ms": {"0", "15"},
	"comment_events":   {"false", "true"},
	"crlf":             {"false", "true"},
	"headers":          {"early", "token"},
	"role":             {"before", "early", "in", "every", "none"},
	"finish":           {"in", "own"},
	"usage":            {"asked", "null", "always", "finish", "none"},
	"continuous":       {"asked", "always", "never"},
	"reasoning":        {"0", "4"},
	"reasoning_field":  {"reasoning_content", "reasoning"},
	"tool":             {"0", "3"},
	"text":             {"ascii", "utf8"},
	"done":             {"true", "false"},
	"framing":          {"chunked", "close"},
	"close":            {"never", "announced", "silent"},
	"draft":            {"0", "3"},
	"eos":              {"0", "9"},
}

// TestEveryForm: whatever the form of an answer, each moment is that of the
// server's own log, to the nanosecond, and each count is right or unknown.
func TestEveryForm(t *testing.T) {
	t.Parallel()
	var options []string
	for name, values := range forms { // each form by itself
		for _, v := range values {
			options = append(options, name+"="+v)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 150 { // and many together
		var mix []string
		for name, values := range forms {
			if rng.IntN(3) == 0 {
				mix = append(mix, name+"="+values[rng.IntN(len(values))])
			}
		}
		options = append(options, strings.Join(mix, ", "))
	}
	for i, o := range options {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { checkForm(t, o) })
		})
	}
}

func checkForm(t *testing.T, options string) {
	config := simserver.Default()
	config.Request.Tokens = 20
	if err := config.Request.Set("acceptance=0.7"); err != nil {
		t.Fatal(err)
	}
	if err := config.Request.Set(options); err != nil {
		t.Fatal(err)
	}
	server, err := simserver.New(config)
	if err != nil {
		t.Skipf("%s: %v", options, err) // a combination that the server does not take
	}
	defer server.Close()
	client, err := New(Options{BaseURL: "http://sim", DialContext: server.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, continuous := range []bool{false, true} {
		body, err := Params{Model: config.Model, OutputTokens: 20, ContinuousUsage: continuous}.Chat([]Message{{"user", "hello"}})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		r := client.Send(t.Context(), begin, loadgen.Request{Body: body, OutputTokens: 20})
		synctest.Wait()
		log := server.Log()
		truth := log[len(log)-1]
		if faults := compare(r, truth, config.Request); len(faults) > 0 {
			t.Errorf("%s (continuous usage %v):\n%s\n%s", options, continuous, strings.Join(faults, "\n"), brief(r))
		}
		<-time.After(time.Minute) // nothing is left of the connection
	}
}

// compare tells where a result is not what the server did.
func compare(r loadgen.Result, truth *simserver.Record, o simserver.Options) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	at := func(d simserver.Offset) loadgen.Offset { // in the result's time
		if d == simserver.Never {
			return loadgen.Unknown
		}
		return d - truth.Arrived
	}
	if r.Outcome != loadgen.OK || r.Finish != truth.Finish {
		fault("%s, finish %q; want ok, %q: %s", r.Outcome, r.Finish, truth.Finish, r.Error)
	}
	// Of several events that the server writes as one, in parts, it logs the last
	// part; the first events are whole before.
	early := time.Duration(0)
	if o.Coalesce > 1 {
		early = time.Duration(o.Split-1) * o.SplitGap
	}
	same := func(got, want loadgen.Offset) bool { return got <= want && got >= want-early }
	if !same(r.FirstToken, at(truth.FirstToken())) || !same(r.LastToken, at(truth.LastToken())) || r.Sent != 0 {
		fault("sent %v, tokens from %v to %v; want 0, %v to %v", r.Sent, r.FirstToken, r.LastToken, at(truth.FirstToken()), at(truth.LastToken()))
	}
	n, visible := 0, loadgen.Offset(loadgen.Unknown)
	for _, e := range truth.Events {
		if e.Tokens == 0 {
			continue
		}
		if e.Kind == simserver.EventContent && visible == loadgen.Unknown {
			visible = at(e.Sent)
		}
		if n < len(r.Arrivals) {
			if a := r.Arrivals[n]; !same(a.At, at(e.Sent)) || a.Tokens != e.Tokens && (a.Tokens != loadgen.Unknown && r.CountedBy != loadgen.ByChunks) {
				fault("chunk %d: %d tokens at %v; want %d at %v", n, a.Tokens, a.At, e.Tokens, at(e.Sent))
			}
		}
		n++
	}
	if n != len(r.Arrivals) || n != r.Chunks {
		fault("%d arrivals, %d chunks; want %d", len(r.Arrivals), r.Chunks, n)
	}
	if !same(r.FirstVisible, visible) {
		fault("visible at %v, want %v", r.FirstVisible, visible)
	}
	tokens := truth.Tokens
	if r.CountedBy == loadgen.ByChunks {
		tokens = loadgen.Unknown
	}
	if r.CompletionTokens != tokens || (r.CountedBy == loadgen.ByChunks) != (o.Usage == simserver.UsageNone) {
		fault("%d tokens by %s, want %d", r.CompletionTokens, r.CountedBy, tokens)
	}
	return faults
}
