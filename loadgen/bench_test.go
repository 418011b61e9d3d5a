package loadgen_test

import (
	"context"
	"testing"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/arrival"
)

// instant answers at once.
type instant struct{}

func (instant) Send(_ context.Context, origin time.Time, _ loadgen.Request) loadgen.Result {
	res := loadgen.NoResult()
	res.Sent = time.Since(origin)
	res.Done, res.Outcome = res.Sent, loadgen.OK
	return res
}

func benchmarkCell(b *testing.B, c loadgen.Cell) {
	b.ReportAllocs()
	r := &loadgen.Runner{Sender: instant{}}
	run, err := r.Run(b.Context(), c)
	if err != nil || run.Unsent > 0 {
		b.Fatal(run, err)
	}
	b.ReportMetric(float64(run.Lateness.P50), "ns-late-p50")
	b.ReportMetric(float64(run.Lateness.P99), "ns-late-p99")
}

// What the closed loop itself costs for each request.
func BenchmarkRefill(b *testing.B) {
	benchmarkCell(b, loadgen.Cell{Schedule: arrival.ClosedLoop(64, b.N), Requests: make([]loadgen.Request, b.N)})
}

// What the open loop costs for each request, at 1,000 of them per second.
func BenchmarkOpenLoop(b *testing.B) {
	at := make([]time.Duration, b.N)
	for i := range at {
		at[i] = time.Duration(i) * time.Millisecond
	}
	benchmarkCell(b, openCell(0, at...))
}

// The same as fast as it goes.
func BenchmarkBurst(b *testing.B) {
	benchmarkCell(b, openCell(64, make([]time.Duration, b.N)...))
}
