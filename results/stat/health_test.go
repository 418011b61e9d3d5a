package stat

import (
	"slices"
	"testing"

	"example.org/arena/results/bundle"
)

func TestHealthOf(t *testing.T) {
	t.Parallel()
	got := HealthOf(&bundle.Test{Cells: []bundle.Cell{
		{
			Client:   &bundle.Client{CountedBy: "usage", LateP99US: 90, LateMaxUS: 100, Held: new(0.99)},
			Counters: &bundle.Counters{PrefixHitTokens: new(int64(3)), PrefixQueryTokens: new(int64(10)), Preemptions: new(int64(1))},
		},
		{
			Client:   &bundle.Client{CountedBy: "chunks", LateP99US: 40, LateMaxUS: 300, Held: new(0.95)},
			Counters: &bundle.Counters{PrefixHitTokens: new(int64(1)), PrefixQueryTokens: new(int64(10)), Preemptions: new(int64(2))},
		},
		{Client: &bundle.Client{CountedBy: "usage"}, Counters: &bundle.Counters{PrefixHitTokens: new(int64(5))}},
		{},
	}})
	if !got.Known || got.LateP99US != 90 || got.LateMaxUS != 300 || got.Held == nil || *got.Held != 0.95 {
		t.Errorf("client: got %+v", got)
	}
	if want := []string{"usage", "chunks"}; !slices.Equal(got.CountedBy, want) {
		t.Errorf("counted by %v, want %v", got.CountedBy, want)
	}
	if !got.CountsHits || got.HitTokens != 4 || got.QueryTokens != 20 || got.Preemptions == nil || *got.Preemptions != 3 {
		t.Errorf("server: got %+v; half a pair of counters says nothing", got)
	}
}

// Nothing known stays nothing known.
func TestHealthOfNothing(t *testing.T) {
	t.Parallel()
	got := HealthOf(&bundle.Test{Cells: []bundle.Cell{{}}})
	if got.Known || got.CountsHits || got.Held != nil || got.Preemptions != nil || got.CountedBy != nil {
		t.Errorf("got %+v", got)
	}
}

func TestRecorded(t *testing.T) {
	t.Parallel()
	if n, ok := Recorded(&bundle.Test{Cells: []bundle.Cell{{}}}); n != 0 || ok {
		t.Errorf("Recorded = %d, %t for a test without records", n, ok)
	}
}
