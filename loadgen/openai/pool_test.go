package openai

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
)

var good = []string{"1ms", "stream", say("a"), finish, usage(1), done, "end"}

// TestReuse: one connection carries requests one after the other, and is closed 4 s
// after the last.
func TestReuse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := answering(good...)
		c := p.client(t, nil)
		for i, pause := range []time.Duration{0, 0, 3999 * time.Millisecond, 4001 * time.Millisecond} {
			<-time.After(pause)
			synctest.Wait()
			r := ask(c)
			if reused := i == 1 || i == 2; r.Outcome != loadgen.OK || r.Reused != reused || r.Resent != 0 {
				t.Errorf("request %d: %s, reused %v, want %v", i, r.Outcome, r.Reused, reused)
			}
		}
		if p.conns() != 2 {
			t.Errorf("%d connections, want 2", p.conns())
		}
	})
}

// TestConcurrent: requests at once have a connection each, which all serve again.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := answering(good...)
		c := p.client(t, nil)
		for round := range 3 {
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					if r := ask(c); r.Outcome != loadgen.OK || r.Reused != (round > 0) {
						t.Errorf("round %d: %s, reused %v", round, r.Outcome, r.Reused)
					}
				})
			}
			wg.Wait()
		}
		if p.conns() != 20 {
			t.Errorf("%d connections, want 20", p.conns())
		}
	})
}

// TestWarm: it opens what it says and sends nothing; the connections serve the
// first requests, and go when nobody uses them.
func TestWarm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var requests, ended int
		p := &peer{}
		p.script = func(w *wire) {
			for w.request() {
				mu.Lock()
				requests++
				mu.Unlock()
				w.play(good...)
			}
			mu.Lock()
			ended++
			mu.Unlock()
		}
		c := p.client(t, nil)
		for _, n := range []int{150, 100} { // the second time the first ones are closed
			if err := c.Warm(t.Context(), n); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		mu.Lock()
		if p.conns() != 250 || ended != 150 || requests != 0 {
			t.Errorf("%d connections, %d ended, %d requests; want 250, 150, 0", p.conns(), ended, requests)
		}
		mu.Unlock()
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if r := ask(c); !r.Reused || r.Outcome != loadgen.OK {
					t.Errorf("%s, reused %v", r.Outcome, r.Reused)
				}
			})
		}
		wg.Wait()
		<-time.After(5 * time.Second)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if p.conns() != 250 || ended != 250 || requests != 100 {
			t.Errorf("%d connections, %d ended, %d requests; want 250, 250, 100", p.conns(), ended, requests)
		}
	})
}

func TestWarmFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := 0
		p := answering(good...)
		var mu sync.Mutex
		c := p.client(t, func(o *Options) {
			o.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				if n++; n > 7 {
					return nil, errRefused
				}
				return p.dial(ctx, network, addr)
			}
		})
		err := c.Warm(t.Context(), 10)
		if err == nil || err.Error() != "open connections: 3 of 10: connection refused" {
			t.Errorf("got %v", err)
		}
		if r := ask(c); !r.Reused {
			t.Error("the connections that did open are not used")
		}
	})
}

// TestResend: a request goes out a second time in one case only.
func TestResend(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		second  []string // what the connection does with its second request
		fresh   []string // what the connections after it do
		outcome loadgen.Outcome
		resent  int
		conns   int
	}{
		"dead":                {[]string{"close"}, good, loadgen.OK, 1, 2},
		"dead after a while":  {[]string{"3ms", "close"}, good, loadgen.OK, 1, 2},
		"dead twice":          {[]string{"close"}, []string{"close"}, loadgen.Connect, 1, 2},
		"dead, then refused":  {[]string{"close"}, []string{"status 503", "end"}, loadgen.HTTPStatus, 1, 2},
		"dead after one byte": {[]string{"raw H", "close"}, good, loadgen.Truncated, 0, 1},
		"dead in the stream":  {[]string{"stream", "close"}, good, loadgen.Truncated, 0, 1},
		"refused":             {[]string{"status 503", "end"}, good, loadgen.HTTPStatus, 0, 1},
		"no header":           {[]string{"hold"}, good, loadgen.Timeout, 0, 1},
		"well":                {good, nil, loadgen.OK, 0, 1},
		"closed between":      {nil, good, loadgen.OK, 1, 2}, // a connection in memory does not show it before
		"status 408":          {[]string{"raw HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", "close"}, good, loadgen.HTTPStatus, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := &peer{script: func(w *wire) {
					if w.n > 1 {
						for w.request() && w.play(c.fresh...) {
						}
						return
					}
					if w.request() && w.play(good...) && c.second != nil && w.request() {
						w.play(c.second...)
					}
				}}
				client := p.client(t, func(o *Options) { o.HeaderTimeout = time.Second })
				if r := ask(client); r.Outcome != loadgen.OK {
					t.Fatalf("first: %s, %s", r.Outcome, r.Error)
				}
				synctest.Wait()
				r := ask(client)
				if r.Outcome != c.outcome || r.Resent != c.resent || p.conns() != c.conns {
					t.Errorf("%s, sent again %d times, %d connections; want %s, %d, %d (%s)", r.Outcome, r.Resent, p.conns(), c.outcome, c.resent, c.conns, r.Error)
				}
				if r.Resent > 0 && r.Reused {
					t.Error("the answer is said to come over the dead connection")
				}
			})
		})
	}
}

