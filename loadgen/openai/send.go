package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/sse"
)

// Send implements [loadgen.Sender]. Sent is the moment of the last sending when
// the request was sent twice. A limit of Options gives the outcome Timeout; the
// time to connect is no such limit: without a connection the outcome is Connect.
//
// An answer is OK when it has the status 200, a finish reason that is no error,
// and a proper end. One that goes on far beyond the tokens or bytes that it may
// have is cut off and Malformed.
func (c *Client) Send(ctx context.Context, origin time.Time, r loadgen.Request) loadgen.Result {
	const u = loadgen.Unknown
	res := loadgen.Result{
		Sent: u, Header: u, FirstByte: u, FirstToken: u, FirstVisible: u, LastToken: u, Done: u, Usage: u,
		PromptTokens: u, CompletionTokens: u, CachedTokens: u,
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer within(c.options.Timeout, cancel, "no complete answer")()

	x := exchange{client: c, request: r, origin: origin, res: &res, cancel: cancel}
	x.run(ctx)
	res.Error = c.secrets.clean(res.Error, false)
	res.Finish = c.secrets.clean(res.Finish, false)
	res.Done = time.Since(origin)
	return res
}

// An exchange is one request and its answer.
type exchange struct {
	client  *Client
	request loadgen.Request
	origin  time.Time
	res     *loadgen.Result
	cancel  context.CancelCauseFunc
}

// run sends the request and reads the answer.
func (x *exchange) run(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		x.fail(ctx, err, nil, false)
		return
	}
	l := x.client.pool.take()
	x.res.Reused = l != nil
	for {
		if l == nil {
			var err error
			if l, err = x.client.pool.dial(ctx); err != nil {
				x.fail(ctx, err, nil, false)
				return
			}
		}
		resp, err := x.roundTrip(ctx, l)
		if err == nil {
			x.read(ctx, l, resp)
			return
		}
		l.close()
		answered := l.answered.Load() != none
		if !x.res.Reused || answered || ctx.Err() != nil || isTimeout(err) {
			x.fail(ctx, err, l.conn, answered)
			return
		}
		// The connection was dead before the server saw the request.
		x.res.Reused, x.res.Resent, l = false, 1, nil
	}
}

// fail notes an error of sending or reading.
func (x *exchange) fail(ctx context.Context, err error, conn *stampedConn, answered bool) {
	outcome, why := classify(ctx, err, conn, answered)
	x.res.Outcome, x.res.Error = outcome, why.Error()
}

// roundTrip sends the request over l and waits for the header of the answer.
func (x *exchange) roundTrip(ctx context.Context, l *link) (*http.Response, error) {
	req := x.client.send.WithContext(l.begin(ctx))
	if len(x.request.Body) > 0 {
		// No GetBody: without it nothing can send the body a second time.
		req.Body = io.NopCloser(bytes.NewReader(x.request.Body))
		req.ContentLength = int64(len(x.request.Body))
	}
	resp, err := l.http.RoundTrip(req)
	if at, ok := l.conn.writtenAt(); ok {
		x.res.Sent = at.Sub(x.origin)
	}
	if n := l.answered.Load(); n != none {
		x.res.Header = l.conn.base.Add(time.Duration(n)).Sub(x.origin)
	}
	return resp, err
}

// read reads the answer and gives the connection back.
func (x *exchange) read(ctx context.Context, l *link, resp *http.Response) {
	x.res.Status = resp.StatusCode
	b := &body{src: resp.Body, conn: l.conn, left: x.most()}
	clean := false
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); {
	case resp.StatusCode != http.StatusOK:
		clean = x.readRefusal(b, resp.Status)
	case resp.Header.Get("Content-Encoding") != "" && resp.Header.Get("Content-Encoding") != "identity":
		x.res.Outcome, x.res.Error = loadgen.Malformed, "the answer is compressed, which nobody asked for: "+resp.Header.Get("Content-Encoding")
	case kind == "application/json" || kind == "application/problem+json":
		clean = x.readDocument(b)
	default:
		clean = x.readStream(ctx, b, kind)
	}
	if !b.first.IsZero() {
		x.res.FirstByte = b.first.Sub(x.origin)
	}
	if clean {
		x.client.pool.put(l)
		return
	}
	l.close()
	resp.Body.Close() //nolint:errcheck // closed already
}

