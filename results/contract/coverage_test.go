package contract_test

import (
	"slices"
	"testing"

	"example.org/arena/results/contract"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	chat, big, share, sweep := test(t, c, "chat"), test(t, c, "big-context"), test(t, c, "sharegpt"), test(t, c, "rate-sweep")
	closed := func(prompt, output, depth, users int) contract.Cell {
		return contract.Cell{PromptTokens: prompt, OutputTokens: output, DepthTokens: depth, Concurrency: users}
	}
	for _, tc := range []struct {
		name     string
		test     contract.Test
		measured []contract.Cell
		want     contract.Completeness
		index    []int
		extra    int
	}{
		{"nothing", chat, nil, contract.NoData, []int{}, 0},
		{"all, in another order", chat, []contract.Cell{closed(1024, 1024, 0, 10), closed(1024, 1024, 0, 1), closed(1024, 1024, 0, 5)}, contract.Complete, []int{2, 0, 1}, 0},
		{"one missing", chat, []contract.Cell{closed(1024, 1024, 0, 1), closed(1024, 1024, 0, 5)}, contract.StoppedEarly, []int{0, 1}, 0},
		{"other parameters", chat, []contract.Cell{closed(1024, 512, 0, 1), closed(1024, 1024, 4, 1), closed(1024, 1024, 0, 2)}, contract.NoData, []int{-1, -1, -1}, 3},
		{"one twice", chat, []contract.Cell{closed(1024, 1024, 0, 1), closed(1024, 1024, 0, 1)}, contract.StoppedEarly, []int{0, -1}, 1},
		{"prompt not stated, one prompt only", chat, []contract.Cell{closed(0, 1024, 0, 5)}, contract.StoppedEarly, []int{1}, 0},
		{"prompt not stated, several possible", big, []contract.Cell{closed(0, 256, 0, 1)}, contract.NoData, []int{-1}, 1},
		{"prompt not stated, one left", big, []contract.Cell{closed(0, 256, 0, 1), closed(4096, 256, 0, 1), closed(8192, 256, 0, 1), closed(16384, 256, 0, 1)}, contract.StoppedEarly, []int{9, 0, 3, 6}, 0},
		{"only the rate is stated", share, []contract.Cell{{RequestRate: 0.3}}, contract.Complete, []int{0}, 0},
		{"lengths that the contract leaves open", share, []contract.Cell{{PromptTokens: 220, OutputTokens: 208, RequestRate: 0.3, Prompts: 250}}, contract.Complete, []int{0}, 0},
		{"another number of prompts", share, []contract.Cell{{RequestRate: 0.3, Prompts: 100}}, contract.NoData, []int{-1}, 1},
		{"sweep stopped after one rung", sweep, []contract.Cell{{RequestRate: 0.1, Prompts: 100}}, contract.StoppedEarly, []int{0}, 0},
		{"whole sweep", sweep, []contract.Cell{{RequestRate: 0.1}, {RequestRate: 0.2}, {RequestRate: 0.3}, {RequestRate: 0.5}, {RequestRate: 0.7}, {RequestRate: 1}}, contract.Complete, []int{0, 1, 2, 3, 4, 5}, 0},
		{"rung of no contract", sweep, []contract.Cell{{RequestRate: 0.4}}, contract.NoData, []int{-1}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := tc.test.Match(tc.measured)
			if got.Completeness() != tc.want || !slices.Equal(got.Index, tc.index) || len(got.Extra) != tc.extra {
				t.Errorf("got %s, index %v, extra %v", got.Completeness(), got.Index, got.Extra)
			}
			if n := len(got.Present) + len(got.Missing); n != len(tc.test.Cells()) {
				t.Errorf("%d cells present or missing, want %d", n, len(tc.test.Cells()))
			}
			if n := len(got.Present) + len(got.Extra); n != len(tc.measured) {
				t.Errorf("%d cells present or extra, want %d", n, len(tc.measured))
			}
		})
	}
}
