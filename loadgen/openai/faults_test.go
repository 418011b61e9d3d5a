package openai

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
)

// TestFaults: every way to fail gives its outcome, in bounded time, and leaves no
// goroutine: the bubble would not end. The client waits 10 s in all, 2 s for the
// header and 1 s between two reads.
func TestFaults(t *testing.T) {
	t.Parallel()
	oops := `{"error":{"message":"out of memory","type":"server_error","code":500}}`
	for name, c := range map[string]struct {
		steps   []string
		outcome loadgen.Outcome
		status  int
		chunks  int
		done    time.Duration
		says    string // in Error
	}{
		"closed before the answer":  {[]string{"7ms", "close"}, loadgen.Connect, 0, 0, 7 * time.Millisecond, "EOF"},
		"closed in the header":      {[]string{"raw HTTP/1.1 200 OK\r\nContent-", "7ms", "close"}, loadgen.Truncated, 0, 0, 7 * time.Millisecond, "ended too early"},
		"closed after the header":   {[]string{"stream", "close"}, loadgen.Truncated, 200, 0, 0, "EOF"},
		"closed after two chunks":   {[]string{"stream", say("a"), "9ms", say("b"), "close"}, loadgen.Truncated, 200, 2, 9 * time.Millisecond, "EOF"},
		"closed in a chunk":         {[]string{"stream", say("a"), `data: {"choices":[{"index":0,"del`, "close"}, loadgen.Truncated, 200, 1, 0, "EOF"},
		"closed after the finish":   {[]string{"stream", say("a"), finish, "close"}, loadgen.Truncated, 200, 1, 0, "EOF"},
		"ended without a finish":    {[]string{"stream", say("a"), "end"}, loadgen.Truncated, 200, 1, 0, "without a finish reason"},
		"[DONE] without a finish":   {[]string{"stream", say("a"), done, "end"}, loadgen.Truncated, 200, 1, 0, "without a finish reason"},
		"usage without a finish":    {[]string{"stream", say("a"), usage(1), done, "end"}, loadgen.Truncated, 200, 1, 0, "without a finish reason"},
		"ended in an event":         {[]string{"stream", say("a"), `data: {"choices":[{"index":0,"del`, "end"}, loadgen.Truncated, 200, 1, 0, "without a finish reason"},
		"empty stream":              {[]string{"stream", "end"}, loadgen.Truncated, 200, 0, 0, "without a finish reason"},
		"no header":                 {[]string{"hold"}, loadgen.Timeout, 0, 0, 2 * time.Second, "no header of the answer within 2s"},
		"half a header":             {[]string{"raw HTTP/1.1 200 OK\r\n", "hold"}, loadgen.Timeout, 0, 0, 2 * time.Second, "no header of the answer within 2s"},
		"stalled":                   {[]string{"stream", say("a"), "hold"}, loadgen.Timeout, 200, 1, time.Second, "no byte of the answer within 1s"},
		"stalled after a while":     {[]string{"stream", say("a"), "900ms", say("b"), "900ms", say("c"), "hold"}, loadgen.Timeout, 200, 3, 2800 * time.Millisecond, "no byte of the answer within 1s"},
		"stalled after the finish":  {[]string{"stream", say("a"), finish, "hold"}, loadgen.Timeout, 200, 1, time.Second, "no byte of the answer within 1s"},
		"prefill longer than stall": {[]string{"1s", "stream", "5s", say("a"), finish, done, "end"}, loadgen.OK, 200, 1, 6 * time.Second, ""},
		"only header":               {[]string{"stream", "hold"}, loadgen.Timeout, 200, 0, 10 * time.Second, "no complete answer within 10s"},
		"only comments":             {append([]string{"stream"}, repeat(100, ": ping\n\n", "500ms")...), loadgen.Timeout, 200, 0, 10 * time.Second, "no complete answer within 10s"},
		"slow drip":                 {append([]string{"stream"}, repeat(100, "x", "990ms")...), loadgen.Timeout, 200, 0, 10 * time.Second, "no complete answer within 10s"},
		"never ends":                {append([]string{"stream"}, repeat(10_000, say("a"), "1ms")...), loadgen.Malformed, 200, 21, 20 * time.Millisecond, "cut off after 21 tokens: the server was asked for 4"},
		"never ends, many tokens":   {append([]string{"stream"}, repeat(10_000, ids("a", "1,2,3,4,5,6,7"), "1ms")...), loadgen.Malformed, 200, 3, 2 * time.Millisecond, "cut off after 21 tokens"},
		"never ends, no tokens":     {append([]string{"stream"}, repeat(40, ": "+strings.Repeat("x", 256<<10)+"\n", "1ms")...), loadgen.Malformed, 200, 0, 16 * time.Millisecond, "larger than allowed"},
		"one endless line":          {append([]string{"stream"}, repeat(40, strings.Repeat("x", 256<<10), "1ms")...), loadgen.Malformed, 200, 0, 16 * time.Millisecond, "larger than allowed"},
		"a few tokens too many":     {append(append([]string{"stream"}, repeat(20, say("a"))...), finish, done, "end"), loadgen.OK, 200, 20, 0, ""},
		"refused":                   {[]string{"status 429", `{"error":{"message":"slow down"}}`, "end"}, loadgen.HTTPStatus, 429, 0, 0, `{"error":{"message":"slow down"}}`},
		"refused without a word":    {[]string{"status 503", "end"}, loadgen.HTTPStatus, 503, 0, 0, "503 Because"},
		"refused at length":         {[]string{"status 500", strings.Repeat("long ", 40_000), "end"}, loadgen.HTTPStatus, 500, 0, 0, "long long "},
		"refused and held":          {[]string{"status 500", "oh", "hold"}, loadgen.HTTPStatus, 500, 0, time.Second, "oh"},
		"refused and cut":           {[]string{"status 500", "oh", "close"}, loadgen.HTTPStatus, 500, 0, 0, "oh"},
		"error event":               {[]string{"stream", say("a"), ev(oops), done, "end"}, loadgen.StreamError, 200, 1, 0, oops},
		"error event, then held":    {[]string{"stream", say("a"), ev(oops), "hold"}, loadgen.StreamError, 200, 1, time.Second, oops},
		"error event, then cut":     {[]string{"stream", say("a"), ev(oops), "close"}, loadgen.StreamError, 200, 1, 0, oops},
		"error as text":             {[]string{"stream", say("a"), ev(`{"error":"boom"}`), "end"}, loadgen.StreamError, 200, 1, 0, `{"error":"boom"}`},
		"error object":              {[]string{"stream", ev(`{"object":"error","message":"boom","code":400}`), done, "end"}, loadgen.StreamError, 200, 0, 0, "boom"},
		"event of type error":       {[]string{"stream", say("a"), "event: error\ndata: boom\n\n", "end"}, loadgen.StreamError, 200, 1, 0, "boom"},
		"error field":               {[]string{"stream", say("a"), "error: {\"code\":500}\n\n", "end"}, loadgen.StreamError, 200, 1, 0, `{"code":500}`},
		"error in the finish":       {[]string{"stream", say("a"), ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}`), done, "end"}, loadgen.StreamError, 200, 1, 0, `"finish_reason":"error"`},
		"aborted":                   {[]string{"stream", say("a"), ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"abort"}]}`), done, "end"}, loadgen.StreamError, 200, 1, 0, "abort"},
		"error after the finish":    {[]string{"stream", say("a"), finish, ev(oops), done, "end"}, loadgen.StreamError, 200, 1, 0, oops},
		"bad JSON":                  {[]string{"stream", say("a"), ev(`{"choices":[}`), say("b"), finish, done, "end"}, loadgen.Malformed, 200, 1, 0, `{"choices":[}`},
		"no JSON":                   {[]string{"stream", say("a"), ev(`Internal Server Error`), "end"}, loadgen.Malformed, 200, 1, 0, "Internal Server Error"},
		"JSON of another kind":      {[]string{"stream", ev(`{"choices":"none"}`), finish, done, "end"}, loadgen.Malformed, 200, 0, 0, `{"choices":"none"}`},
		"error without a frame":     {[]string{"stream", say("a"), oops + "\n", "end"}, loadgen.StreamError, 200, 1, 0, oops},
		"error frame missing, cut":  {[]string{"stream", say("a"), oops + "\n", "close"}, loadgen.StreamError, 200, 1, 0, oops},
		"no frame":                  {[]string{"stream", `{"detail":"model not loaded"}`, "end"}, loadgen.Malformed, 200, 0, 0, "model not loaded"},
		"no frame after a chunk":    {[]string{"stream", say("a"), "Traceback (most recent call last)\n", "end"}, loadgen.Truncated, 200, 1, 0, "Traceback"},
		"bad chunk length":          {[]string{"stream", say("a"), "raw zz\r\n", "hold"}, loadgen.Malformed, 200, 1, 0, "chunk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := answering(c.steps...).client(t, func(o *Options) {
					o.Timeout, o.HeaderTimeout, o.StallTimeout = 10*time.Second, 2*time.Second, time.Second
				})
				for range 2 { // the second finds the client as good as new
					r := ask(client)
					if r.Outcome != c.outcome || r.Status != c.status || r.Chunks != c.chunks || r.Done != c.done {
						t.Errorf("got %s, status %d, %d chunks in %v; want %s, %d, %d in %v\n%s", r.Outcome, r.Status, r.Chunks, r.Done, c.outcome, c.status, c.chunks, c.done, r.Error)
					}
					if !strings.Contains(r.Error, c.says) || (c.says == "") != (r.Error == "") || len(r.Error) > 2048 {
						t.Errorf("says %q, want %q in it", r.Error, c.says)
					}
					if whole := slices.Contains(c.steps, "end") && name != "refused at length" || r.Status == 0; r.Broken == whole {
						t.Errorf("broken %t", r.Broken)
					}
					if r.Resent != 0 && name != "closed before the answer" {
						t.Errorf("sent again %d times", r.Resent)
					}
				}
			})
		})
	}
}

