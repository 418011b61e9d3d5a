package openai

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
)

// TestAnswers: what each form of a good answer gives. The header comes after 5 ms.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		list []string
		want string
	}{
		"vllm": {
			list: []string{"45ms", role + say("a"), "10ms", say("b"), "10ms", say("c"), "10ms", say("d"), finish + usage(4) + done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 80 usage 80 done 80 | 18/4/16 usage 50:1 60:1 70:1 80:1 bare 50 80 coalesced 3 | ok length",
		},
		"role before prefill": {
			list: []string{"1ms", role, "44ms", say("a"), "10ms", say("b"), finish, usage(2), done, "end"},
			want: "sent 0 header 5 byte 6 token 50 visible 50 last 60 usage 60 done 60 | 18/2/16 usage 50:1 60:1 bare 6 60 | ok length",
		},
		"several tokens an event": {
			list: []string{"45ms", say("abcd"), "40ms", say("efgh"), finish, "7ms", usage(8), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 90 usage 97 done 97 | 18/8/16 usage 50:- 90:- bare 90 | ok length",
		},
		"continuous usage": {
			list: []string{sayN("", 0), "45ms", sayN("abc", 3), "10ms", sayN("", 4), "10ms", sayN("de", 4), finish, usage(4), done, "end"},
			want: "sent 0 header 5 byte 5 token 50 visible 50 last 70 usage 70 done 70 | 18/4/16 continuous_usage 50:3 60:1 70:0 bare 5 70 | ok length",
		},
		"continuous usage with a silent first token": {
			list: []string{"45ms", sayN("", 1), "10ms", sayN("a", 2), finish, usage(2), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 60 last 60 usage 60 done 60 | 18/2/16 continuous_usage 50:1 60:1 bare 60 | ok length",
		},
		"usage now and then": {
			list: []string{"45ms", sayN("a", 1), "10ms", say("b"), "10ms", sayN("c", 3), finish, usage(3), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 70 usage 70 done 70 | 18/3/16 usage 50:1 60:1 70:1 bare 70 | ok length",
		},
		"token ids": {
			list: []string{"45ms", ids("ab", "1,2"), "10ms", ids("", "3"), "10ms", ids("c", ""), finish, done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 70 usage - done 70 | -/3/- token_ids 50:2 60:1 70:0 bare 70 | ok length",
		},
		"token ids and another usage": {
			list: []string{"45ms", ids("ab", "1,2"), finish, usage(9), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage 50 done 50 | 18/9/16 token_ids 50:2 bare 50 | ok length usage_differs",
		},
		"usage in the finish event": {
			list: []string{"45ms", say("a"), say("b"), ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":18,"completion_tokens":2}}`), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage - done 50 | 18/2/- usage 50:1 50:1 bare 50 | ok stop",
		},
		"usage null": {
			list: []string{"45ms", ev(`{"choices":[{"delta":{"content":"a"}}],"usage":null}`), ev(`{"choices":[{"delta":{"content":"b"},"finish_reason":"length"}],"usage":null}`), usage(2), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage 50 done 50 | 18/2/16 usage 50:1 50:1 | ok length",
		},
		"no usage": {
			list: []string{"45ms", say("a"), "10ms", say("b"), finish, done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 60 usage - done 60 | -/-/- chunks 50:1 60:1 bare 60 | ok length",
		},
		"reasoning first": {
			list: []string{"45ms", think("hm"), "10ms", think("hm"), "10ms", say("a"), finish, usage(3), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 70 last 70 usage 70 done 70 | 18/3/16 usage 50:1 60:1 70:1 bare 70 | ok length",
		},
		"tool call": {
			list: []string{
				role, "45ms", ev(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}]}}]}`), "10ms",
				ev(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}`),
				ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`), usage(2), done, "end",
			},
			want: "sent 0 header 5 byte 5 token 50 visible - last 60 usage 60 done 60 | 18/2/16 usage 50:1 60:1 bare 5 60 | ok tool_calls",
		},
		"completions": {
			list: []string{"45ms", ev(`{"choices":[{"index":0,"text":"a","finish_reason":null}]}`), "10ms", ev(`{"choices":[{"index":0,"text":"b","finish_reason":"length"}]}`), usage(2), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 60 usage 60 done 60 | 18/2/16 usage 50:1 60:1 | ok length",
		},
		"role in every delta": {
			list: []string{"45ms", ev(`{"choices":[{"index":0,"delta":{"role":"assistant","content":"a"}}]}`), "10ms", ev(`{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}`), usage(1), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage 60 done 60 | 18/1/16 usage 50:1 bare 60 | ok stop",
		},
		"other choices": {
			list: []string{"40ms", ev(`{"choices":[{"index":1,"delta":{"content":"x"},"finish_reason":"length"}]}`), "5ms", say("a"), finish, usage(2), done, "end"},
			want: "sent 0 header 5 byte 45 token 50 visible 50 last 50 usage 50 done 50 | 18/2/16 usage 50:- bare 50 | ok length other_choices",
		},
		"split writes": {
			list: []string{"44ms", `data: {"choices":[{"index":0,"del`, "1ms", `ta":{"content":"a"}}]}`, "3ms", "\n", "1ms", "\n", finish, usage(1), done, "end"},
			want: "sent 0 header 5 byte 49 token 50 visible 50 last 50 usage 54 done 54 | 18/1/16 usage 50:1 bare 54 | ok length",
		},
		"coalesced writes": {
			list: []string{"45ms", say("a") + say("b") + say("c") + say("d"), finish + usage(4) + done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage 50 done 50 | 18/4/16 usage 50:1 50:1 50:1 50:1 bare 50 coalesced 5 | ok length",
		},
		"comments and CR LF": {
			list: []string{": ping\r\n\r\n", "45ms", strings.ReplaceAll(say("a"), "\n", "\r\n"), ": ping\n\n", "data:" + strings.TrimPrefix(finish, "data: "), usage(1), "data:[DONE]\r\n\r\n", "end"},
			want: "sent 0 header 5 byte 5 token 50 visible 50 last 50 usage 50 done 50 | 18/1/16 usage 50:1 bare 50 | ok length",
		},
		"without [DONE]": {
			list: []string{"45ms", say("a"), finish, usage(1), "3ms", "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage 50 done 53 | 18/1/16 usage 50:1 bare 50 | ok length no_done",
		},
		"[DONE] without blank line": {
			list: []string{"45ms", say("a"), finish, "data: [DONE]", "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage - done 50 | -/-/- chunks 50:1 bare 50 | ok length",
		},
		"held open after [DONE]": {
			list: []string{"45ms", say("a"), finish, usage(1), done, "hold"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage 50 done 1050 | 18/1/16 usage 50:1 bare 50 | ok length held_open",
		},
		"broken after [DONE]": {
			list: []string{"45ms", say("a"), finish, usage(1), done, "close"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage 50 done 50 | 18/1/16 usage 50:1 bare 50 | ok length",
		},
		"no token": {
			list: []string{"45ms", role, ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":18,"completion_tokens":1}}`), done, "end"},
			want: "sent 0 header 5 byte 50 token - visible - last - usage - done 50 | 18/1/-  bare 50 50 | ok stop",
		},
		"unknown events": {
			list: []string{ev(`{"type":"ping"}`), "event: ping\n" + ev(`{}`), "45ms", say("a"), finish, usage(1), done, "end"},
			want: "sent 0 header 5 byte 5 token 50 visible 50 last 50 usage 50 done 50 | 18/1/16 usage 50:1 bare 50 | ok length",
		},
		"prompt token ids": {
			list: []string{"45ms", ev(`{"prompt_token_ids":[` + strings.Repeat("12345,", 30_000) + `1],"choices":[{"index":0,"delta":{"content":"a"}}]}`), finish, usage(1), done, "end"},
			want: "sent 0 header 5 byte 50 token 50 visible 50 last 50 usage 50 done 50 | 18/1/16 usage 50:1 bare 50 | ok length",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := answering(append([]string{"5ms", "stream"}, c.list...)...).client(t, nil)
				if got := brief(ask(client)); got != c.want {
					t.Errorf("\ngot  %s\nwant %s", got, c.want)
				}
			})
		})
	}
}

