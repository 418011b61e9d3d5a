package arrival

import (
	"slices"
	"testing"
	"time"
)

func TestClosedLoop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ concurrency, requests, wantConcurrency, wantRequests int }{
		{4, 10, 4, 10}, {0, 3, 1, 3}, {2, -1, 2, 0},
	} {
		s := ClosedLoop(c.concurrency, c.requests)
		if s.Kind != Refill || s.Concurrency != c.wantConcurrency || s.Requests != c.wantRequests || s.At != nil || s.Batches != nil {
			t.Errorf("closed loop of %d and %d: got %+v", c.concurrency, c.requests, s)
		}
	}
}

func TestSynchronised(t *testing.T) {
	t.Parallel()
	s := Synchronised(3, 1, 2)
	want := []Batch{{0, 3, true}, {3, 3, false}, {6, 3, false}}
	if s.Kind != Batched || s.Requests != 9 || s.Concurrency != 3 || !slices.Equal(s.Batches, want) {
		t.Errorf("got %+v, want batches %v", s, want)
	}
	for i, warm := range []bool{true, true, true, false, false, false, false, false, false} {
		if got := s.Warmup(i); got != warm {
			t.Errorf("request %d: warm-up %v, want %v", i, got, warm)
		}
	}
	if s.Warmup(9) || s.Warmup(-1) || ClosedLoop(1, 1).Warmup(0) {
		t.Error("a request outside all batches is called warm-up")
	}
	if s := Synchronised(0, -1, -1); s.Requests != 0 || s.Concurrency != 1 || len(s.Batches) != 0 {
		t.Errorf("nothing asked for: got %+v", s)
	}
}

func TestOpenLoop(t *testing.T) {
	t.Parallel()
	s := OpenLoop([]float64{0, 0.0000000015, 1.25, 666.6666666666667}, 25)
	want := []time.Duration{0, 2, 1250 * time.Millisecond, 666666666667}
	if s.Kind != Open || s.Requests != 4 || s.MaxConcurrency != 25 || !slices.Equal(s.At, want) {
		t.Errorf("got %+v, want %v", s, want)
	}
	if s := OpenLoop(nil, -2); s.Requests != 0 || s.MaxConcurrency != 0 {
		t.Errorf("nothing asked for: got %+v", s)
	}
}