// repeat returns steps n times.
func repeat(n int, steps ...string) []string {
	var out []string
	for range n {
		out = append(out, steps...)
	}
	return out
}

func TestDialFaults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &peer{bad: errRefused}
		r := ask(p.client(t, nil))
		if got, want := brief(r), "sent - header - byte - token - visible - last - usage - done 0 | -/-/-  | connect"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if r.Error != "connection refused" || r.Status != 0 {
			t.Errorf("says %q, status %d", r.Error, r.Status)
		}
	})
}

// TestContext: the run's own context ends a request at every stage.
func TestContext(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]string{
		"header":  {"hold"},
		"body":    {"stream", say("a"), "hold"},
		"refusal": {"status 500", "hold"},
	} {
		for how, c := range map[string]struct {
			end     func(context.Context) (context.Context, context.CancelFunc)
			outcome loadgen.Outcome
		}{
			"deadline": {func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, 300*time.Millisecond)
			}, loadgen.Timeout},
			"cancelled": {func(ctx context.Context) (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(ctx)
				time.AfterFunc(300*time.Millisecond, cancel)
				return ctx, cancel
			}, loadgen.Cancelled},
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := c.end(t.Context())
					defer cancel()
					client := answering(steps...).client(t, nil)
					r := client.Send(ctx, time.Now(), loadgen.Request{Body: []byte("{}")})
					want := c.outcome
					if name == "refusal" {
						want = loadgen.HTTPStatus // it has said what it had to say
					}
					if r.Outcome != want || r.Done != 300*time.Millisecond {
						t.Errorf("got %s after %v: %s", r.Outcome, r.Done, r.Error)
					}
				})
			})
		}
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p := answering("stream")
		client := p.client(t, nil)
		if r := client.Send(ctx, time.Now(), loadgen.Request{Body: []byte("{}")}); r.Outcome != loadgen.Cancelled || r.Sent != loadgen.Unknown {
			t.Errorf("got %s, sent at %v", r.Outcome, r.Sent)
		}
	})
}

