package simserver

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFaults compares what a client sees of every fault to testdata/faults.txt,
// on a fresh connection each.
func TestFaults(t *testing.T) {
	const short = "tokens=4, ttft_ms=50, itl_ms=10, "
	const whole = `{"messages":[{"role":"user","content":"hello"}]}`
	cases := []struct {
		name, options, body string
		want                Outcome
	}{
		{"reset before any byte", "fault=reset", hello, Faulty},
		{"reset after two events", "fault=reset, fault_after=2", hello, Faulty},
		{"reset in place of the end", "fault=reset, fault_after=9", hello, Faulty},
		{"status 500", "fault=status", hello, Faulty},
		{"status 429 with a body", `fault=status, fault_status=429, fault_body={"detail":"slow down"}`, hello, Faulty},
		{"status 503", "fault=status, fault_status=503", hello, Faulty},
		{"truncated at once", "fault=truncate", hello, Faulty},
		{"truncated after two events", "fault=truncate, fault_after=2", hello, Faulty},
		{"truncated in place of the end", "fault=truncate, fault_after=4", hello, Faulty},
		{"truncated, framed by the connection", "fault=truncate, fault_after=2, framing=close", hello, Faulty},
		{"cut after two events", "fault=cut, fault_after=2", hello, Faulty},
		{"error at once", "fault=error", hello, Faulty},
		{"error after two events", "fault=error, fault_after=2", hello, Faulty},
		{"error as a string", "fault=error, fault_shape=string, fault_after=1", hello, Faulty},
		{"error as an object", "fault=error, fault_shape=object, fault_after=1", hello, Faulty},
		{"error with a name", "fault=error, fault_shape=event, fault_after=1", hello, Faulty},
		{"error without data", "fault=error, fault_shape=bare, fault_after=1", hello, Faulty},
		{"malformed event", "fault=malformed, fault_after=1", hello, Faulty},
		{"broken chunk", "fault=bad_chunk, fault_after=1", hello, Faulty},
		{"page of a proxy", "fault=html", hello, Faulty},
		{"empty body", "fault=empty", hello, Faulty},
		{"no stream: reset", "fault=reset", whole, Faulty},
		{"no stream: reset in the body", "fault=reset, fault_after=1", whole, Faulty},
		{"no stream: cut", "fault=cut", whole, Faulty},
		{"no stream: error", "fault=error", whole, Faulty},
		{"no stream: malformed", "fault=malformed", whole, Faulty},
	}
	inFakeTime(t, Default(), func(b *bench) {
		var got strings.Builder
		for _, c := range cases {
			got.WriteString("== " + c.name + " ==\n" + b.answer(short+c.options, c.body) + "\n")
			if r := b.newest(); r.Outcome != c.want || r.Fault == NoFault {
				b.t.Errorf("%s: record %+v", c.name, r)
			}
			// The next request must not hit a connection that the fault closed.
			b.client.CloseIdleConnections()
		}
		compareGolden(b.t, "testdata/faults.txt", headJSON.ReplaceAllString(got.String(), "$1 $2, "))
	})
}

// compareGolden compares text to a file, or writes it with UPDATE_GOLDEN set.
func compareGolden(t *testing.T, file, text string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("differs from %s; got\n%s", file, text)
	}
}

// Answers that never end go on until the client leaves, and the log says so.
func TestNeverEnding(t *testing.T) {
	cases := []struct {
		options string
		lines   int // of data within two seconds
		status  int
	}{
		{"fault=hang", 0, 0},
		{"fault=stall", 0, 200},
		{"fault=stall, headers=token", 0, 200},
		{"fault=stall, fault_after=3", 4, 200},
		{"fault=endless", 1 + 195, 200}, // the role, then a token every 10 ms from 50 to 1,990 ms
	}
	for _, c := range cases {
		t.Run(c.options, func(t *testing.T) {
			inFakeTime(t, Default(), func(b *bench) {
				text := b.rawFor(httpRequest(c.options, hello), 1995*time.Millisecond)
				if got := strings.Count(text, "data: "); got != c.lines {
					b.t.Errorf("%d lines, want %d:\n%.300s", got, c.lines, text)
				}
				r := b.newest()
				if r.Outcome != Faulty || r.Status != c.status || r.Fault == NoFault || r.Finish != "" {
					b.t.Errorf("record %+v", r)
				}
				if r.Ended-r.Arrived != 1995*time.Millisecond {
					b.t.Errorf("the end was noticed after %v", r.Ended-r.Arrived)
				}
			})
		})
	}
}

// A client that leaves ends its answer at once.
func TestDisconnect(t *testing.T) {
	inFakeTime(t, Default(), func(b *bench) {
		text := b.rawFor(httpRequest("", hello), 101*time.Millisecond)
		if got := strings.Count(text, "data: "); got != 7 { // role, 50 … 100 ms
			b.t.Errorf("%d lines:\n%s", got, text)
		}
		if r := b.newest(); r.Outcome != Disconnected || r.Tokens != 6 || r.Ended-r.Arrived != 101*time.Millisecond {
			b.t.Errorf("record %+v", r)
		}
	})
}

// The keep-alive race: the second request on a connection meets a reset.
func TestIdleClose(t *testing.T) {
	inFakeTime(t, with(t, "tokens=1"), func(b *bench) {
		first := b.answer("fault=idle_close", hello)
		if !strings.Contains(first, "[DONE]") {
			b.t.Errorf("first answer:\n%s", first)
		}
		second := b.answer("", hello)
		if !strings.Contains(second, "connection reset by peer") {
			b.t.Errorf("second answer:\n%s", second)
		}
		if third := b.answer("", hello); !strings.Contains(third, "[DONE]") {
			b.t.Errorf("third answer:\n%s", third)
		}
		if log := b.server.Log(); len(log) != 2 {
			b.t.Errorf("%d records: the request that met a reset was never read", len(log))
		}
	})
}

// Rules strike by number and by lot; the lot depends on the seed alone.
func TestRules(t *testing.T) {
	struck := func(seed uint64) (list []int) {
		config := with(t, "tokens=1, ttft_ms=1")
		config.Seed = seed
		config.Faults = []Rule{
			{Fault: Fault{Kind: FaultStatus, Status: 503}, Requests: []int{1, 4}},
			{Fault: Fault{Kind: FaultTruncate}, Share: 0.25},
		}
		synctestRun(t, config, func(b *bench) {
			for range 200 {
				b.answer("", hello)
			}
			for _, r := range b.server.Log() {
				if r.Fault == FaultStatus && r.Seq != 1 && r.Seq != 4 {
					b.t.Errorf("request %d met the rule for 1 and 4", r.Seq)
				}
				if r.Fault == FaultTruncate {
					list = append(list, r.Seq)
				}
			}
		})
		return list
	}
	first := struck(7)
	if len(first) < 35 || len(first) > 65 {
		t.Errorf("%d of 200 struck by lot, want about 50", len(first))
	}
	if again := struck(7); !slices.Equal(first, again) {
		t.Errorf("the same seed struck %v, then %v", first, again)
	}
	if other := struck(8); slices.Equal(first, other) {
		t.Error("another seed struck the same requests")
	}
}
