//go:build linux && (amd64 || arm64)

package openai

import (
	"errors"
	"io"
	"net"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// sockets returns the two ends of a real connection, the near one with the
// kernel's time.
func sockets(t testing.TB) (*socket, net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	near, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	s, ok := newSocket(near).(*socket)
	if !ok {
		t.Skip("the kernel does not tell its time")
	}
	t.Cleanup(func() {
		s.Close()
		far.Close()
	})
	return s, far
}

// waitFor returns when something has come to s, without reading it.
func waitFor(s *socket) {
	for peek(s.raw, false) {
		runtime.Gosched()
	}
}

// TestKernelTime: bytes that were there before they are read have the time at
// which they came, not that of the read.
func TestKernelTime(t *testing.T) {
	t.Parallel()
	s, far := sockets(t)
	p := make([]byte, 100)
	exact := 0
	for range 1000 {
		before := time.Now()
		if _, err := far.Write([]byte("hello")); err != nil {
			t.Fatal(err)
		}
		waitFor(s)
		there := time.Now()
		if n, err := s.Read(p); err != nil || string(p[:n]) != "hello" {
			t.Fatalf("%q, %v", p[:n], err)
		}
		if s.stamped == 0 { // the kernel takes a moment to begin with it
			if s.arrived().Before(there) {
				t.Fatal("a time from nowhere")
			}
			continue
		}
		exact++
		if at := s.arrived(); at.Before(before) || at.After(there) {
			t.Fatalf("arrived %v after the write began and %v before it was seen", at.Sub(before), there.Sub(at))
		}
		if exact == 20 {
			return
		}
	}
	t.Skipf("the kernel told its time for %d of 1000 packets", exact)
}

func TestSocketIsAConnection(t *testing.T) {
	t.Parallel()
	s, far := sockets(t)
	if n, err := s.Read(nil); n != 0 || err != nil {
		t.Errorf("empty read: %d, %v", n, err)
	}
	s.SetReadDeadline(time.Unix(1, 0))
	_, err := s.Read(make([]byte, 1))
	if timeout, ok := errors.AsType[net.Error](err); !ok || !timeout.Timeout() {
		t.Errorf("deadline: %v", err)
	}
	s.SetReadDeadline(time.Time{})
	go far.Write(make([]byte, 100_000))
	if _, err := io.ReadFull(s, make([]byte, 100_000)); err != nil {
		t.Errorf("long read: %v", err)
	}
	far.Close()
	for range 2 {
		if _, err := s.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("end: %v", err)
		}
	}
	s.Close()
	if _, err := s.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed: %v", err)
	}

	s, far = sockets(t)
	far.(*net.TCPConn).SetLinger(0)
	far.Close()
	if _, err := s.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reset: %v", err)
	}
}

// TestArrival: the kernel's time on this process's clock, with what may be wrong
// with it.
func TestArrival(t *testing.T) {
	t.Parallel()
	const wall, ms = 1_760_000_000 * time.Second, time.Millisecond
	now := time.Now()
	for name, c := range map[string]struct {
		stamped time.Duration // before now; 0 is no time
		last    time.Duration // the last read, before now
		at      time.Duration // arrival of its bytes, before now
		step    time.Duration // of the wall clock since
		want    time.Duration // before now
	}{
		"on time":         {5 * ms, 100 * ms, 101 * ms, 0, 5 * ms},
		"long ago":        {50_000 * ms, 60_000 * ms, 60_000 * ms, 0, 50_000 * ms},
		"not told":        {0, 100 * ms, 101 * ms, 0, 0},
		"in the future":   {-ms, 100 * ms, 101 * ms, 0, 0},
		"before the last": {5 * ms, ms, 3 * ms, 0, 3 * ms},
		"clock set ahead": {5 * ms, 100 * ms, 101 * ms, 1000 * ms, 0},
		"clock set back":  {5 * ms, 100 * ms, 101 * ms, -2 * ms, 0},
		"clock adjusted":  {5 * ms, 100 * ms, 101 * ms, ms / 10, 5 * ms},
	} {
		s := &socket{now: now.Add(-c.last), wall: wall - c.last - c.step, at: now.Add(-c.at)}
		if c.stamped != 0 {
			s.stamped = wall - c.stamped
		}
		if got := now.Sub(s.arrival(now, wall)); got != c.want {
			t.Errorf("%s: %v before now, want %v", name, got, c.want)
		}
	}
}

func TestSocketAllocatesNothing(t *testing.T) {
	s, far := sockets(t)
	p := make([]byte, 100)
	if n := testing.AllocsPerRun(200, func() {
		far.Write(p[:10])
		if _, err := s.Read(p); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a read, want 0", n)
	}
}
