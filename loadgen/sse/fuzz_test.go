package sse_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"example.org/arena/loadgen/sse"
)

// FuzzSplits: any split of any bytes gives the events that the rules give, told
// here the slow way. cuts holds the lengths of the reads, again from its start
// when it is used up.
func FuzzSplits(f *testing.F) {
	for _, in := range []string{
		"data: a\n\ndata: b\n\n",
		"\ufeffevent: x\r\ndata: a\r\n\r\n: c\rdata: b\rdata: c\r\r",
		"data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\n",
		"error: {}\n\nid: 4\nretry\ndata\n\ndata: cut",
		"data:a\r\n\r\ndata:b\r\r\n\n",
		": ping\n\n: ping\n\n",
		strings.Repeat("data: "+strings.Repeat("y", 700)+"\n", 14) + "\n",
	} {
		f.Add([]byte(in), []byte{1})
		f.Add([]byte(in), []byte{3, 250, 7})
		f.Add([]byte(in), []byte{})
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		got, err := readAll(&cutReader{in: in, cuts: cuts})
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if want := bySpec(in); show(got) != show(want) {
			t.Errorf("got  %s\nwant %s", show(got), show(want))
		}
	})
}

// A cutReader brings as many bytes a read as cuts says, and at times none.
type cutReader struct {
	in, cuts []byte
	n        int
}

func (c *cutReader) Read(p []byte) (int, error) {
	if len(c.in) == 0 {
		return 0, io.EOF
	}
	most := len(p)
	if len(c.cuts) > 0 {
		most = int(c.cuts[c.n%len(c.cuts)])
		c.n++
		if most == 0 && c.n%2 == 0 {
			most = 1
		}
	}
	n := copy(p[:min(most, len(p))], c.in)
	c.in = c.in[n:]
	return n, nil
}

var lineEnd = regexp.MustCompile("\r\n|\r|\n")

// bySpec reads events line by line, as the standard tells it, with the two
// exceptions of the package comment.
func bySpec(in []byte) []string {
	in = bytes.TrimPrefix(in, []byte("\ufeff"))
	var out []string
	var typ *string
	var data []string
	lines := lineEnd.Split(string(in), -1)
	emit := func(mark string) {
		if data != nil {
			text := fmt.Sprintf("%q", strings.Join(data, "\n"))
			if typ != nil {
				text = *typ + ":" + text
			}
			out = append(out, text+mark)
		}
		typ, data = nil, nil
	}
	for i, line := range lines {
		last := i == len(lines)-1
		if line == "" && !last {
			emit("")
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data = append(data, value)
		case "event":
			if typ = &value; value == "" {
				typ = nil
			}
		case "error":
			data, typ = append(data, value), &name
		}
	}
	emit("…")
	return out
}

// An endless source repeats one event.
type endless struct {
	event []byte
	at    int
}

func (s *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && n < 4096 {
		c := copy(p[n:min(len(p), 4096)], s.event[s.at:])
		n += c
		s.at = (s.at + c) % len(s.event)
	}
	return n, nil
}

// single brings one whole event a read, as a server that flushes after each does.
type single struct{ event []byte }

func (s single) Read(p []byte) (int, error) { return copy(p, s.event), nil }

var chunk = []byte(`data: {"id":"chatcmpl-8b1f0c6f7d2a4e0f9c53","object":"chat.completion.chunk","created":1760000000,"model":"example/model-7b","choices":[{"index":0,"delta":{"content":" token"},"logprobs":null,"finish_reason":null,"token_ids":null}],"usage":null}` + "\n\n")

func TestNoAllocation(t *testing.T) {
	r := sse.NewReader(&endless{event: chunk}, nil)
	next := func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		next()
	}
	if n := testing.AllocsPerRun(10_000, next); n != 0 {
		t.Errorf("%v allocations an event, want 0", n)
	}
}

func BenchmarkReader(b *testing.B) {
	for name, src := range map[string]io.Reader{
		"one a read": single{chunk},
		"4 kB reads": &endless{event: chunk},
		"multi-line": &endless{event: bytes.ReplaceAll(chunk, []byte(","), []byte(",\ndata: "))},
		"CR LF":      &endless{event: bytes.ReplaceAll(chunk, []byte("\n"), []byte("\r\n"))},
	} {
		b.Run(name, func(b *testing.B) {
			r := sse.NewReader(src, nil)
			b.SetBytes(int64(len(chunk)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
