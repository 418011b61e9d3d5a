package sse_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"example.org/arena/loadgen/sse"
)

// show writes events as one text, to compare and to read in a failure.
func show(events []string) string { return strings.Join(events, " | ") }

// readAll returns all events of src, and the error that ended it.
func readAll(src io.Reader) ([]string, error) {
	r := sse.NewReader(src, nil)
	var out []string
	for {
		e, err := r.Next()
		if err != nil {
			return out, err
		}
		text := fmt.Sprintf("%q", e.Data)
		if e.Type != nil {
			text = fmt.Sprintf("%s:%s", e.Type, text)
		}
		if e.Unterminated {
			text += "…"
		}
		out = append(out, text)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300_000)
	for name, c := range map[string]struct{ in, want string }{
		"one":                       {"data: a\n\n", `"a"`},
		"no space":                  {"data:a\n\n", `"a"`},
		"only one space is dropped": {"data:  a \n\n", `" a "`},
		"colon in data":             {"data: {\"a\":1}\n\n", `"{\"a\":1}"`},
		"no colon":                  {"data\n\n", `""`},
		"empty data":                {"data:\n\n", `""`},
		"two empty lines":           {"data\ndata\n\n", `"\n"`},
		"several lines":             {"data: a\ndata: b\ndata:c\n\n", `"a\nb\nc"`},
		"type between lines":        {"data: a\nevent: hello\ndata: bcdefghijklmnopq\n\n", `hello:"a\nbcdefghijklmnopq"`},
		"type after data":           {"data: a\nevent: x\n\ndata: b\n\n", `x:"a" | "b"`},
		"type without data":         {"event: x\n\ndata: b\n\n", `"b"`},
		"empty type":                {"event: x\nevent:\ndata: b\n\n", `"b"`},
		"CR LF":                     {"data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", `"a\nb" | "c"`},
		"CR":                        {"data: a\rdata: b\r\rdata: c\r\r", `"a\nb" | "c"`},
		"mixed":                     {"data: a\r\n\ndata: b\n\rdata: c\r\r\n\ndata: d\n\n", `"a" | "b" | "c" | "d"`},
		"comments":                  {": ping\n\n:\ndata: a\n: between\ndata: b\n\n: end\n", `"a\nb"`},
		"byte order mark":           {"\ufeffdata: a\n\n\ufeffdata: b\n\n", `"a"`},
		"only a byte order mark":    {"\ufeff", ``},
		"mark and comment":          {"\ufeff: hello\n\ndata: b\n\n", `"b"`},
		"blank lines":               {"\n\n\r\n\rdata: a\n\n\n\n", `"a"`},
		"id and retry":              {"id: 1\nretry: 10\ndata: a\n\n", `"a"`},
		"unknown fields":            {"dat: x\ndata : y\n\ndata: a\n\n", `"a"`},
		"no blank line":             {"data: a\n\ndata: b\n", `"a" | "b"…`},
		"no line end":               {"data: a\n\ndata: [DO", `"a" | "[DO"…`},
		"no line end after CR":      {"data: a\r\rdata: b\r", `"a" | "b"…`},
		"cut in a name":             {"data: a\n\ndat", `"a"`},
		"comment at the end":        {"data: a\n\n: bye", `"a"`},
		"error field":               {"error: {\"code\":500}\n\n", `error:"{\"code\":500}"`},
		"error event":               {"event: error\ndata: oh\n\n", `error:"oh"`},
		"long line":                 {"data: " + long + "\n\ndata: b\n\n", `"` + long + `" | "b"`},
		"long event":                {strings.Repeat("data: "+long[:1000]+"\n", 50) + "\n", `"` + strings.Repeat(long[:1000]+`\n`, 49) + long[:1000] + `"`},
		"zero bytes":                {"data: a\x00b\n\n", `"a\x00b"`},
		"nothing":                   {"", ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for how, src := range map[string]io.Reader{
				"whole":       strings.NewReader(c.in),
				"halves":      iotest.HalfReader(strings.NewReader(c.in)),
				"bytes":       iotest.OneByteReader(strings.NewReader(c.in)),
				"end at once": iotest.DataErrReader(strings.NewReader(c.in)),
			} {
				got, err := readAll(src)
				if show(got) != c.want || !errors.Is(err, io.EOF) {
					t.Errorf("%s: got %.300s, %v; want %.300s", how, show(got), err, c.want)
				}
			}
		})
	}
}

// TestEverySplit cuts a stream in two at every place, and in three at many.
func TestEverySplit(t *testing.T) {
	t.Parallel()
	in := "\ufeffevent: x\r\ndata: a\r\n\r\n: c\rdata: b\rdata: c\r\rdata: d\n\n\r\ndata\nevent: y\ndata: e\n\ndata: f\r"
	want, _ := readAll(strings.NewReader(in))
	if len(want) != 5 {
		t.Fatalf("%d events", len(want))
	}
	for i := range len(in) + 1 {
		for j := i; j <= len(in); j++ {
			got, err := readAll(io.MultiReader(strings.NewReader(in[:i]), strings.NewReader(in[i:j]), strings.NewReader(in[j:])))
			if show(got) != show(want) || !errors.Is(err, io.EOF) {
				t.Fatalf("split at %d and %d: got %s, %v; want %s", i, j, show(got), err, show(want))
			}
		}
	}
}

// A script is a stream whose reads bring its parts, one second apart.
type script struct {
	parts []string
	reads int
	err   error
}

func (s *script) Read(p []byte) (int, error) {
	if s.reads >= len(s.parts) {
		s.reads++
		return 0, s.err
	}
	n := copy(p, s.parts[s.reads])
	s.reads++
	return n, nil
}

