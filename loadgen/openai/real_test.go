package openai

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/arena/loadgen"
)

// TestTLS uses a real server with its own authority.
func TestTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, say("a")+finish+usage(1)+done)
		if r.ProtoMajor != 1 {
			t.Errorf("HTTP/%d", r.ProtoMajor)
		}
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = discard
	server.TLS = &tls.Config{}
	server.StartTLS()
	defer server.Close()
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	for name, o := range map[string]Options{
		"trusted": {RootCAs: pool},
		"unknown": {RootCAs: x509.NewCertPool()},
	} {
		o.BaseURL = server.URL
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if name == "unknown" {
			if r := ask(c); r.Outcome != loadgen.Connect || !strings.Contains(r.Error, "certificate") {
				t.Errorf("%s: %s, %s", name, r.Outcome, r.Error)
			}
			continue
		}
		if err := c.Warm(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			r := ask(c)
			if r.Outcome != loadgen.OK || !r.Reused || r.Sent < 0 || r.Header < r.Sent || r.FirstToken < r.Header || r.Done < r.FirstToken {
				t.Errorf("%s: %s, %s: %s", name, r.Outcome, r.Error, brief(r))
			}
		}
		models, err := c.Models(t.Context())
		if err == nil || !strings.Contains(err.Error(), "/v1/models") {
			t.Errorf("%v, %v", models, err)
		}
	}
}

// TestClosedConnectionIsNoticed: a socket that the server closed after its answer,
// as some do without saying so, is not used again.
func TestClosedConnectionIsNoticed(t *testing.T) {
	t.Parallel()
	address := listen(t, func(w *wire) {
		w.request()
		w.play(good...)
	})
	c, err := New(Options{BaseURL: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range 5 {
		r := ask(c)
		if r.Outcome != loadgen.OK || r.Resent != 0 || r.Reused {
			t.Errorf("request %d: %s, reused %v, sent again %d times: %s", i, r.Outcome, r.Reused, r.Resent, r.Error)
		}
		c.pool.mu.Lock()
		idle := c.pool.idle
		c.pool.mu.Unlock()
		for len(idle) == 1 && idle[0].alive() { // until the end has come through
			runtime.Gosched()
		}
	}
}

// TestAliveConnection: a socket that is open stays so, and one on which something
// comes unasked does not.
func TestAliveConnection(t *testing.T) {
	t.Parallel()
	garbage := make(chan struct{})
	address := listen(t, func(w *wire) {
		for range 3 {
			w.request()
			w.play(good...)
		}
		<-garbage
		w.play("raw hello", "hold")
	})
	c, err := New(Options{BaseURL: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range 3 {
		if r := ask(c); r.Outcome != loadgen.OK || r.Reused != (i > 0) {
			t.Errorf("request %d: %s, reused %v: %s", i, r.Outcome, r.Reused, r.Error)
		}
	}
	l := c.pool.take()
	if l == nil {
		t.Fatal("no idle connection")
	}
	close(garbage)
	for l.alive() {
		runtime.Gosched()
	}
	c.pool.put(l)
	if c.pool.take() != nil {
		t.Error("a connection with something on it was taken")
	}
}

// listen runs script for every connection to the address that it returns, until
// the test ends.
func listen(t *testing.T, script func(*wire)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for n := 1; ; n++ {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				script(newWire(c, n))
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		all.Wait()
	})
	return listener.Addr().String()
}

// TestReset: a real connection that the other side resets.
func TestReset(t *testing.T) {
	t.Parallel()
	address := listen(t, func(w *wire) {
		w.request()
		if w.n > 1 {
			w.play("stream", say("a"))
		}
		w.Conn.(*net.TCPConn).SetLinger(0)
	})
	c, err := New(Options{BaseURL: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i, want := range []loadgen.Outcome{loadgen.Connect, loadgen.Truncated} {
		if r := ask(c); r.Outcome != want || r.Resent != 0 {
			t.Errorf("connection %d: %s, want %s: %s", i, r.Outcome, want, r.Error)
		}
	}
}

// TestNobodyListens: a real address without a server.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Options{BaseURL: "http://" + listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	listener.Close()
	if r := ask(c); r.Outcome != loadgen.Connect || r.Sent != loadgen.Unknown || r.Status != 0 {
		t.Errorf("%s, sent at %v: %s", r.Outcome, r.Sent, r.Error)
	}
}

// TestEarlyRefusal: a server that refuses a long request and never reads it: the
// answer counts, and the writing ends with it.
func TestEarlyRefusal(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("x"), 16<<20)
	stop := make(chan struct{})
	address := listen(t, func(w *wire) {
		w.in.Peek(1)
		w.play("raw HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nlong")
		<-stop
	})
	defer close(stop)
	c, err := New(Options{BaseURL: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := c.Send(t.Context(), time.Now(), loadgen.Request{Body: body})
	if r.Outcome != loadgen.HTTPStatus || r.Status != 413 || r.Error != "long" || r.Sent < 0 {
		t.Errorf("%s, %d, sent at %v: %s", r.Outcome, r.Status, r.Sent, r.Error)
	}
	if c.pool.take() != nil {
		t.Error("a connection with half a request on it was kept")
	}
}
