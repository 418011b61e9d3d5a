package arrival

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/contract"
)

func readContract(t *testing.T, version string) *contract.Contract {
	t.Helper()
	name := filepath.Join("..", "..", "content", "contracts", version+".toml")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestForTestTakesEveryCell: the published contracts have a schedule for every
// cell of every test.
func TestForTestTakesEveryCell(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2"} {
		c := readContract(t, version)
		for _, test := range c.Tests {
			steps, err := ForTest(c, test)
			if err != nil {
				t.Fatal(err)
			}
			var cells []contract.Cell
			for _, s := range steps {
				cells = append(cells, s.Cell)
				if test.OpenLoop != nil {
					if s.Schedule.Kind != Open || s.Schedule.Requests != s.Cell.Prompts || s.Schedule.MaxConcurrency != test.OpenLoop.MaxConcurrency || s.Arrivals == nil {
						t.Errorf("%s %s: %+v has schedule %s with %d requests", version, test.Slug, s.Cell, s.Schedule.Kind, s.Schedule.Requests)
					}
					continue
				}
				want := s.Cell.Concurrency * (1 + test.ClosedLoop.Runs)
				if s.Schedule.Kind != Batched || s.Schedule.Requests != want || !s.Schedule.Warmup(0) || s.Schedule.Warmup(s.Cell.Concurrency) {
					t.Errorf("%s %s: %+v has schedule %+v, want %d requests, the first batch to warm up", version, test.Slug, s.Cell, s.Schedule, want)
				}
			}
			if !slices.Equal(cells, test.Cells()) {
				t.Errorf("%s %s: got cells %v, want %v", version, test.Slug, cells, test.Cells())
			}
		}
	}
}

// TestForTestOrder: llama-benchy goes by depth first, and keeps the order of each
// list.
func TestForTestOrder(t *testing.T) {
	t.Parallel()
	test := contract.Test{Slug: "x", Tool: contract.LlamaBenchy, ClosedLoop: &contract.ClosedLoop{
		PromptTokens: []int{2048, 512}, OutputTokens: []int{64, 32}, DepthTokens: []int{4096, 0}, Concurrency: []int{2, 1}, Runs: 3,
	}}
	steps, err := ForTest(&contract.Contract{}, test)
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
	for i, s := range steps {
		if s.Cell != want[i] {
			t.Errorf("step %d: got %+v, want %+v", i, s.Cell, want[i])
		}
	}
	if len(steps) != len(want) {
		t.Errorf("got %d steps, want %d", len(steps), len(want))
	}
}

// TestSweepStartsAgain: a rung's arrivals do not depend on the rungs before it.
func TestSweepStartsAgain(t *testing.T) {
	t.Parallel()
	c := readContract(t, "v2")
	test, ok := c.Test("rate-sweep")
	if !ok {
		t.Fatal("contract v2 has no rate sweep")
	}
	steps, err := ForTest(c, test)
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != 6 {
		t.Fatalf("got %d rungs, want 6", len(steps))
	}
	for i, s := range steps {
		alone, err := s.Arrivals.Schedule(test.OpenLoop.MaxConcurrency)
		if err != nil {
			t.Fatal(err)
		}
		if s.Rung != i || s.Arrivals.Rate != s.Cell.RequestRate || !slices.Equal(alone.At, s.Schedule.At) {
			t.Errorf("rung %d (%+v) is not what its arrivals give alone", i, s.Cell)
		}
	}
}

func TestForTestRefuses(t *testing.T) {
	t.Parallel()
	open := &contract.OpenLoop{Burstiness: 1, Rungs: []contract.Rung{{RequestRate: 1, Prompts: 3}}}
	cases := []struct {
		name string
		seed int64
		test contract.Test
		want string
	}{
		{"tool", 0, contract.Test{Slug: "a", Tool: "wrk", Loop: contract.Open, OpenLoop: open}, `test a: the tool "wrk" has no schedule for its open loop`},
		{"tool of the other loop", 0, contract.Test{Slug: "a", Tool: contract.LlamaBenchy, Loop: contract.Open, OpenLoop: open}, "no schedule"},
		{"no loop", 0, contract.Test{Slug: "a", Tool: contract.VLLMBench}, "no schedule"},
		{"seed below 0", -1, contract.Test{Tool: contract.VLLMBench, OpenLoop: open}, "the seed -1 is not in"},
		{"seed of 33 bits", 1 << 32, contract.Test{Tool: contract.VLLMBench, OpenLoop: open}, "the seed 4294967296 is not in"},
		{"burstiness", 1, contract.Test{Tool: contract.VLLMBench, OpenLoop: &contract.OpenLoop{Rungs: open.Rungs}}, "burstiness 0"},
	}
	for _, c := range cases {
		if _, err := ForTest(&contract.Contract{Seed: c.seed}, c.test); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}