func (s *script) now() time.Time { return time.Unix(int64(s.reads), 0) }

func TestTimes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parts []string
		want  string // data first/last/end, c when coalesced
	}{
		"one read":              {[]string{"data: a\n\n"}, "a 1/1/1"},
		"three reads":           {[]string{"da", "ta: a", "\n\n"}, "a 1/2/3"},
		"line end late":         {[]string{"data: a", "\n\n"}, "a 1/1/2"},
		"blank line late":       {[]string{"data: a\n", "\n"}, "a 1/1/2"},
		"end with next event":   {[]string{"data: a", "\n\ndata: b", "\n\n"}, "a 1/1/2, b 2/2/3"},
		"coalesced":             {[]string{"data: a\n\ndata: b\n\ndata: c\n\n", "data: d\n\n"}, "a 1/1/1, b 1/1/1c, c 1/1/1c, d 2/2/2"},
		"two in one, cut":       {[]string{"data: a\n\ndata: b", "c\n\ndata: d\n\n"}, "a 1/1/1, bc 1/2/2, d 2/2/2c"},
		"one part in the next":  {[]string{"data: a\n\ndat", "a: b\n\n"}, "a 1/1/1, b 1/2/2"},
		"comment before":        {[]string{": ping\n", "\n", "data: a\n\n"}, "a 3/3/3"},
		"comment in the middle": {[]string{"data: a\n", ": ping\n", "data: b\n", "\n"}, "a\nb 1/3/4"},
		"comment cut":           {[]string{": pi", "ng\ndata: a\n\n"}, "a 2/2/2"},
		"type first":            {[]string{"event: x\n", "data: a\n\n"}, "a 1/2/2"},
		"CR, LF in next":        {[]string{"data: a\r\n\r", "\ndata: b\r\n\r", "\n"}, "a 1/1/1, b 2/2/2"},
		"unterminated":          {[]string{"data: a\n\n", "data: b"}, "a 1/1/1, b 2/2/3"},
		"byte by byte":          {strings.Split("data: a\n\n", ""), "a 1/7/9"},
		"empty reads":           {[]string{"data: a", "", "", "\n", "", "\n"}, "a 1/1/6"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{parts: c.parts, err: io.EOF}
			r := sse.NewReader(s, s.now)
			var got []string
			for {
				e, err := r.Next()
				if err != nil {
					break
				}
				text := fmt.Sprintf("%s %d/%d/%d", e.Data, e.First.Unix(), e.Last.Unix(), e.End.Unix())
				if e.Coalesced {
					text += "c"
				}
				got = append(got, text)
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %s, want %s", strings.Join(got, ", "), c.want)
			}
		})
	}
}

func TestBrokenStream(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset")
	s := &script{parts: []string{"data: a\n\ndata: b"}, err: broken}
	got, err := readAll(s)
	if show(got) != `"a" | "b"…` || !errors.Is(err, broken) {
		t.Errorf("got %s, %v", show(got), err)
	}

	r := sse.NewReader(s, nil)
	for range 3 {
		if _, err := r.Next(); !errors.Is(err, broken) {
			t.Errorf("got %v, want the same error every time", err)
		}
	}
	if _, err := readAll(noProgress{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v for a source that brings nothing", err)
	}
}

type noProgress struct{}

func (noProgress) Read([]byte) (int, error) { return 0, nil }

func TestStray(t *testing.T) {
	t.Parallel()
	r := sse.NewReader(strings.NewReader("<html>\n{\"detail\": 1}\ndata: a\n\n"+strings.Repeat("y", 5000)), nil)
	for {
		if _, err := r.Next(); err != nil {
			break
		}
	}
	if got := string(r.Stray()); len(got) != 2048 || !strings.HasPrefix(got, "<html>\n{\"detail\": 1}\nyyy") {
		t.Errorf("%d bytes: %.60q", len(got), got)
	}
	r.Reset(strings.NewReader("data: a\n\n"), time.Now)
	if _, err := r.Next(); err != nil || len(r.Stray()) != 0 {
		t.Errorf("after Reset: %v, %q", err, r.Stray())
	}
}

func TestResetForgets(t *testing.T) {
	t.Parallel()
	r := sse.NewReader(strings.NewReader("event: x\ndata: a\r"), nil)
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	r.Reset(bytes.NewReader([]byte("\ufeff\ndata: b\n\n")), time.Now)
	e, err := r.Next()
	if err != nil || string(e.Data) != "b" || e.Type != nil || e.Coalesced || e.Unterminated {
		t.Errorf("got %+v, %v", e, err)
	}
}

// TestLongEventsAreLinear: the cost of an event grows with its length, whatever
// the size of the reads. With a search from the start after every read, a hundred
// times the length would cost ten thousand times as much.
func TestLongEventsAreLinear(t *testing.T) {
	t.Parallel()
	in := "data: " + strings.Repeat("x", 4<<20) + "\r\n\r\n"
	src := &counting{src: strings.NewReader(in), most: 512}
	r := sse.NewReader(src, nil)
	e, err := r.Next()
	if err != nil || len(e.Data) != 4<<20 {
		t.Fatalf("%d bytes, %v", len(e.Data), err)
	}
	if src.reads < 8192 {
		t.Errorf("%d reads", src.reads)
	}
}

// counting limits how much a read brings.
type counting struct {
	src   io.Reader
	most  int
	reads int
}

func (c *counting) Read(p []byte) (int, error) {
	c.reads++
	return c.src.Read(p[:min(len(p), c.most)])
}
