package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/arena/loadgen"
)

// A peer is a scripted server at the far ends of connections in memory, for tests
// in fake time. Each write of it is one read of the client.
type peer struct {
	script func(*wire)

	mu    sync.Mutex
	wires []*wire
	ends  sync.WaitGroup // of the scripts
	bad   error          // what dialling gives, when not nil
}

// A wire is the server's end of one connection.
type wire struct {
	net.Conn
	n    int // of the connection, from 1
	in   *bufio.Reader
	got  []string // request bodies
	head http.Header
}

func newWire(c net.Conn, n int) *wire { return &wire{Conn: c, n: n, in: bufio.NewReader(c)} }

// dial implements Options.DialContext.
func (p *peer) dial(context.Context, string, string) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bad != nil {
		return nil, p.bad
	}
	near, far := net.Pipe()
	w := newWire(far, len(p.wires)+1)
	p.wires = append(p.wires, w)
	p.ends.Go(func() {
		defer far.Close()
		p.script(w)
	})
	return near, nil
}

func (p *peer) conns() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.wires)
}

// request reads a request; false when the client has gone.
func (w *wire) request() bool {
	r, err := http.ReadRequest(w.in)
	if err != nil {
		return false
	}
	body, err := io.ReadAll(r.Body)
	w.got = append(w.got, string(body))
	w.head = r.Header
	return err == nil
}

// play does what steps say: a duration such as "10ms" is a wait; "close" closes
// the connection; "stream" and "status 503" begin an answer; "end" ends it; "raw
// x" writes x; "hold" waits for the client to go; everything else is written as a
// chunk of the body. It stops and says false when the connection is gone.
func (w *wire) play(steps ...string) bool {
	for _, s := range steps {
		var err error
		word, rest, _ := strings.Cut(s, " ")
		d, notTime := time.ParseDuration(s)
		switch {
		case notTime == nil:
			<-time.After(d)
		case s == "close":
			return w.Close() != nil
		case s == "hold":
			_, _ = io.Copy(io.Discard, w.in)
			return false
		case word == "stream":
			kind := "text/event-stream; charset=utf-8"
			if rest != "" {
				kind = rest
			}
			_, err = fmt.Fprintf(w, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n", kind)
		case word == "status":
			_, err = fmt.Fprintf(w, "HTTP/1.1 %s %s\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n", rest, "Because")
		case s == "end":
			_, err = io.WriteString(w, "0\r\n\r\n")
		case word == "raw":
			_, err = io.WriteString(w, rest)
		default:
			_, err = fmt.Fprintf(w, "%x\r\n%s\r\n", len(s), s)
		}
		if err != nil {
			return false
		}
	}
	return true
}

// answering returns a peer that answers every request alike.
func answering(steps ...string) *peer {
	return &peer{script: func(w *wire) {
		for w.request() && w.play(steps...) {
		}
	}}
}

// client returns a client of p, which is closed with the test.
func (p *peer) client(t testing.TB, set func(*Options)) *Client {
	t.Helper()
	o := Options{BaseURL: "http://server.test", DialContext: p.dial}
	if set != nil {
		set(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		p.ends.Wait()
	})
	return c
}

// Events of a chat, as vLLM sends them.
func ev(data string) string { return "data: " + data + "\n\n" }

func say(text string) string {
	return ev(`{"choices":[{"index":0,"delta":{"content":"` + text + `"}}]}`)
}

func think(text string) string {
	return ev(`{"choices":[{"index":0,"delta":{"reasoning_content":"` + text + `"}}]}`)
}

func sayN(text string, n int) string {
	return ev(fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":"%s"}}],"usage":{"prompt_tokens":18,"completion_tokens":%d}}`, text, n))
}

func ids(text, list string) string {
	return ev(`{"choices":[{"index":0,"delta":{"content":"` + text + `"},"token_ids":[` + list + `]}]}`)
}

func usage(n int) string {
	return ev(fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":18,"completion_tokens":%d,"prompt_tokens_details":{"cached_tokens":16}}}`, n))
}

var (
	role   = ev(`{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}`)
	finish = ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`)
	done   = ev("[DONE]")
)

// brief writes the moments in milliseconds, then the counts, then how it ended.
// What is unknown is a dash.
func brief(r loadgen.Result) string {
	var b bytes.Buffer
	ms := func(name string, d loadgen.Offset) {
		if d == loadgen.Unknown {
			fmt.Fprintf(&b, "%s - ", name)
		} else {
			fmt.Fprintf(&b, "%s %d ", name, d.Milliseconds())
		}
	}
	n := func(n int) string { return strings.Replace(fmt.Sprint(n), "-1", "-", 1) }
	ms("sent", r.Sent)
	ms("header", r.Header)
	ms("byte", r.FirstByte)
	ms("token", r.FirstToken)
	ms("visible", r.FirstVisible)
	ms("last", r.LastToken)
	ms("usage", r.Usage)
	ms("done", r.Done)
	fmt.Fprintf(&b, "| %s/%s/%s %s", n(r.PromptTokens), n(r.CompletionTokens), n(r.CachedTokens), r.CountedBy)
	for _, a := range r.Arrivals {
		fmt.Fprintf(&b, " %d:%s", a.At.Milliseconds(), n(a.Tokens))
	}
	if len(r.Bare) > 0 {
		b.WriteString(" bare")
	}
	for _, at := range r.Bare {
		fmt.Fprintf(&b, " %d", at.Milliseconds())
	}
	if r.Coalesced > 0 {
		fmt.Fprintf(&b, " coalesced %d", r.Coalesced)
	}
	fmt.Fprintf(&b, " | %s", r.Outcome)
	for _, s := range append([]string{r.Finish}, r.Notes...) {
		if s != "" {
			b.WriteString(" " + s)
		}
	}
	if r.Text != "" {
		fmt.Fprintf(&b, " %q", r.Text)
	}
	return b.String()
}

// ask sends one request of 4 output tokens.
func ask(c *Client) loadgen.Result {
	return c.Send(context.Background(), time.Now(), loadgen.Request{Body: []byte(`{"x":1}`), OutputTokens: 4})
}

var discard = log.New(io.Discard, "", 0)

var errRefused = errors.New("connection refused")

// silentDial waits for ever.
func silentDial(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
