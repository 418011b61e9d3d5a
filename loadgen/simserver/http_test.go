package simserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestEndpoints(t *testing.T) {
	const model = "arena-sim/fixed"
	cases := []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/v1/models", "", 200, `"id":"arena-sim/fixed"`},
		{"GET", "/version", "", 200, `{"version":"arena sim devel"}`},
		{"GET", "/health", "", 200, ""},
		{"HEAD", "/health", "", 200, ""},
		{"GET", "/server_info", "", 200, `"timing":"fixed"`},
		{"GET", "/metrics", "", 200, "# TYPE vllm:num_requests_running gauge\n"},
		{"GET", "/nowhere", "", 404, `{"detail":"Not Found"}`},
		{"GET", "/v1/chat/completions", "", 405, `{"detail":"Method Not Allowed"}`},
		{"POST", "/metrics", "", 405, `{"detail":"Method Not Allowed"}`},
		{"POST", "/reset_prefix_cache", "", 200, ""},

		{"POST", "/tokenize", `{"model":"` + model + `","prompt":"hello there"}`, 200, `{"count":5,"max_model_len":131072,"tokens":[1048832,301741,524544,54822,628992],"token_strs":null}`},
		{"POST", "/tokenize", `{"prompt":"hello there","add_special_tokens":false}`, 200, `"count":4,`},
		{"POST", "/tokenize", `{"content":"hello there"}`, 200, `"count":4,`},
		{"POST", "/tokenize", `{"messages":[{"role":"user","content":"hello"}]}`, 200, `"count":6,`},
		{"POST", "/tokenize", `{"messages":[{"role":"user","content":"hello"}],"add_generation_prompt":false}`, 200, `"count":5,`},
		{"POST", "/tokenize", `{"model":"other","prompt":"x"}`, 404, "The model `other` does not exist."},
		{"POST", "/tokenize", `{}`, 400, "neither prompt nor messages"},
		{"POST", "/tokenize", `{`, 400, `"code":400`},
		{"POST", "/detokenize", `{"tokens":[301741,524544,54822,628992]}`, 200, `{"prompt":"hello there","content":"hello there"}`},
		{"POST", "/detokenize", `{"tokens":[-1]}`, 400, "out of vocabulary"},

		{"POST", "/v1/chat/completions", `{`, 400, `"type":"BadRequestError"`},
		{"POST", "/v1/chat/completions", `{"model":"other","messages":[{"role":"user","content":"x"}]}`, 404, `"type":"NotFoundError"`},
		{"POST", "/v1/chat/completions", `{"messages":[]}`, 400, "messages must not be empty"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"king","content":"x"}]}`, 400, "unexpected role"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, 400, "not supported"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":[{"type":"text","text":"hel"},{"type":"text","text":"lo"}]}],"max_tokens":1}`, 200, `"prompt_tokens":6,`},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":7}]}`, 400, "must be a string"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"max_tokens":0}`, 400, "at least 1"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"max_tokens":2,"min_tokens":3}`, 400, "min_tokens"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"n":2}`, 400, "n must be 1"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"max_tokens":131072}`, 400, "maximum context length"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"arena_sim":{"tokens":2,"usage":"finish"}}`, 200, `"completion_tokens":2}`},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"arena_sim":{"tokens":0,"draft":2}}`, 400, `acceptance: missing`},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"arena_sim":{"colour":"red","usage":"green"}}`, 400, `colour: no such option\nusage: \"green\" is none of asked null`},
		{"POST", "/v1/completions", `{"prompt":[301741,524544],"max_tokens":1}`, 200, `"prompt_tokens":2,`},
		{"POST", "/v1/completions", `{"prompt":[]}`, 400, "not empty"},
		{"POST", "/v1/completions", `{"prompt":[99999999]}`, 400, "out of vocabulary"},
	}
	inFakeTime(t, Default(), func(b *bench) {
		for _, c := range cases {
			r, err := http.NewRequest(c.method, "http://sim"+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			answer, err := b.client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil || answer.StatusCode != c.status || !strings.Contains(string(body), c.want) || answer.Header.Get("Server") != "arena-sim" {
				t.Errorf("%s %s %s: %s, %v\n%s\nwant %d with %s", c.method, c.path, c.body, answer.Status, err, body, c.status, c.want)
			}
		}
		if conns := b.server.conned.Load(); conns != 1 {
			t.Errorf("%d connections, want all on one", conns)
		}
		for _, r := range b.server.Log() {
			if (r.Status == 200) != (r.Outcome == Complete) || r.Status != 200 && r.Outcome != Refused {
				t.Errorf("record %+v", r)
			}
		}
	})
}

// What is not HTTP is refused, and the connection ends.
func TestBadRequests(t *testing.T) {
	inFakeTime(t, Default(), func(b *bench) {
		for request, want := range map[string]string{
			"hello\r\n\r\n": "400 Bad Request",
			"POST /tokenize HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n":                                      "413 Request Entity Too Large",
			"POST /tokenize HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{":                                             "", // a minute, then the end
			"POST /tokenize HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}": "HTTP/1.1 100 Continue",
			"POST /tokenize HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" +
				"10\r\n{\"content\":\"abc\"\r\n1\r\n}\r\n0\r\n\r\n": `\"count\":1`,
		} {
			if text := b.raw(request); !strings.Contains(text, want) || !strings.HasSuffix(text, "EOF\n") {
				t.Errorf("%q: want %s, got\n%s", request, want, text)
			}
		}
	})
}

