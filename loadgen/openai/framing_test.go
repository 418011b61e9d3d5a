package openai

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strings"
	"testing"
	"time"
)

// A canned connection brings bytes in reads of given lengths, again from the first
// when they are used up, and then its end. It counts its reads.
type canned struct {
	net.Conn
	in    []byte
	cuts  []byte
	reads int
	err   error // the end, io.EOF when nil
}

func (c *canned) Read(p []byte) (int, error) {
	if len(c.in) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		return 0, io.EOF
	}
	most := len(p)
	if len(c.cuts) > 0 {
		most = max(int(c.cuts[c.reads%len(c.cuts)]), 1)
	}
	c.reads++
	n := copy(p[:min(most, len(p))], c.in)
	c.in = c.in[n:]
	return n, nil
}

// readAnswer reads a head and a body from c.
func readAnswer(c *canned) (status int, data []byte, b *body, err error) {
	t := &tap{conn: c, buf: make([]byte, 64), base: time.Now()}
	resp, _, err := t.head(nil)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	b = newBody(t, resp, 1<<20)
	data, err = io.ReadAll(b)
	return resp.StatusCode, data, b, err
}

const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

func TestFraming(t *testing.T) {
	t.Parallel()
	broken := errors.New("any protocolError")
	for name, c := range map[string]struct {
		in    string
		want  string
		whole bool
		err   error // nil, io.ErrUnexpectedEOF, or broken for any protocolError
	}{
		"chunks":              {chunkedHead + "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", "abc0123456789", true, nil},
		"capitals and zeros":  {chunkedHead + "00a\r\n0123456789\r\n000\r\n\r\n", "0123456789", true, nil},
		"extensions":          {chunkedHead + "3;a=b;c=\"d\"\r\nabc\r\n3 \r\nabc\r\n0;x\r\n\r\n", "abcabc", true, nil},
		"trailers":            {chunkedHead + "3\r\nabc\r\n0\r\nA: b\r\nCc: d\r\n\r\n", "abc", true, nil},
		"empty":               {chunkedHead + "0\r\n\r\n", "", true, nil},
		"something after it":  {chunkedHead + "1\r\na\r\n0\r\n\r\nHTTP", "a", false, nil},
		"length":              {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "abc", true, nil},
		"length and more":     {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd", "abc", false, nil},
		"length 0":            {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", true, nil},
		"until the end":       {"HTTP/1.0 200 OK\r\n\r\nabc", "abc", false, nil},
		"bare line ends":      {"HTTP/1.1 200 OK\nContent-Length: 3\n\nabc", "abc", true, nil},
		"hints":               {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", "a", true, nil},
		"no body":             {"HTTP/1.1 204 No Content\r\n\r\n", "", true, nil},
		"switched":            {"HTTP/1.1 101 Switching Protocols\r\n\r\n", "", true, nil},
		"short":               {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", "abc", false, io.ErrUnexpectedEOF},
		"cut in data":         {chunkedHead + "5\r\nabc", "abc", false, io.ErrUnexpectedEOF},
		"cut after data":      {chunkedHead + "3\r\nabc", "abc", false, io.ErrUnexpectedEOF},
		"cut in a size":       {chunkedHead + "3\r\nabc\r\n1", "abc", false, io.ErrUnexpectedEOF},
		"cut in the trailer":  {chunkedHead + "3\r\nabc\r\n0\r\n", "abc", false, io.ErrUnexpectedEOF},
		"no size":             {chunkedHead + "\r\nabc\r\n", "", false, broken},
		"no number":           {chunkedHead + "x\r\n", "", false, broken},
		"negative":            {chunkedHead + "-1\r\n", "", false, broken},
		"too large":           {chunkedHead + strings.Repeat("f", 16) + "\r\n", "", false, broken},
		"longer than it said": {chunkedHead + "3\r\nabcd\r\n", "abc", false, broken},
		"LF after a size":     {chunkedHead + "3\nabc\r\n", "", false, broken},
		"CR without LF":       {chunkedHead + "3\rabc\r\n", "", false, broken},
		"LF after data":       {chunkedHead + "3\r\nabc\n", "abc", false, broken},
		"LF in an extension":  {chunkedHead + "3;a\nabc\r\n", "", false, broken},
		"long extension":      {chunkedHead + "3;" + strings.Repeat("x", 5000) + "\r\nabc\r\n0\r\n\r\n", "", false, broken},
		"LF in the trailer":   {chunkedHead + "0\r\nA: b\n\r\n", "", false, broken},
	} {
		for _, cuts := range [][]byte{nil, {1}, {2}, {3, 1, 7}, {64}} {
			conn := &canned{in: []byte(c.in), cuts: cuts}
			status, data, b, err := readAnswer(conn)
			_, isProtocol := errors.AsType[protocolError](err)
			same := errors.Is(err, c.err) || isProtocol && errors.Is(c.err, broken)
			if status < 101 || string(data) != c.want || !same || err == nil && len(conn.in) == 0 && b.whole() != c.whole {
				t.Errorf("%s, cut by %v: %d %q, %v; want %q, %v", name, cuts, status, data, err, c.want, c.err)
			}
		}
	}
}

func TestBrokenHeads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    string
		waits bool // for more after these bytes
	}{
		"another protocol":  {"SSH-2.0-OpenSSH\r\n", false},
		"another letter":    {"X", false},
		"HTTP/2":            {"HTTP/2 200\r\n\r\n", false},
		"status":            {"HTTP/1.1 abc\r\n\r\n", false},
		"no colon":          {"HTTP/1.1 200 OK\r\nhello\r\n\r\n", false},
		"two lengths":       {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", false},
		"unknown encoding":  {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", false},
		"endless":           {"HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 300<<10), false},
		"cut in its prefix": {"HTT", true},
		"cut":               {"HTTP/1.1 200 OK\r\nA: b\r\n", true},
		"nothing":           {"", true},
	} {
		more := errors.New("reset")
		_, _, _, err := readAnswer(&canned{in: []byte(c.in), err: more})
		_, isProtocol := errors.AsType[protocolError](err)
		if isProtocol == c.waits || c.waits && !errors.Is(err, more) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// TestNothingIsHeldBack: what has arrived of a chunk is there to be read, and so
// is the chunk before it, while the rest has not come.
func TestNothingIsHeldBack(t *testing.T) {
	t.Parallel()
	c := &canned{in: []byte(chunkedHead + "3\r\nabc\r\n6\r\ndef"), err: errors.New("would wait")}
	tp := &tap{conn: c, buf: make([]byte, 4096)}
	resp, _, err := tp.head(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b := newBody(tp, resp, 100)
	p := make([]byte, 100)
	if n, err := b.Read(p); string(p[:n]) != "abcdef" || err != nil {
		t.Errorf("got %q, %v", p[:n], err)
	}

	// What it is compared with: this is why it is here. The day net/http gives
	// what it has, this fails, and the reader of bodies can go.
	c = &canned{in: []byte("3\r\nabc\r\n6\r\ndef"), err: errors.New("would wait")}
	if n, err := httputil.NewChunkedReader(c).Read(p); err == nil {
		t.Errorf("net/http gave %q without waiting", p[:n])
	}
}

// FuzzFraming: any bytes in chunks of any size, in reads of any size, come out as
// they went in; and what is no answer ends with an error and not with a crash.
func FuzzFraming(f *testing.F) {
	f.Add([]byte("data: a\n\ndata: b\n\n"), []byte{1}, []byte{3})
	f.Add([]byte(strings.Repeat("x", 300)), []byte{255, 1}, []byte{64, 1})
	f.Add([]byte{}, []byte{}, []byte{})
	f.Add([]byte("0\r\n\r\n"), []byte{2}, []byte{1, 2, 3})
	f.Add([]byte("0\t;\r\n\r\n"), []byte("0"), []byte{1, 2, 3})
	f.Add([]byte("0\t!\r\n\r\n"), []byte("0"), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, data, sizes, cuts []byte) {
		var wire bytes.Buffer
		wire.WriteString(chunkedHead)
		for rest, i := data, 0; len(rest) > 0; i++ {
			n := len(rest)
			if len(sizes) > 0 {
				n = min(n, max(int(sizes[i%len(sizes)]), 1))
			}
			fmt.Fprintf(&wire, "%x\r\n%s\r\n", n, rest[:n])
			rest = rest[n:]
		}
		wire.WriteString("0\r\n\r\n")
		_, got, b, err := readAnswer(&canned{in: wire.Bytes(), cuts: cuts})
		if err != nil || !bytes.Equal(got, data) || !b.whole() {
			t.Errorf("got %q, %v; want %q", got, err, data)
		}
		_, got, _, err = readAnswer(&canned{in: append([]byte(chunkedHead), data...), cuts: cuts})
		if err == nil {
			// It happens to be in chunks: net/http must agree.
			want, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(data)))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%q: got %q; net/http %q, %v", data, got, want, err)
			}
		}
		readAnswer(&canned{in: data, cuts: cuts}) // it only must not crash
	})
}
