package openai

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// A protocolError says that what came is not HTTP.
type protocolError string

func (e protocolError) Error() string { return "the answer is not HTTP/1.1: " + string(e) }

// A tap reads from a connection and knows when what it holds arrived. All that it
// holds came with one read: it reads again only when it is empty, and it hands
// over what it has without waiting for more. net/http does not: it holds back the
// part of a chunk that has arrived until the rest has.
type tap struct {
	conn  net.Conn
	clock arriver // nil: this process's
	buf   []byte
	r, w  int       // buf[r:w] has not been taken
	last  time.Time // when the bytes of the last read arrived
	base  time.Time
	seen  atomic.Int64 // last, in nanoseconds since base, for a watchdog

	onFirst func() // called when the first byte has come
}

// fill reads once and takes the time. There is something to take afterwards, or an
// error.
func (t *tap) fill() error {
	for range maxEmpty {
		n, err := t.conn.Read(t.buf)
		if t.clock != nil {
			t.last = t.clock.arrived()
		} else {
			t.last = time.Now()
		}
		t.seen.Store(int64(t.last.Sub(t.base)))
		if n > 0 {
			t.r, t.w = 0, n
			if t.onFirst != nil {
				t.onFirst()
				t.onFirst = nil
			}
			return nil // an error comes again
		}
		if err != nil {
			return err
		}
	}
	return protocolError("nothing comes, and no end")
}

// maxEmpty is how many reads in a row may bring nothing.
const maxEmpty = 100

// quiet returns how long nothing has come.
func (t *tap) quiet() time.Duration { return time.Since(t.base) - time.Duration(t.seen.Load()) }

// maxHead is the most that the head of an answer may have, in bytes.
const maxHead = 256 << 10

// head reads the head of an answer into buf and parses it. Its body stays unread;
// hints that come before are skipped.
func (t *tap) head(buf []byte) (resp *http.Response, grown []byte, err error) {
	for {
		if buf, err = t.headBytes(buf[:0]); err != nil {
			return nil, buf, err
		}
		resp, err = http.ReadResponse(bufio.NewReader(bytes.NewReader(buf)), nil)
		if err != nil {
			return nil, buf, protocolError(err.Error())
		}
		if resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp, buf, nil
		}
	}
}

// headBytes appends a head, with its blank line.
func (t *tap) headBytes(head []byte) ([]byte, error) {
	for {
		if t.r == t.w {
			if err := t.fill(); err != nil {
				return head, err
			}
		}
		old := len(head)
		head = append(head, t.buf[t.r:t.w]...)
		t.r = t.w
		if start := "HTTP/1."; string(head[:min(len(head), len(start))]) != start[:min(len(head), len(start))] {
			return head, protocolError("it begins with " + string(head))
		}
		if end := headEnd(head, max(old-3, 0)); end > 0 {
			t.r -= len(head) - end // the rest belongs to the body
			return head[:end], nil
		}
		if len(head) > maxHead {
			return head, protocolError(fmt.Sprintf("its head has more than %d KiB", maxHead>>10))
		}
	}
}

// headEnd returns the length of the head that ends at or after from, 0 when it
// does not.
func headEnd(b []byte, from int) int {
	for i := from; i < len(b); i++ {
		if b[i] != '\n' {
			continue
		}
		if bytes.HasPrefix(b[i+1:], []byte("\r\n")) {
			return i + 3
		}
		if bytes.HasPrefix(b[i+1:], []byte("\n")) {
			return i + 2
		}
	}
	return 0
}
