package loadgen_test

import (
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
)

// simulated runs a cell with the real client against a simulated server, in
// memory and in fake time.
func simulated(t *testing.T, set func(*simserver.Config), c loadgen.Cell) (*loadgen.Run, []*simserver.Record) {
	t.Helper()
	config := simserver.Default()
	set(&config)
	server, err := simserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	client, err := openai.New(openai.Options{BaseURL: "http://sim", DialContext: server.Dial})
	if err != nil {
		t.Fatal(err)
	}
	params := openai.Params{Model: config.Model, OutputTokens: 8}
	for i := range c.Requests {
		body, err := params.Chat([]openai.Message{{Role: "user", Content: "How high is the tide?"}})
		if err != nil {
			t.Fatal(err)
		}
		c.Requests[i].Body, c.Requests[i].OutputTokens = body, 8
	}
	r := runner(client)
	r.Connect = client.Warm
	got := run(t, r, c)
	client.Close()
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	synctest.Wait()
	return got, server.Log()
}

// Every way in which a server can fail ends every loop in bounded time, each
// request with its own outcome. What stayed behind, a goroutine of the client or
// a connection of the server, would hang the bubble.
func TestEveryFaultEndsEveryLoop(t *testing.T) {
	t.Parallel()
	const timeout = 20 * time.Second
	faults := map[simserver.FaultKind]loadgen.Outcome{
		simserver.NoFault:        loadgen.OK,
		simserver.FaultReset:     loadgen.Connect,
		simserver.FaultHang:      loadgen.Timeout,
		simserver.FaultStall:     loadgen.Timeout,
		simserver.FaultStatus:    loadgen.HTTPStatus,
		simserver.FaultTruncate:  loadgen.Truncated,
		simserver.FaultCut:       loadgen.Truncated,
		simserver.FaultError:     loadgen.StreamError,
		simserver.FaultMalformed: loadgen.Malformed,
		simserver.FaultChunk:     loadgen.Malformed,
		simserver.FaultDrip:      loadgen.OK,
		simserver.FaultEndless:   loadgen.Malformed,
		simserver.FaultIdleClose: loadgen.OK,
		simserver.FaultHTML:      loadgen.Malformed,
		simserver.FaultEmpty:     loadgen.Truncated,
	}
	loops := map[string]loadgen.Cell{
		"open":    openCell(0, 0, 1*ms, 2*ms, 3*ms, 4*ms, 5*ms),
		"places":  openCell(2, 0, 1*ms, 2*ms, 3*ms, 4*ms, 5*ms),
		"closed":  closedCell(2, 6),
		"batches": {Schedule: arrival.Synchronised(3, 0, 2), Requests: requests(6)},
	}
	for name, c := range loops {
		for fault, want := range faults {
			t.Run(name+"/"+string(fault), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					c := c
					c.Requests = requests(6)
					c.Timeout = timeout
					begin := time.Now()
					got, log := simulated(t, func(s *simserver.Config) {
						s.Request.Fault = simserver.Fault{Kind: fault, Gap: time.Millisecond}
						if fault != simserver.FaultReset && fault != simserver.FaultHang && fault != simserver.FaultStatus {
							s.Request.Fault.After = 3
						}
					}, c)
					if took := time.Since(begin); took > 4*timeout {
						t.Errorf("took %v", took)
					}
					for _, r := range got.Records {
						if r.Outcome != want {
							t.Errorf("request %d: %s, want %s: %s", r.Seq, r.Outcome, want, r.Error)
						}
						if r.Done == loadgen.Unknown || r.Done-max(r.Sent, 0) > timeout+time.Second {
							t.Errorf("request %d ended at %v", r.Seq, r.Done)
						}
					}
					if len(got.Records) != 6 || got.Sent != 6 || len(log) < 6 {
						t.Errorf("%d records, %d sent, the server saw %d", len(got.Records), got.Sent, len(log))
					}
				})
			})
		}
	}
}

// In fake time nothing takes time but what the server waits for, so what the
// client saw is what the server did, to the nanosecond.
func TestMomentsAreTheServers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]loadgen.Cell{
		"open":    openCell(0, 0, 7*ms, 7*ms, 90*ms, 3*time.Second),
		"closed":  closedCell(3, 5),
		"batches": {Schedule: arrival.Synchronised(5, 0, 1), Requests: requests(5)}, // a little apart
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				got, _ := simulated(t, func(*simserver.Config) {}, c)
				if got.Lateness.Max != 0 || got.Sent != 5 {
					t.Errorf("%d sent, late by up to %v", got.Sent, got.Lateness.Max)
				}
				for _, r := range got.Records {
					if r.Sent != r.Due || r.FirstToken-r.Sent != 50*ms || r.LastToken-r.FirstToken != 70*ms || len(r.Arrivals) != 8 {
						t.Errorf("request %d: due %v, sent %v, first token after %v, then %v for %d chunks", r.Seq, r.Due, r.Sent, r.FirstToken-r.Sent, r.LastToken-r.FirstToken, len(r.Arrivals))
					}
					for i, a := range r.Arrivals {
						if a.At != r.FirstToken+time.Duration(i)*10*ms || a.Tokens != 1 {
							t.Errorf("request %d: token %d at %v", r.Seq, i, a.At)
						}
					}
				}
			})
		})
	}
}
