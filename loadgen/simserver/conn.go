package simserver

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Limits of a request.
const (
	requestTime  = time.Minute
	requestBytes = 64 << 20
)

// A conn is one connection. Its goroutine reads; while an answer is under way it
// waits for the client to go, or for the next request.
type conn struct {
	srv       *Server
	link      link
	reader    *bufio.Reader
	scratch   []byte
	number    int
	answered  Offset      // when the last answer was sent
	use       int         // requests so far
	resetNext atomic.Bool // the next request is met by a reset
}

func newConn(s *Server, nc net.Conn) *conn {
	l := newLink(nc)
	return &conn{srv: s, link: l, reader: bufio.NewReader(l), number: int(s.conned.Add(1) - 1)}
}

// idle starts the time after which an idle connection is closed.
func (c *conn) idle() { c.link.readUntil(time.Now().Add(c.srv.config.KeepAlive)) }

// serve answers until the connection ends.
func (c *conn) serve() {
	defer c.srv.forget(c)
	defer c.link.drop()
	for {
		if _, err := c.reader.Peek(1); err != nil {
			return
		}
		arrived := c.arrived()
		if c.resetNext.Load() {
			c.link.reset()
			return
		}
		c.link.readUntil(time.Now().Add(requestTime))
		r, body, err := c.read()
		if err != nil {
			var tooBig *http.MaxBytesError
			switch {
			case errors.As(err, &tooBig):
				c.write(responseHead(nil, http.StatusRequestEntityTooLarge, "text/plain", 0, "Connection: close\r\n"))
			case !errors.Is(err, io.ErrUnexpectedEOF):
				c.write(responseHead(nil, http.StatusBadRequest, "text/plain", 0, "Connection: close\r\n"))
			}
			return
		}
		c.link.readUntil(time.Time{})
		if !c.handle(r, body, arrived) {
			return
		}
		c.use++
	}
}

// arrived returns when the request that can be read arrived. One that was sent
// ahead arrives when the answer before it has been sent.
func (c *conn) arrived() Offset {
	return min(max(c.link.received().Sub(c.srv.origin), c.answered), c.srv.now())
}

// read reads one request.
func (c *conn) read() (*http.Request, []byte, error) {
	r, err := http.ReadRequest(c.reader)
	if err != nil {
		return nil, nil, err
	}
	if r.Header.Get("Expect") == "100-continue" {
		c.write([]byte("HTTP/1.1 100 Continue\r\n\r\n"))
	}
	if r.ContentLength > requestBytes {
		return nil, nil, &http.MaxBytesError{Limit: requestBytes}
	}
	if r.ContentLength > 0 {
		body := make([]byte, r.ContentLength)
		_, err = io.ReadFull(r.Body, body)
		return r, body, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, requestBytes+1))
	if err == nil && len(body) > requestBytes {
		err = &http.MaxBytesError{Limit: requestBytes}
	}
	return r, body, err
}

// write writes an answer that is not worth a schedule.
func (c *conn) write(p []byte) bool {
	_, err := c.link.Write(p)
	return err == nil
}

// respond writes a whole answer, and reports whether the connection goes on.
func (c *conn) respond(r *http.Request, status int, contentType string, body []byte) bool {
	more := "Connection: keep-alive\r\n"
	if r.Close {
		more = "Connection: close\r\n"
	}
	c.idle()
	if r.Method == http.MethodHead {
		return c.write(responseHead(nil, status, contentType, len(body), more)) && !r.Close
	}
	return c.write(append(responseHead(nil, status, contentType, len(body), more), body...)) && !r.Close
}

// serveAnswer runs an answer to its end, and reports whether the connection goes
// on.
func (c *conn) serveAnswer(a *answer) bool {
	a.ready()
	c.srv.attach(c, a)
	a.start()
	_, err := c.reader.Peek(1)
	if err != nil {
		a.leave(signalGone)
	}
	<-a.done
	c.answered = a.wrote
	return err == nil && a.keep
}
