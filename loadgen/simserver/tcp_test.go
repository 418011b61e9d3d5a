package simserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// onTCP starts a server on a socket of this machine, with the precise timers and
// no waiting times, and returns its address.
func onTCP(t *testing.T, config Config) (*Server, string) {
	t.Helper()
	config.Precise = true
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, ErrClosed) {
			t.Errorf("serve ended with %v", err)
		}
	})
	return s, l.Addr().String()
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// The same server works on real sockets: answers, resets, and clients that read
// late.
func TestTCP(t *testing.T) {
	t.Parallel()
	config := with(t, "ttft_ms=1, itl_ms=0.01")
	config.Senders = 2
	s, address := onTCP(t, config)
	c := dial(t, address)
	for range 3 {
		io.WriteString(c, httpRequest("", hello))
		if text := readUntil(t, c, "0\r\n\r\n"); strings.Count(text, "data: ") != 67 {
			t.Errorf("answer:\n%s", text)
		}
	}
	io.WriteString(c, httpRequest("fault=reset, fault_after=2", hello))
	if _, err := io.ReadAll(c); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reset: %v", err)
	}

	c = dial(t, address)
	const long = `{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_tokens":60000}`
	io.WriteString(c, httpRequest("close=announced", long)) // 13 MB: no socket holds that
	other := dial(t, address)
	io.WriteString(other, httpRequest("", hello))
	readUntil(t, other, "0\r\n\r\n")
	body, err := io.ReadAll(c)
	if got := bytes.Count(body, []byte("data: ")); err != nil || got != 60002 {
		t.Errorf("late reader: %d events, %v", got, err)
	}

	c = dial(t, address)
	io.WriteString(c, httpRequest("fault=endless", hello))
	io.ReadFull(c, make([]byte, 1<<16))
	c.Close()
	if err := s.Close(); err != nil { // waits for the end of the endless answer
		t.Error(err)
	}
	for _, r := range s.Log() {
		for _, e := range r.Events {
			if e.Sent != Never && e.Sent < e.Due {
				t.Fatalf("request %d: an event due at %v was sent at %v", r.Seq, e.Due, e.Sent)
			}
		}
	}
	if stats := s.Stats(); stats.Requests != 7 || stats.Outcomes[Complete] != 5 || stats.LateP50 <= 0 || stats.LateMax < stats.LateP99 || stats.LateP99 < stats.LateP50 {
		t.Errorf("stats %+v", stats)
	}
}

// Clients that read late, and then in bits, get all of it: a write that a socket
// does not take at once is gone on with, however often that happens.
func TestLateReaders(t *testing.T) {
	t.Parallel()
	s, address := onTCP(t, with(t, "ttft_ms=1, itl_ms=0.001"))
	const tokens, readers = 60_000, 2 // 13 MB each: no socket holds that
	conns := make([]net.Conn, readers)
	for i := range conns {
		c := dial(t, address)
		c.(*net.TCPConn).SetReadBuffer(64 << 10)
		c.SetReadDeadline(time.Now().Add(time.Minute))
		io.WriteString(c, httpRequest("close=announced", fmt.Sprintf(`{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_tokens":%d}`, tokens)))
		conns[i] = c
	}
	// The server is stuck with them when only another answer adds tokens.
	other := dial(t, address)
	stuck := func() int64 {
		for before := int64(-1); s.Stats().Tokens-before != 64; {
			before = s.Stats().Tokens
			io.WriteString(other, httpRequest("", hello))
			readUntil(t, other, "0\r\n\r\n")
		}
		return s.Stats().Tokens
	}
	if n := stuck(); n >= tokens*readers {
		t.Fatalf("%d tokens are sent already", n)
	}
	bodies := make([]bytes.Buffer, readers)
	for range 3 {
		for i, c := range conns {
			if _, err := io.CopyN(&bodies[i], c, 2<<20); err != nil {
				t.Fatal(err)
			}
		}
		stuck()
	}
	var wg sync.WaitGroup
	for i, c := range conns {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 4))
			body := &bodies[i]
			var err error
			for err == nil {
				_, err = io.CopyN(body, c, 1+random.Int64N(256<<10))
				runtime.Gosched()
			}
			if n := bytes.Count(body.Bytes(), []byte("data: ")); !errors.Is(err, io.EOF) || n != tokens+2 { // the role and [DONE]
				t.Errorf("reader %d: %d events, %v", i, n, err)
			}
		})
	}
	wg.Wait()
}
