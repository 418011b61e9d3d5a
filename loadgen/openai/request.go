package openai

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// requestHead returns the head of a request up to the value of Content-Length.
func requestHead(target *url.URL, header http.Header) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "POST %s HTTP/1.1\r\nHost: %s\r\n", target.RequestURI(), target.Host)
	header.Write(&b) //nolint:errcheck // a Builder takes all
	b.WriteString("Content-Length: ")
	return []byte(b.String())
}

// atOnce is the most bytes that are written before anything is read. A longer
// request is written while the answer is awaited: a server that refuses it need
// not read it to its end.
const atOnce = 32 << 10

// A sending is a request that is being written.
type sending struct {
	begin atomic.Int64 // nanoseconds after base; none before
	base  time.Time
	done  chan struct{} // closed when no more is written; nil when that was so at once
	err   error         // of writing, when done
}

// none is a moment that has not come.
const none = -1

// start writes a request to conn, in buf as far as it is short. The time is taken
// just before the first byte.
func (s *sending) start(conn net.Conn, head, body, buf []byte) []byte {
	s.begin.Store(none)
	buf = append(buf[:0], head...)
	buf = strconv.AppendInt(buf, int64(len(body)), 10)
	buf = append(buf, "\r\n\r\n"...)
	if len(body) <= atOnce {
		buf = append(buf, body...)
		s.begin.Store(int64(time.Since(s.base)))
		_, s.err = conn.Write(buf)
		return buf
	}
	s.done = make(chan struct{})
	go func() {
		defer close(s.done)
		s.begin.Store(int64(time.Since(s.base)))
		_, s.err = (&net.Buffers{buf, body}).WriteTo(conn)
	}()
	return buf
}

// began returns when the first byte was written, and whether it was.
func (s *sending) began() (time.Time, bool) {
	n := s.begin.Load()
	return s.base.Add(time.Duration(n)), n != none
}

// finished reports whether nothing is being written any more.
func (s *sending) finished() bool {
	if s.done == nil {
		return true
	}
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// wait waits until nothing is written any more.
func (s *sending) wait() {
	if s.done != nil {
		<-s.done
	}
}
