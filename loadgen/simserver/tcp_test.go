package simserver

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
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