// TestFreshConnectionIsNotRetried: what was never open before is not sent again.
func TestFreshConnectionIsNotRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := answering("close")
		if r := ask(p.client(t, nil)); r.Outcome != loadgen.Connect || r.Resent != 0 || p.conns() != 1 {
			t.Errorf("%s, sent again %d times, %d connections", r.Outcome, r.Resent, p.conns())
		}
	})
}

// TestResentIsSentLater: the request counts as sent when it went out for the
// second time, over the connection that brought the answer.
func TestResentIsSentLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &peer{script: func(w *wire) {
			if w.n == 1 {
				w.request()
				w.play("30ms", "close")
				return
			}
			for w.request() && w.play(good...) {
			}
		}}
		c := p.client(t, nil)
		if err := c.Warm(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		r := ask(c)
		if r.Sent != 30*time.Millisecond || r.FirstToken != 31*time.Millisecond || r.Resent != 1 || r.Reused {
			t.Errorf("sent at %v, token at %v, resent %d, reused %v", r.Sent, r.FirstToken, r.Resent, r.Reused)
		}
	})
}

// TestRequest: what goes over the wire.
func TestRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := answering(good...)
		c := p.client(t, func(o *Options) { o.Key = "sk-1" })
		body := strings.Repeat("x", 1<<20)
		if r := c.Send(t.Context(), time.Now(), loadgen.Request{Body: []byte(body)}); r.Outcome != loadgen.OK {
			t.Fatal(r.Error)
		}
		w := p.wires[0]
		if len(w.got) != 1 || w.got[0] != body {
			t.Errorf("%d bodies", len(w.got))
		}
		got := fmt.Sprint(w.head)
		if want := "map[Accept:[text/event-stream] Authorization:[Bearer sk-1] Content-Length:[1048576] Content-Type:[application/json] User-Agent:[arena]]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// TestClose: a request under way ends well, and its connection is closed.
func TestClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := answering(good...)
		c := p.client(t, func(o *Options) { o.IdleTimeout = -1 })
		var wg sync.WaitGroup
		wg.Go(func() {
			if r := ask(c); r.Outcome != loadgen.OK {
				t.Errorf("%s: %s", r.Outcome, r.Error)
			}
		})
		synctest.Wait()
		c.Close()
		wg.Wait()
		p.ends.Wait()
	})
}

// TestRefusalBeforeReset: a server that answers and closes before it has read the
// request. Its system resets the connection; the answer that came before counts.
func TestRefusalBeforeReset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &peer{script: func(w *wire) {
			w.in.Peek(1)
			w.play("raw HTTP/1.1 401 No\r\nContent-Length: 4\r\n\r\nno!\n", "close")
		}}
		for _, size := range []int{10, 100_000} {
			c := p.client(t, nil)
			r := c.Send(t.Context(), time.Now(), loadgen.Request{Body: bytes.Repeat([]byte("x"), size)})
			if r.Outcome != loadgen.HTTPStatus || r.Status != 401 || r.Error != "no!\n" {
				t.Errorf("%d bytes: %s, %d: %s", size, r.Outcome, r.Status, r.Error)
			}
		}
	})
}
