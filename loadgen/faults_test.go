package loadgen_test

import (
	"context"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
)

// A countedDial counts the connections of a client that are open.
type countedDial struct {
	dial func(ctx context.Context, network, address string) (net.Conn, error)
	open atomic.Int64
}

func (d *countedDial) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	d.open.Add(1)
	return &countedConn{Conn: c, closed: sync.OnceFunc(func() { d.open.Add(-1) })}, nil
}

type countedConn struct {
	net.Conn
	closed func()
}

func (c *countedConn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// answerTokens is how many tokens the simulated server is asked for.
const answerTokens = 8

// simulated runs a cell with the real client against a simulated server, in
// memory and in fake time. No connection may be open afterwards, on either side.
func simulated(t *testing.T, set func(*simserver.Config), c loadgen.Cell) (*loadgen.Run, []*simserver.Record) {
	t.Helper()
	config := simserver.Default()
	set(&config)
	server, err := simserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	dial := &countedDial{dial: server.Dial}
	client, err := openai.New(openai.Options{BaseURL: "http://sim", DialContext: dial.DialContext})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, c.Requests)
	r := runner(client)
	r.Connect = client.Warm
	got := run(t, r, c)
	client.Close()
	synctest.Wait()
	if near, far := dial.open.Load(), server.Stats().Connections; near != 0 || far != 0 {
		t.Errorf("connections left open: %d by the client, %d by the server", near, far)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	synctest.Wait()
	return got, server.Log()
}

// ask gives requests their bodies.
func ask(t *testing.T, requests []loadgen.Request) {
	t.Helper()
	params := openai.Params{Model: simserver.Prefix + "fixed", OutputTokens: answerTokens}
	for i := range requests {
		body, err := params.Chat([]openai.Message{{Role: "user", Content: "How high is the tide?"}})
		if err != nil {
			t.Fatal(err)
		}
		requests[i].Body, requests[i].OutputTokens = body, answerTokens
	}
}

// faultOutcomes says how requests end that meet a fault before the first token,
// after three, and in place of the end.
var faultOutcomes = map[simserver.FaultKind][3]loadgen.Outcome{
	simserver.NoFault:        {loadgen.OK, loadgen.OK, loadgen.OK},
	simserver.FaultReset:     {loadgen.Connect, loadgen.Truncated, loadgen.Truncated},
	simserver.FaultHang:      {loadgen.Timeout, loadgen.Timeout, loadgen.Timeout},
	simserver.FaultStall:     {loadgen.Timeout, loadgen.Timeout, loadgen.Timeout},
	simserver.FaultStatus:    {loadgen.HTTPStatus, loadgen.HTTPStatus, loadgen.HTTPStatus},
	simserver.FaultTruncate:  {loadgen.Truncated, loadgen.Truncated, loadgen.OK}, // the last token came with the finish reason
	simserver.FaultCut:       {loadgen.Truncated, loadgen.Truncated, loadgen.Truncated},
	simserver.FaultError:     {loadgen.StreamError, loadgen.StreamError, loadgen.StreamError},
	simserver.FaultMalformed: {loadgen.Malformed, loadgen.Malformed, loadgen.Malformed},
	simserver.FaultChunk:     {loadgen.Malformed, loadgen.Malformed, loadgen.Malformed},
	simserver.FaultDrip:      {loadgen.OK, loadgen.OK, loadgen.OK},
	simserver.FaultEndless:   {loadgen.Malformed, loadgen.Malformed, loadgen.Malformed},
	simserver.FaultIdleClose: {loadgen.OK, loadgen.OK, loadgen.OK},
	simserver.FaultHTML:      {loadgen.Malformed, loadgen.Malformed, loadgen.Malformed},
	simserver.FaultEmpty:     {loadgen.Truncated, loadgen.Truncated, loadgen.Truncated},
}

// faultMoments are the events with tokens before a fault of faultOutcomes.
var faultMoments = [3]int{0, 3, answerTokens}

// faultLoops are the loops that meet faults, of six requests each.
func faultLoops() map[string]loadgen.Cell {
	return map[string]loadgen.Cell{
		"open":    openCell(0, 0, 1*ms, 2*ms, 3*ms, 4*ms, 5*ms),
		"places":  openCell(2, 0, 1*ms, 2*ms, 3*ms, 4*ms, 5*ms),
		"closed":  closedCell(2, 6),
		"batches": {Schedule: arrival.Synchronised(3, 0, 2), Requests: requests(6)},
	}
}

// No fault that the server knows is left out.
func TestEveryFaultHasAnOutcome(t *testing.T) {
	t.Parallel()
	for _, k := range simserver.Keys() {
		if k.Name != "fault" {
			continue
		}
		for _, choice := range k.Choices {
			if _, known := faultOutcomes[simserver.FaultKind(choice)]; !known {
				t.Errorf("%q has no outcome", choice)
			}
		}
		if len(k.Choices) != len(faultOutcomes) {
			t.Errorf("%d outcomes for %d faults", len(faultOutcomes), len(k.Choices))
		}
		return
	}
	t.Error("the server knows no faults")
}

// Every way in which a server can fail ends every loop in bounded time, each
// request with its own outcome, and leaves no connection open. A goroutine that
// stays, of the client or of the server, would hang the bubble.
func TestEveryFaultEndsEveryLoop(t *testing.T) {
	t.Parallel()
	const timeout = 20 * time.Second
	for name, c := range faultLoops() {
		for fault, outcomes := range faultOutcomes {
			t.Run(name+"/"+string(fault), func(t *testing.T) {
				t.Parallel()
				for i, want := range outcomes {
					synctest.Test(t, func(t *testing.T) {
						c := c
						c.Requests, c.Timeout = requests(6), timeout
						begin := time.Now()
						got, log := simulated(t, func(s *simserver.Config) {
							s.Request.Fault = simserver.Fault{Kind: fault, After: faultMoments[i], Gap: time.Millisecond}
						}, c)
						if took := time.Since(begin); took > 4*timeout {
							t.Errorf("took %v", took)
						}
						checkFaulty(t, got, want, timeout)
						early := fault == simserver.FaultTruncate && want == loadgen.OK // and is told from a whole answer
						for _, r := range got.Records {
							if slices.Contains(r.Notes, openai.NoteNoDone) != early {
								t.Errorf("request %d: notes %v", r.Seq, r.Notes)
							}
						}
						if len(log) < 6 {
							t.Errorf("the server saw %d requests", len(log))
						}
					})
				}
			})
		}
	}
}

// checkFaulty checks six requests that all ended in the same way.
func checkFaulty(t *testing.T, got *loadgen.Run, want loadgen.Outcome, timeout time.Duration) {
	t.Helper()
	for _, r := range got.Records {
		if r.Outcome != want {
			t.Errorf("request %d: %s, want %s: %s", r.Seq, r.Outcome, want, r.Error)
		}
		if r.Done == loadgen.Unknown || r.Done-max(r.Sent, 0) > timeout+time.Second {
			t.Errorf("request %d, sent at %v, ended at %v", r.Seq, r.Sent, r.Done)
		}
		if want == loadgen.Timeout && r.Done-r.Sent < timeout-100*ms {
			t.Errorf("request %d timed out after %v of %v", r.Seq, r.Done-r.Sent, timeout)
		}
	}
	if len(got.Records) != 6 || got.Sent != 6 {
		t.Errorf("%d records, %d sent", len(got.Records), got.Sent)
	}
}

// A connection that the server resets at the next request costs a resend each
// time, which is counted, and no request.
func TestIdleCloseIsResent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		got, log := simulated(t, func(s *simserver.Config) { s.Request.Fault.Kind = simserver.FaultIdleClose }, closedCell(2, 6))
		checkFaulty(t, got, loadgen.OK, time.Minute)
		for _, r := range got.Records {
			first := r.Seq < 2 // on a connection that no request was on before
			if r.Reused != first || (r.Resent == 0) != first {
				t.Errorf("request %d: reused %t, sent again %d times", r.Seq, r.Reused, r.Resent)
			}
		}
		if len(log) != 6 {
			t.Errorf("the server answered %d requests", len(log))
		}
	})
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