// TestDialTimeout: a server that does not answer the dial is no connection.
func TestDialTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p peer
		client := p.client(t, func(o *Options) {
			o.DialContext = silentDial
			o.DialTimeout = 3 * time.Second
		})
		r := ask(client)
		if r.Outcome != loadgen.Connect || r.Done != 3*time.Second {
			t.Errorf("got %s after %v: %s", r.Outcome, r.Done, r.Error)
		}
	})
}

// TestLimitsOfBytes: the limit grows with what the request may bring.
func TestLimitsOfBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		big := ev(fmt.Sprintf(`{"x":"%s"}`, strings.Repeat("x", 5<<20)))
		p := answering("stream", big, say("a"), finish, done, "end")
		for _, c := range []struct {
			tokens int
			most   int64
			want   loadgen.Outcome
		}{
			{4, 0, loadgen.Malformed},
			{1000, 0, loadgen.OK},
			{1000, 1 << 20, loadgen.Malformed},
			{4, 1 << 30, loadgen.OK},
		} {
			client := p.client(t, func(o *Options) { o.MaxBytes = c.most })
			r := client.Send(t.Context(), time.Now(), loadgen.Request{Body: []byte("{}"), OutputTokens: c.tokens})
			if r.Outcome != c.want {
				t.Errorf("%d tokens, limit %d: got %s, want %s", c.tokens, c.most, r.Outcome, c.want)
			}
		}
	})
}
