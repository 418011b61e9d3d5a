package openai

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// A body reads the body of an answer from a tap.
type body struct {
	tap     *tap
	chunked bool
	left    int64 // of the chunk or the body; endless when the connection's end is its end
	state   chunkState
	size    int64 // of a chunk, while its line is read
	line    int   // bytes of the line so far
	digits  int
	ended   bool

	first   time.Time // when its first byte came
	allowed int64     // bytes that may come
	onFirst func()    // called when its first byte has come
}

// endless is the length of a body that says none.
const endless = -1

// A chunkState is a place in a chunked body.
type chunkState int

const (
	inSize      chunkState = iota // in the digits of a chunk's size
	inSpace                       // after them, in white space
	inExtension                   // after a semicolon, up to the line's end
	inSizeEnd                     // after its CR
	inData
	inDataEnd   // before the CR after the data
	inDataEndLF // after it
	inTrailer   // in the lines after the last chunk
	inTrailerLF // after a line's CR
)

func newBody(t *tap, resp *http.Response, allowed int64) *body {
	b := &body{tap: t, left: resp.ContentLength, allowed: allowed}
	switch {
	case resp.Body == http.NoBody:
		b.ended = true
	case len(resp.TransferEncoding) > 0: // net/http takes no other than chunked
		b.chunked, b.left = true, 0
	}
	return b
}

// whole reports whether the body has been read to its end, and the connection is
// where the next answer would begin.
func (b *body) whole() bool { return b.ended && b.left != endless && b.tap.r == b.tap.w }

// errTooLarge says that an answer went on after its limit.
var errTooLarge = errors.New("the answer is larger than allowed")

// Read implements [io.Reader]. All that a call gives arrived at the moment that
// now tells.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.read(p)
	if n > 0 && b.first.IsZero() {
		b.first = b.tap.last
		if b.onFirst != nil {
			b.onFirst()
		}
	}
	if b.allowed -= int64(n); b.allowed < 0 && err == nil {
		err = errTooLarge
	}
	return n, err
}

// read is Read without its limit.
func (b *body) read(p []byte) (n int, err error) {
	for !b.ended && n < len(p) {
		if b.tap.r == b.tap.w {
			if n > 0 {
				return n, nil
			}
			if err := b.tap.fill(); err != nil {
				return 0, b.atEnd(err)
			}
		}
		took, err := b.take(p[n:])
		if n += took; err != nil {
			return n, err
		}
	}
	if n == 0 && b.ended {
		return 0, io.EOF
	}
	return n, nil
}

// now is the time at which what the last Read gave had arrived.
func (b *body) now() time.Time { return b.tap.last }

// atEnd tells what the end of the connection, or another error, means.
func (b *body) atEnd(err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	if !b.chunked && b.left == endless {
		b.ended = true
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

// take moves bytes of the body from the tap to p, or goes through framing.
func (b *body) take(p []byte) (int, error) {
	if b.chunked && b.state != inData {
		return 0, b.frame()
	}
	have := b.tap.buf[b.tap.r:b.tap.w]
	if b.left != endless && int64(len(have)) > b.left {
		have = have[:b.left]
	}
	n := copy(p, have)
	b.tap.r += n
	if b.left != endless {
		b.left -= int64(n)
		if b.left == 0 {
			b.state, b.ended = inDataEnd, !b.chunked
		}
	}
	return n, nil
}

// maxLine is the most that a line of framing may have, in bytes.
const maxLine = 4 << 10

// frame goes through the framing that the tap holds, up to the next data.
func (b *body) frame() error {
	for b.tap.r < b.tap.w && b.state != inData && !b.ended {
		c := b.tap.buf[b.tap.r]
		b.tap.r++
		if b.line++; b.line > maxLine {
			return protocolError("a line of the chunked encoding is too long")
		}
		if !b.step(c) {
			return protocolError(fmt.Sprintf("%q does not belong into the chunked encoding", c))
		}
	}
	return nil
}

// step goes on by one byte and reports whether it belongs there.
func (b *body) step(c byte) bool {
	switch b.state {
	case inSize:
		return b.sizeByte(c)
	case inSpace:
		return c != ';' && b.afterSize(c)
	case inExtension:
		if c == '\r' {
			b.state = inSizeEnd
		}
		return c != '\n'
	case inSizeEnd:
		b.left, b.state, b.line = b.size, inData, 0
		if b.size == 0 {
			b.state = inTrailer
		}
		return c == '\n'
	case inDataEnd:
		b.state = inDataEndLF
		return c == '\r'
	case inDataEndLF:
		b.state, b.size, b.digits, b.line = inSize, 0, 0, 0
		return c == '\n'
	case inTrailer: // line counts the bytes of the line
		if c == '\r' {
			b.state = inTrailerLF
		}
		return c != '\n'
	case inTrailerLF:
		b.ended = b.line == 2
		b.state, b.line = inTrailer, 0
		return c == '\n'
	case inData:
	}
	return false
}

// sizeByte reads a byte of a chunk's size.
func (b *body) sizeByte(c byte) bool {
	var digit int64
	switch {
	case c >= '0' && c <= '9':
		digit = int64(c - '0')
	case c >= 'a' && c <= 'f':
		digit = int64(c-'a') + 10
	case c >= 'A' && c <= 'F':
		digit = int64(c-'A') + 10
	case b.digits == 0:
		return false
	default:
		return b.afterSize(c)
	}
	b.size = b.size<<4 | digit
	b.digits++
	return b.digits <= 15
}

// afterSize reads a byte after the digits of a chunk's size.
func (b *body) afterSize(c byte) bool {
	switch c {
	case '\r':
		b.state = inSizeEnd
	case ' ', '\t':
		b.state = inSpace
	case ';':
		b.state = inExtension
	default:
		return false
	}
	return true
}