func TestOtherFrames(t *testing.T) {
	t.Parallel()
	const events = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"
	for name, c := range map[string]struct{ answer, want string }{
		"ended by the connection":   {"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + events, "ok stop no_done"},
		"of known length":           {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 70\r\n\r\n" + events, "ok stop no_done"},
		"of another type":           {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 70\r\n\r\n" + events, "ok stop content_type no_done"},
		"of no type":                {"HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n" + events, "ok stop content_type no_done"},
		"after an early hint":       {"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 70\r\n\r\n" + events, "ok stop no_done"},
		"shorter than it said":      {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n" + events, "truncated stop"},
		"compressed":                {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nContent-Length: 70\r\n\r\n" + events, "malformed"},
		"of an identity":            {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: identity\r\nContent-Length: 70\r\n\r\n" + events, "ok stop no_done"},
		"of a redirect":             {"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://other.test/\r\nContent-Length: 0\r\n\r\n", "http_status"},
		"of status 201":             {"HTTP/1.1 201 Created\r\nContent-Type: text/event-stream\r\nContent-Length: 70\r\n\r\n" + events, "http_status"},
		"of status 204":             {"HTTP/1.1 204 No Content\r\n\r\n", "http_status"},
		"empty":                     {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 0\r\n\r\n", "truncated"},
		"that is a document":        {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n" + `{"choices":[]}`, "malformed"},
		"that is an error document": {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n" + `{"error":"no"}`, "stream_error"},
		"that is a page":            {"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 19\r\n\r\n<html>hello</html>\n", "malformed content_type"},
		"that is another protocol":  {"SSH-2.0-OpenSSH_9.6\r\n", "malformed"},
		"with a bad chunk":          {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := &peer{script: func(w *wire) {
					if w.request() {
						w.play("raw "+c.answer, "close")
					}
				}}
				r := ask(p.client(t, nil))
				_, got, _ := strings.Cut(brief(r), " | ")
				_, got, _ = strings.Cut(got, " | ")
				if got != c.want {
					t.Errorf("got %s, want %s (%s)", got, c.want, r.Error)
				}
				if p.conns() != 1 || r.Resent != 0 {
					t.Errorf("%d connections, sent again %d times", p.conns(), r.Resent)
				}
			})
		})
	}
}

func TestKeepText(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := answering("stream", think("hm"), say(`one \ud83d`), say(`\ude00 \"two\"\n`), finish, done, "end").client(t, nil)
		for range 2 { // the second over the same buffers
			r := c.Send(t.Context(), time.Now(), loadgen.Request{Body: []byte("{}"), KeepText: true})
			if want := "one 😀 \"two\"\n"; r.Text != want || r.Outcome != loadgen.OK {
				t.Errorf("got %q, %s; want %q", r.Text, r.Outcome, want)
			}
		}
		if r := ask(c); r.Text != "" {
			t.Errorf("kept %q, which nobody asked for", r.Text)
		}
	})
}
