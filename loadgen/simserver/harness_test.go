package simserver

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A bench is a server in fake time with a client that talks to it in memory.
type bench struct {
	t      *testing.T
	server *Server
	begin  time.Time
	client *http.Client
}

// inFakeTime runs do against a server in a bubble of fake time. The bubble fails
// the test when a goroutine is left.
func inFakeTime(t *testing.T, config Config, do func(b *bench)) {
	t.Helper()
	t.Parallel()
	synctestRun(t, config, do)
}

func synctestRun(t *testing.T, config Config, do func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		transport := &http.Transport{DialContext: s.Dial, DisableCompression: true}
		b := &bench{t: t, server: s, begin: time.Now(), client: &http.Client{Transport: transport}}
		defer func() {
			transport.CloseIdleConnections()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
		do(b)
	})
}

// with returns the default configuration with some options set.
func with(t testing.TB, options string) Config {
	t.Helper()
	c := Default()
	if err := c.Request.Set(options); err != nil {
		t.Fatal(err)
	}
	return c
}

const hello = `{"messages":[{"role":"user","content":"hello"}],"stream":true,"stream_options":{"include_usage":true}}`

// post sends a request for an answer.
func (b *bench) post(options, body string) (*http.Response, error) {
	path := "/v1/chat/completions"
	if strings.Contains(body, `"prompt"`) {
		path = "/v1/completions"
	}
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, "http://sim"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if options != "" {
		r.Header.Set(OptionHeader, options)
	}
	return b.client.Do(r)
}

// answer sends a request, reads the whole answer, and returns what is sensible of
// it: each line with the time it came, since the request.
func (b *bench) answer(options, body string) string {
	b.t.Helper()
	start := time.Now()
	r, err := b.post(options, body)
	if err != nil {
		return fmt.Sprintf("%v %v\n", time.Since(start), err)
	}
	defer r.Body.Close()
	var text strings.Builder
	fmt.Fprintf(&text, "%v %s %s\n", time.Since(start), r.Status, r.Header.Get("Content-Type"))
	in := bufio.NewReader(r.Body)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			fmt.Fprintf(&text, "%v %s\n", time.Since(start), strings.TrimSuffix(line, "\n"))
		}
		if err != nil {
			fmt.Fprintf(&text, "%v %v\n", time.Since(start), err)
			return text.String()
		}
	}
}

// get returns the body of an answer to GET.
func (b *bench) get(path string) string {
	b.t.Helper()
	r, err := b.client.Get("http://sim" + path)
	if err != nil {
		b.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(body)
}

// raw sends bytes on a connection of its own and returns every read with its time
// and its bytes, until the connection ends.
func (b *bench) raw(request string) string {
	b.t.Helper()
	return b.rawFor(request, time.Hour)
}

// rawFor is raw for a limited time.
func (b *bench) rawFor(request string, limit time.Duration) string {
	b.t.Helper()
	c, err := b.server.Dial(b.t.Context(), "", "")
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	start := time.Now()
	if _, err := io.WriteString(c, request); err != nil {
		b.t.Fatal(err)
	}
	var text bytes.Buffer
	buf := make([]byte, 1<<20)
	for {
		c.SetReadDeadline(start.Add(limit))
		n, err := c.Read(buf)
		if n > 0 {
			fmt.Fprintf(&text, "%v %q\n", time.Since(start), buf[:n])
		}
		if err != nil {
			fmt.Fprintf(&text, "%v %v\n", time.Since(start), err)
			return text.String()
		}
	}
}

// httpRequest returns the bytes of a request for an answer.
func httpRequest(options, body string) string {
	return fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: sim\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s", OptionHeader, options, len(body), body)
}

// newest returns the record of the answer that was asked for last.
func (b *bench) newest() *Record {
	b.t.Helper()
	synctest.Wait() // the server may still be busy with the end
	log := b.server.Log()
	if len(log) == 0 {
		b.t.Fatal("no record")
	}
	return log[len(log)-1]
}

var _ net.Conn = (*memConn)(nil)