// most returns how many bytes of the answer are read at most.
func (x *exchange) most() int64 {
	if n := x.client.options.MaxBytes; n > 0 {
		return n
	}
	return 4<<20 + 4<<10*int64(max(x.request.PromptTokens, 0)+max(x.request.OutputTokens, 0))
}

// readStream reads an answer of events. It reports whether all of it has been read.
func (x *exchange) readStream(ctx context.Context, b *body, kind string) bool {
	buf := x.client.buffers.Get().(*buffer)
	defer x.client.buffers.Put(buf)
	b.watch(x.client.options.StallTimeout, x.cancel)
	defer func() { b.dog.stop() }()

	events := buf.events
	events.Reset(b, b.now)
	a := &answer{
		res: x.res, origin: x.origin, secrets: x.client.secrets,
		want: x.request.OutputTokens, keep: x.request.KeepText, text: buf.text[:0],
	}
	if kind != "text/event-stream" {
		a.note(NoteContentType)
	}
	err := a.readFrom(events)
	clean := errors.Is(err, io.EOF)
	if err == nil && !a.overlong {
		clean = x.drain(events)
		if ctx.Err() != nil && a.done && !a.failed {
			a.note(NoteHeldOpen)
		}
	}
	if !a.failed {
		x.judge(ctx, a, err, b.conn, events.Stray())
	}
	a.settle()
	buf.text = a.text
	return clean
}

// readFrom reads events until one ends the answer, or there are no more.
func (a *answer) readFrom(events *sse.Reader) error {
	for {
		e, err := events.Next()
		if err != nil {
			return err
		}
		if !a.event(e) {
			return nil
		}
	}
}

// drain reads what comes after the end of the answer, so that the connection can
// be used again. It reports whether it did not take too long.
func (x *exchange) drain(events *sse.Reader) bool {
	defer within(x.client.options.DrainTimeout, x.cancel, "no end of the body")()
	for {
		if _, err := events.Next(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// judge gives the outcome of a stream in which nothing said that it failed. err is
// nil when [DONE] came.
func (x *exchange) judge(ctx context.Context, a *answer, err error, conn *stampedConn, stray []byte) {
	said := ""
	if len(stray) > 0 {
		said = ": " + x.client.secrets.clean(string(stray), true)
	}
	switch {
	case saysError(stray):
		a.fail(loadgen.StreamError, said[len(": "):])
	case err != nil && !errors.Is(err, io.EOF):
		outcome, why := classify(ctx, err, conn, true)
		a.fail(outcome, why.Error()+said)
	case a.events == 0 && len(stray) > 0:
		a.fail(loadgen.Malformed, "the answer is no stream of events"+said)
	case a.res.Finish == "":
		a.fail(loadgen.Truncated, "the stream ended without a finish reason"+said)
	default:
		a.res.Outcome = loadgen.OK
		if !a.done {
			a.note(NoteNoDone)
		}
	}
}

// saysError reports whether a line outside of all events is an error in JSON, as
// some servers write it when an exception ends a stream.
func saysError(stray []byte) bool {
	for line := range bytes.Lines(stray) {
		if c, err := decode(line); err == nil && c.failed {
			return true
		}
	}
	return false
}

// readRefusal reads an answer whose status is not 200.
func (x *exchange) readRefusal(b *body, status string) bool {
	text, clean := x.readText(b)
	x.res.Outcome, x.res.Error = loadgen.HTTPStatus, text
	if text == "" {
		x.res.Error = status
	}
	return clean
}

// readDocument reads an answer with the status 200 that is one JSON value.
func (x *exchange) readDocument(b *body) bool {
	text, clean := x.readText(b)
	x.res.Outcome, x.res.Error = loadgen.Malformed, "the answer is a document and no stream: "+text
	if chunk, err := decode([]byte(text)); err == nil && chunk.failed {
		x.res.Outcome, x.res.Error = loadgen.StreamError, text
	}
	return clean
}

// textSize is how much is read of an answer that is no stream.
const textSize = 64 << 10

// readText reads a short answer, without the key, and reports whether that was all.
func (x *exchange) readText(b *body) (text string, all bool) {
	defer within(x.client.options.DrainTimeout, x.cancel, "no end of the body")()
	data, err := io.ReadAll(io.LimitReader(b, textSize))
	if err == nil {
		var n int
		n, err = b.Read(make([]byte, 1))
		all = n == 0 && errors.Is(err, io.EOF)
	}
	return x.client.secrets.clean(string(data), !all), all
}
