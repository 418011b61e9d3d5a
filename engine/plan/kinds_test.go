package plan

import (
	"slices"
	"strings"
	"testing"

	"example.org/arena/loadgen/arrival"
	"example.org/arena/results/contract"
)

// TestLoadsTakeEveryCell: the published contracts have a schedule for every cell of
// every test.
func TestLoadsTakeEveryCell(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2", "v3"} {
		c := read(t, version)
		for _, test := range c.Tests {
			list, err := loads(c, test)
			if err != nil {
				t.Fatal(err)
			}
			var cells []contract.Cell
			for _, l := range list {
				cells = append(cells, l.spec)
				checkSchedule(t, version, test, l)
			}
			if !slices.Equal(cells, test.Cells()) {
				t.Errorf("%s %s: got cells %v, want %v", version, test.Slug, cells, test.Cells())
			}
		}
	}
}

// checkSchedule holds a schedule to be the one of the test's kind.
func checkSchedule(t *testing.T, version string, test contract.Test, l load) {
	t.Helper()
	s := l.schedule
	kind, requests := arrival.Refill, 0
	switch k := test.Kind.(type) {
	case contract.Batches:
		kind, requests = arrival.Batched, l.spec.Concurrency*(1+k.Runs)
		if !s.Warmup(0) || s.Warmup(l.spec.Concurrency) {
			t.Errorf("%s %s: %+v warms up with other than the first batch", version, test.Slug, l.spec)
		}
	case contract.Refill:
		requests = l.spec.Concurrency * k.Rounds
	case contract.Conversations:
		requests = l.spec.Concurrency * k.Rounds
	case contract.VLLMServe:
		kind, requests = arrival.Open, l.spec.Prompts
	case contract.OpenLoop:
		kind, requests = arrival.Open, l.spec.Prompts
	default:
		t.Errorf("%s %s: no test here knows the kind %T", version, test.Slug, k)
	}
	a, _ := test.Arrivals()
	if s.Kind != kind || s.Requests != requests || s.MaxConcurrency != a.MaxConcurrency {
		t.Errorf("%s %s: %+v has schedule %s with %d requests and a cap of %d, want %s with %d", version, test.Slug, l.spec, s.Kind, s.Requests, s.MaxConcurrency, kind, requests)
	}
}

// TestBatchesOrder: llama-benchy goes by depth first, and keeps the order of each
// list.
func TestBatchesOrder(t *testing.T) {
	t.Parallel()
	list, err := loads(&contract.Contract{}, contract.Test{Kind: contract.Batches{
		Grid: contract.Grid{PromptTokens: []int{2048, 512}, OutputTokens: []int{64, 32}, DepthTokens: []int{4096, 0}, Concurrency: []int{2, 1}},
		Runs: 3,
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []contract.Cell{}
	for _, depth := range []int{4096, 0} {
		for _, prompt := range []int{2048, 512} {
			for _, output := range []int{64, 32} {
				for _, c := range []int{2, 1} {
					want = append(want, contract.Cell{PromptTokens: prompt, OutputTokens: output, DepthTokens: depth, Concurrency: c})
				}
			}
		}
	}
	if len(list) != len(want) {
		t.Fatalf("got %d cells, want %d", len(list), len(want))
	}
	for i, l := range list {
		if l.spec != want[i] {
			t.Errorf("cell %d: got %+v, want %+v", i, l.spec, want[i])
		}
	}
}

// TestSweepStartsAgain: a rung's arrivals do not depend on the rungs before it.
func TestSweepStartsAgain(t *testing.T) {
	t.Parallel()
	c := read(t, "v2")
	test, ok := c.Test("rate-sweep")
	if !ok {
		t.Fatal("contract v2 has no rate sweep")
	}
	list, err := loads(c, test)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 6 {
		t.Fatalf("got %d rungs, want 6", len(list))
	}
	a, _ := test.Arrivals()
	for i, l := range list {
		alone, err := arrival.Arrivals{
			Seed: uint32(c.Seed), Rate: a.Rungs[i].RequestRate, Burstiness: a.Burstiness, Requests: a.Rungs[i].Prompts,
		}.Schedule(a.MaxConcurrency)
		if err != nil {
			t.Fatal(err)
		}
		if l.rung != i || l.spec.RequestRate != a.Rungs[i].RequestRate || !slices.Equal(alone.At, l.schedule.At) {
			t.Errorf("rung %d (%+v) is not what its arrivals give alone", i, l.spec)
		}
	}
}

func TestMakeRefuses(t *testing.T) {
	t.Parallel()
	open := contract.Arrivals{Dataset: contract.ShareGPT, Burstiness: 1, Rungs: []contract.Rung{{RequestRate: 1, Prompts: 3}}}
	still, short := open, open
	still.Burstiness = 0
	short.Dataset = contract.Random
	cases := []struct {
		name string
		seed int64
		kind contract.Kind
		want string
	}{
		{"no kind", 0, nil, "plan test a: nothing says what a test of the kind <nil> sends"},
		{"seed below 0", -1, contract.VLLMServe{Arrivals: open}, "the seed -1 is not in"},
		{"seed of 33 bits", 1 << 32, contract.OpenLoop{Arrivals: open}, "the seed 4294967296 is not in"},
		{"burstiness", 1, contract.VLLMServe{Arrivals: still}, "burstiness 0"},
		{"lengths", 1, contract.VLLMServe{Arrivals: short}, "draw lengths: means of 0 and 0 tokens"},
	}
	for _, c := range cases {
		k := &contract.Contract{Seed: c.seed, Tests: []contract.Test{{Slug: "a", Kind: c.kind}}}
		if _, err := Make(k, nil, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}
