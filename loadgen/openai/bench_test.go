package openai

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/sse"
)

// benchEvent is an event of vLLM's size.
const benchEvent = `data: {"id":"chatcmpl-8b1f0c6f7d2a4e0f9c53","object":"chat.completion.chunk","created":1760000000,"model":"example/model-7b","choices":[{"index":0,"delta":{"content":" token"},"logprobs":null,"finish_reason":null,"token_ids":null}]}` + "\n\n"

// BenchmarkAnswer reads an answer of 1,000 chunks from memory: the reader, the scan
// and the bookkeeping, without a connection.
func BenchmarkAnswer(b *testing.B) {
	const n = 1000
	stream := []byte(strings.Repeat(benchEvent, n))
	events := sse.NewReader(nil, nil)
	src := bytes.NewReader(stream)
	res := loadgen.Result{}
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		src.Reset(stream)
		events.Reset(src, time.Now)
		a := answer{res: &res, want: n}
		res.Arrivals, res.Coalesced = nil, 0
		if err := a.readFrom(events); !errors.Is(err, io.EOF) || len(res.Arrivals) != n {
			b.Fatal(err, len(res.Arrivals))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
}

// BenchmarkSend sends to a server in the same process over loopback, which writes
// 1,000 chunks as fast as it can, each for itself. It counts both sides.
func BenchmarkSend(b *testing.B) {
	const n = 1000
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		rc := http.NewResponseController(w)
		for range n {
			io.WriteString(w, benchEvent)
			rc.Flush()
		}
		fmt.Fprint(w, finish+usage(n)+done)
	}))
	defer server.Close()
	c, err := New(Options{BaseURL: server.URL})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	b.ReportAllocs()
	for b.Loop() {
		r := c.Send(b.Context(), time.Now(), loadgen.Request{Body: []byte("{}"), OutputTokens: n})
		if r.Outcome != loadgen.OK || r.Chunks != n {
			b.Fatal(r.Outcome, r.Error, r.Chunks)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
}
