//go:build unix

package simserver

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"
)

// nowhere is a link that takes everything.
type nowhere struct{ net.Conn }

func (nowhere) tryWrite(p []byte) (int, error) { return len(p), nil }
func (nowhere) reset()                         {}
func (nowhere) received() time.Time            { return time.Time{} }
func (nowhere) drop()                          {}
func (nowhere) readUntil(time.Time)            {}

// BenchmarkEvent is the cost of one event without the system's share.
func BenchmarkEvent(b *testing.B) {
	s, err := New(Default())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	const tokens = 1000
	begin := func() *answer {
		a := s.newAnswer(&conn{srv: s, link: nowhere{}}, 0)
		a.out = newDispatcher(s.now, nil)
		a.opt.TTFT, a.opt.ITL = 0, 0
		if err := a.prepare(&request{chat: true, stream: true, limit: tokens}); err != nil {
			b.Fatal(err)
		}
		return a
	}
	b.ReportAllocs()
	var a *answer
	left := 0
	for b.Loop() {
		if left == 0 {
			b.StopTimer()
			a = begin()
			left = tokens - 1 // the first one allocates buffers
			a.do(doBegin, 0)
			a.gather()
			a.do(doEvent, 0)
			b.StartTimer()
		}
		what, due := a.next()
		a.do(what, due)
		left--
	}
}

// BenchmarkRequest is what a request costs beside its events: reading, preparing,
// counting and logging.
func BenchmarkRequest(b *testing.B) {
	config := Default()
	config.Request.TTFT, config.Request.Tokens = 0, 1
	config.LogTo = io.Discard
	s, err := New(config)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	c, err := s.Dial(b.Context(), "", "")
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	request := []byte(httpRequest("", hello))
	buf := make([]byte, 1<<16)
	b.ReportAllocs()
	for b.Loop() {
		c.Write(request)
		for n := 0; n < 5 || string(buf[n-5:n]) != "0\r\n\r\n"; {
			n, err = c.Read(buf)
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkPacing compares ways to send events at their moments over sockets that
// nobody reads (their buffers suffice): tasks of one dispatcher with a thread of
// its own, the same with the runtime's timers, and a goroutine with a timer for
// every stream. Streams begin at random moments, or all at once. Each sends 20
// events of 250 bytes a second. The figures are the lateness of the writes and the
// processor time of an event, system calls included.
func BenchmarkPacing(b *testing.B) {
	for _, start := range []string{"spread", "burst"} {
		for _, streams := range []int{10, 100, 1000} {
			for _, way := range []string{"thread", "timers", "goroutines"} {
				b.Run(fmt.Sprintf("%s/%d/%s", start, streams, way), func(b *testing.B) {
					links := silentLinks(b, streams)
					for b.Loop() {
						pace(b, links, way, start == "burst")
					}
				})
			}
		}
	}
}

// silentLinks returns connections whose other ends do not read.
func silentLinks(b *testing.B, n int) []link {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	links := make([]link, n)
	for i := range links {
		near, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		far, err := l.Accept()
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { near.Close(); far.Close() })
		links[i] = newLink(near)
	}
	return links
}

// pace sends 20 events on every link within a second, and reports how.
func pace(b *testing.B, links []link, way string, burst bool) {
	const events, gap = 20, 50 * time.Millisecond
	random := rand.New(rand.NewPCG(1, 2))
	origin := time.Now()
	now := func() Offset { return time.Since(origin) }
	message := make([]byte, 250)
	first := make([]Offset, len(links))
	for i := range first {
		first[i] = 20 * time.Millisecond
		if !burst {
			first[i] += time.Duration(random.Int64N(int64(gap)))
		}
	}
	late := make([]lateness, len(links))
	cpu := cpuTime()
	var wg sync.WaitGroup
	wg.Add(len(links))
	switch way {
	case "goroutines":
		for i, l := range links {
			go func() {
				defer wg.Done()
				timer := time.NewTimer(time.Hour)
				for k := range events {
					due := first[i] + time.Duration(k)*gap
					timer.Reset(due - now())
					<-timer.C
					late[i].add(now() - due)
					l.Write(message)
				}
			}()
		}
		wg.Wait()
	default:
		w, err := newWaiter(way == "thread")
		if err != nil {
			b.Fatal(err)
		}
		d := newDispatcher(now, w)
		go d.loop()
		for i, l := range links {
			k := 0
			t := &noteTask{}
			t.ran = func(t *noteTask, _ Offset) {
				due := first[i] + time.Duration(k)*gap
				late[i].add(now() - due)
				l.tryWrite(message)
				if k++; k == events {
					wg.Done()
					return
				}
				d.add(t, due+gap)
			}
			d.add(t, first[i])
		}
		wg.Wait()
		d.close()
	}
	used := cpuTime() - cpu
	var all lateness
	for i := range late {
		for bucket, n := range late[i].buckets {
			all.buckets[bucket] += n
		}
		all.n += late[i].n
		all.most = max(all.most, late[i].most)
	}
	b.ReportMetric(float64(all.percentile(0.5))/1e3, "p50-µs")
	b.ReportMetric(float64(all.percentile(0.99))/1e3, "p99-µs")
	b.ReportMetric(float64(used)/1e3/float64(all.n), "cpu-µs/event")
}

// BenchmarkStream is the memory that the server holds for an open stream on a real
// socket while it waits, the kernel's share aside. The client's end, some 400
// bytes, is in it too.
func BenchmarkStream(b *testing.B) {
	config := with(b, "fault=stall")
	config.Precise = true
	const streams = 500
	for b.Loop() {
		s, err := New(config)
		if err != nil {
			b.Fatal(err)
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		go s.Serve(l)
		before := memory()
		conns := make([]net.Conn, streams)
		for i := range conns {
			if conns[i], err = net.Dial("tcp", l.Addr().String()); err != nil {
				b.Fatal(err)
			}
		}
		for _, c := range conns {
			io.WriteString(c, httpRequest("", hello))
			readUntil(b, c, "\r\n\r\n")
		}
		after := memory()
		b.ReportMetric(float64(after-before)/streams, "B/stream")
		for _, c := range conns {
			c.Close()
		}
		s.Close()
	}
}

// memory returns the bytes of heap and stacks in use.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