// An idle connection is closed when its time is over, not before; one that was
// never used stays.
func TestKeepAlive(t *testing.T) {
	inFakeTime(t, with(t, "tokens=1, ttft_ms=50"), func(b *bench) {
		c, err := b.server.Dial(b.t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		<-time.After(time.Hour)
		for range 2 {
			start := time.Now()
			io.WriteString(c, httpRequest("", hello))
			if text := readUntil(t, c, "0\r\n\r\n"); time.Since(start) != 50*time.Millisecond {
				t.Fatalf("%v: %s", time.Since(start), text)
			}
			<-time.After(4990 * time.Millisecond)
		}
		start := time.Now()
		rest, err := io.ReadAll(c)
		if len(rest) > 0 || err != nil || time.Since(start) != 10*time.Millisecond {
			t.Errorf("after %v more: %q, %v", time.Since(start), rest, err)
		}
		log := b.server.Log()
		if log[1].Use != 1 || log[0].Conn != log[1].Conn {
			t.Errorf("records %+v, %+v", log[0], log[1])
		}
	})
}

// readUntil reads until what came ends with the given bytes.
func readUntil(t testing.TB, r io.Reader, end string) string {
	t.Helper()
	var text strings.Builder
	buf := make([]byte, 4096)
	for !strings.HasSuffix(text.String(), end) {
		n, err := r.Read(buf)
		text.Write(buf[:n])
		if err != nil {
			t.Fatalf("%v after %q", err, text.String())
		}
	}
	return text.String()
}

// Requests that are sent ahead are answered one after the other.
func TestPipelining(t *testing.T) {
	inFakeTime(t, with(t, "tokens=1, ttft_ms=50"), func(b *bench) {
		text := b.raw(httpRequest("", hello) + httpRequest("close=announced", hello))
		if got := strings.Count(text, "HTTP/1.1 200 OK"); got != 2 || !strings.HasSuffix(text, "100ms EOF\n") {
			t.Errorf("%d answers:\n%s", got, text)
		}
	})
}

// A client that does not read delays nobody else, gets everything in the end, and
// the log says when.
func TestSlowReader(t *testing.T) {
	inFakeTime(t, with(t, "ttft_ms=10, itl_ms=1"), func(b *bench) {
		c, err := b.server.Dial(b.t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		const long = `{"messages":[{"role":"user","content":"hello"}],"stream":true,"max_tokens":3000}`
		io.WriteString(c, httpRequest("close=announced", long)) // some 600 kB
		for range 5 {
			b.answer("", hello)
			if r := b.newest(); r.LastToken()-r.Arrived != 73*time.Millisecond {
				t.Fatalf("another answer took %v", r.LastToken()-r.Arrived)
			}
		}
		<-time.After(10*time.Second - time.Since(b.begin))
		body, err := io.ReadAll(c)
		if got := strings.Count(string(body), "data: "); err != nil || got != 3002 {
			t.Errorf("%d events, %v", got, err)
		}
		r := b.newest()
		for _, r = range b.server.Log() {
			if r.Tokens == 3000 {
				break
			}
		}
		late := 0
		for _, e := range r.Events {
			switch e.Sent {
			case e.Due:
			case 10 * time.Second:
				late++
			default:
				t.Fatalf("event %+v", e)
			}
		}
		if r.Outcome != Complete || late < 1000 || late > 2500 {
			t.Errorf("%d of %d events waited for the reader; outcome %s", late, len(r.Events), r.Outcome)
		}
	})
}

// A client that neither reads nor stays leaves nothing behind.
func TestSlowReaderLeaves(t *testing.T) {
	inFakeTime(t, with(t, "ttft_ms=10, itl_ms=1"), func(b *bench) {
		c, err := b.server.Dial(b.t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, httpRequest("fault=endless", hello))
		<-time.After(10 * time.Second)
		c.Close()
		if r := b.newest(); r.Fault != FaultEndless || r.Ended != 10*time.Second || r.Tokens < 1000 {
			t.Errorf("record %+v", r)
		}
	})
}

// Shutdown lets answers under way finish, and cuts those that do not in time.
func TestShutdown(t *testing.T) {
	inFakeTime(t, Default(), func(b *bench) {
		ends := make(chan string, 3)
		for _, options := range []string{"", "fault=stall", "tokens=100000"} {
			go func() {
				text := strings.TrimSpace(b.answer(options, hello))
				ends <- fmt.Sprintf("%q ends: %s", options, text[strings.LastIndex(text, "\n")+1:])
			}()
		}
		<-time.After(100 * time.Millisecond)
		ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Second)
		defer cancel()
		if err := b.server.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if took := time.Since(b.begin); took != 2100*time.Millisecond {
			t.Errorf("shutdown after %v", took)
		}
		got := map[string]bool{<-ends: true, <-ends: true, <-ends: true}
		for _, want := range []string{`"" ends: 680ms EOF`, `"fault=stall" ends: 2.1s unexpected EOF`, `"tokens=100000" ends: 2.1s unexpected EOF`} {
			if !got[want] {
				t.Errorf("want %s, got %v", want, got)
			}
		}
		outcomes := map[Outcome]int{}
		for _, r := range b.server.Log() {
			outcomes[r.Outcome]++
		}
		if outcomes[Complete] != 1 || outcomes[Stopped] != 2 {
			t.Errorf("outcomes %v", outcomes)
		}
		if _, err := b.server.Dial(b.t.Context(), "", ""); !errors.Is(err, ErrClosed) {
			t.Errorf("dial after the end: %v", err)
		}
		if err := b.server.Close(); err != nil {
			t.Errorf("second end: %v", err)
		}
	})
}
