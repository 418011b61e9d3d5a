package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/sse"
)

// read reads an answer whose head is resp. It reports whether the connection can
// carry another.
func (x *exchange) read(ctx context.Context, t *tap, resp *http.Response) bool {
	x.res.Status = resp.StatusCode
	b := newBody(t, resp, x.allowed())
	encoding := resp.Header.Get("Content-Encoding")
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); {
	case resp.StatusCode != http.StatusOK:
		x.readRefusal(b, resp.Status)
	case encoding != "" && encoding != "identity":
		x.res.Outcome, x.res.Error = loadgen.Malformed, "the answer is compressed, which nobody asked for: "+encoding
	case kind == "application/json" || kind == "application/problem+json":
		x.readDocument(b)
	default:
		x.readStream(ctx, b, kind)
	}
	x.res.Broken = !b.ended
	if !b.first.IsZero() {
		x.res.FirstByte = b.first.Sub(x.origin)
	}
	return b.whole() && !resp.Close
}

// allowed returns how many bytes an answer may have.
func (x *exchange) allowed() int64 {
	if n := x.client.options.MaxBytes; n > 0 {
		return n
	}
	return 4<<20 + 4<<10*int64(max(x.request.PromptTokens, 0)+max(x.request.OutputTokens, 0))
}

// readStream reads an answer of events.
func (x *exchange) readStream(ctx context.Context, b *body, kind string) {
	if limit := x.client.options.StallTimeout; limit > 0 {
		var dog *watchdog
		b.onFirst = func() { dog = watch(b.tap, limit, x.cancel) }
		defer func() { dog.stop() }()
	}
	x.events.Reset(b, b.now)
	a := &answer{res: x.res, origin: x.origin, want: x.request.OutputTokens, keep: x.request.KeepText, text: x.text[:0]}
	if kind != "text/event-stream" {
		a.note(NoteContentType)
	}
	err := a.readFrom(x.events)
	if err == nil && !a.overlong {
		x.drain(x.events)
		if ctx.Err() != nil && a.done && !a.failed {
			a.note(NoteHeldOpen)
		}
	}
	if !a.failed {
		judge(ctx, a, err, x.events.Stray())
	}
	a.settle()
	x.text = a.text
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
// be used again, but not for long.
func (x *exchange) drain(events *sse.Reader) {
	defer within(x.client.options.DrainTimeout, x.cancel, "no end of the body")()
	for {
		if _, err := events.Next(); err != nil {
			return
		}
	}
}

// judge gives the outcome of a stream in which nothing said that it failed. err is
// nil when [DONE] came.
func judge(ctx context.Context, a *answer, err error, stray []byte) {
	said := ""
	if len(stray) > 0 {
		said = ": " + string(stray)
	}
	switch {
	case saysError(stray):
		a.fail(loadgen.StreamError, string(stray))
	case err != nil && !errors.Is(err, io.EOF):
		outcome, why := classify(ctx, err, true)
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
func (x *exchange) readRefusal(b *body, status string) {
	x.res.Outcome, x.res.Error = loadgen.HTTPStatus, x.readText(b)
	if x.res.Error == "" {
		x.res.Error = status
	}
}

// readDocument reads an answer with the status 200 that is one JSON value.
func (x *exchange) readDocument(b *body) {
	text := x.readText(b)
	x.res.Outcome, x.res.Error = loadgen.Malformed, "the answer is a document and no stream: "+text
	if chunk, err := decode([]byte(text)); err == nil && chunk.failed {
		x.res.Outcome, x.res.Error = loadgen.StreamError, text
	}
}

// textSize is how much is read of an answer that is no stream.
const textSize = 64 << 10

// readText reads a short answer, as much of it as comes soon.
func (x *exchange) readText(b *body) string {
	defer within(x.client.options.DrainTimeout, x.cancel, "no end of the body")()
	data, err := io.ReadAll(io.LimitReader(b, textSize))
	if err == nil && len(data) == textSize { // an end that follows lets the connection be used again
		b.Read(make([]byte, 1)) //nolint:errcheck // what matters is whether the body has ended
	}
	return string(data)
}
