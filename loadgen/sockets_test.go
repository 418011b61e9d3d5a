package loadgen_test

import (
	"errors"
	"net"
	"os"
	"runtime"
	"testing"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
)

// Faults that look different on a socket end both kinds of loop as in memory, and
// leave neither a goroutine nor a file open. Both are counted in the whole process,
// so this test runs by itself.
func TestFaultsOnSockets(t *testing.T) {
	const timeout = 200 * time.Millisecond // of what never ends; the other answers take 1 ms
	loops := map[string]loadgen.Cell{"open": openCell(0, 0, 1*ms, 2*ms, 3*ms, 4*ms, 5*ms), "closed": closedCell(2, 6)}
	for name, c := range loops {
		for _, fault := range []simserver.FaultKind{
			simserver.NoFault, simserver.FaultReset, simserver.FaultCut, simserver.FaultIdleClose, simserver.FaultHang, simserver.FaultStall,
		} {
			for i, want := range faultOutcomes[fault] {
				if want == loadgen.Timeout && i != 1 {
					continue // they take their time
				}
				t.Run(name+"/"+string(fault), func(t *testing.T) {
					routines, files := runtime.NumGoroutine(), openFiles(t)
					c := c
					c.Requests, c.Timeout = requests(6), time.Minute
					if want == loadgen.Timeout {
						c.Timeout = timeout
					}
					onSockets(t, simserver.Fault{Kind: fault, After: faultMoments[i]}, c, want)
					until(t, "goroutines left", func() bool { return runtime.NumGoroutine() <= routines })
					until(t, "files left open", func() bool { return openFiles(t) <= files })
				})
			}
		}
	}
}

// onSockets runs a cell against a simulated server on a socket.
func onSockets(t *testing.T, fault simserver.Fault, c loadgen.Cell, want loadgen.Outcome) {
	t.Helper()
	config := simserver.Default()
	config.Request.TTFT, config.Request.ITL, config.Request.Fault = time.Millisecond, 10*time.Microsecond, fault
	config.Precise = true
	server, err := simserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	client, err := openai.New(openai.Options{BaseURL: "http://" + listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, c.Requests)
	r := &loadgen.Runner{Sender: client, Connect: client.Warm, KeepGC: true}
	got := run(t, r, c)
	client.Close()
	until(t, "connections left open", func() bool { return server.Stats().Connections == 0 })
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, simserver.ErrClosed) {
		t.Error(err)
	}
	for _, r := range got.Records {
		if r.Outcome != want {
			t.Errorf("request %d: %s, want %s: %s", r.Seq, r.Outcome, want, r.Error)
		}
	}
	if len(got.Records) != 6 || got.Sent != 6 {
		t.Errorf("%d records, %d sent", len(got.Records), got.Sent)
	}
}

// until waits until something is so, which it must be soon.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !so(); runtime.Gosched() {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%s\n%s", what, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// openFiles returns how many files this process has open; 0 where the system does
// not list them.
func openFiles(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
