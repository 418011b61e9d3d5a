package openai

import (
	"context"
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

	buf := c.buffers.Get().(*buffer)
	defer c.buffers.Put(buf)
	x := exchange{client: c, request: r, origin: origin, res: &res, cancel: cancel, buffer: buf}
	x.run(ctx)
	res.Error = c.secrets.clean(res.Error)
	res.Finish = c.secrets.clean(res.Finish)
	res.Done = time.Since(origin)
	return res
}

// A buffer is what an exchange needs room for, to be used again.
type buffer struct {
	in     []byte // from the connection
	head   []byte // of the answer
	out    []byte // the request, when it is short
	text   []byte // of the answer
	events *sse.Reader
}

// readSize is the most that one read brings. The reader of events has room for more,
// so that it sees what one read brought as one.
const readSize = 8 << 10

func newBuffer() *buffer {
	return &buffer{in: make([]byte, readSize), events: sse.NewReader(nil, nil)}
}

// An exchange is one request and its answer.
type exchange struct {
	client  *Client
	request loadgen.Request
	origin  time.Time
	res     *loadgen.Result
	cancel  context.CancelCauseFunc
	*buffer
}

// run sends the request and reads the answer: over an open connection if there is
// one, and over a new one if that is dead.
func (x *exchange) run(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		x.fail(ctx, err, false)
		return
	}
	if l := x.client.pool.take(); l != nil {
		x.res.Reused = true
		if x.exchangeOn(ctx, l) {
			return
		}
		x.res.Reused, x.res.Resent = false, 1
	}
	l, err := x.client.dialler.link(ctx)
	if err != nil {
		x.fail(ctx, err, false)
		return
	}
	x.exchangeOn(ctx, l)
}

// fail notes an error of sending or reading.
func (x *exchange) fail(ctx context.Context, err error, answered bool) {
	outcome, why := classify(ctx, err, answered)
	x.res.Outcome, x.res.Error = outcome, why.Error()
}

// exchangeOn sends the request on l and reads the answer. It closes l and returns
// false when l was open before and is dead: no byte of an answer has come, so the
// request may go out once more on a new connection.
func (x *exchange) exchangeOn(ctx context.Context, l *link) bool {
	release := context.AfterFunc(ctx, func() {
		l.conn.SetDeadline(time.Unix(1, 0)) //nolint:errcheck // ends what waits; a closed connection does so itself
	})
	now := time.Now()
	t := &tap{conn: l.conn, clock: l.clock, buf: x.in, base: now, last: now}
	s := &sending{base: now}
	x.out = s.start(l.conn, x.client.head, x.request.Body, x.out)
	resp, err := x.header(t, s) //nolint:bodyclose // resp is a head, its body is read from t
	if err == nil {
		clean := x.read(ctx, t, resp)
		if release() && clean && s.finished() && s.err == nil {
			x.client.pool.put(l)
			return true
		}
		l.close()
		s.wait()
		return true
	}
	release()
	l.close()
	s.wait()
	answered := x.res.Header != loadgen.Unknown
	if x.res.Reused && !answered && ctx.Err() == nil {
		return false
	}
	x.fail(ctx, err, answered)
	return true
}

// header waits for the head of the answer.
func (x *exchange) header(t *tap, s *sending) (resp *http.Response, err error) {
	defer within(x.client.options.HeaderTimeout, x.cancel, "no header of the answer")()
	if s.finished() && s.err != nil {
		// The other side has closed the connection. It may have said why before.
		t.conn.SetReadDeadline(time.Now().Add(time.Second)) //nolint:errcheck // a closed connection ends the read by itself
	}
	t.onFirst = func() { x.res.Header = t.last.Sub(x.origin) }
	resp, x.head, err = t.head(x.head)
	if at, ok := s.began(); ok {
		x.res.Sent = at.Sub(x.origin)
	}
	return resp, err
}
