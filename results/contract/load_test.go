package contract_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"example.org/arena/results/contract"
)

func TestExpectedOutputTokens(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	for slug, want := range map[string][]int64{
		"office-baseline": {97092},
		"monday-peak":     {150317},
		"reasoning":       {209303},
		"rate-sweep":      {49146, 49146, 49146, 61228, 85494, 123008},
	} {
		tt := test(t, c, slug)
		for rung, tokens := range want {
			if got, ok := c.ExpectedOutputTokens(tt, rung); got != tokens || !ok {
				t.Errorf("%s, rung %d: got %d, %v, want %d", slug, rung, got, ok, tokens)
			}
		}
		if got, ok := c.ExpectedOutputTokens(tt, len(want)); ok {
			t.Errorf("%s, rung %d: got %d, want none", slug, len(want), got)
		}
	}
	for _, slug := range []string{"sharegpt", "chat"} {
		if got, ok := c.ExpectedOutputTokens(test(t, c, slug), 0); ok {
			t.Errorf("%s: got %d, want none", slug, got)
		}
	}
}

func TestExpectedInputTokens(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	for slug, want := range map[string]int64{"office-baseline": 812735, "monday-peak": 1198058, "reasoning": 55005} {
		if got, ok := c.ExpectedInputTokens(test(t, c, slug), 0, contract.Tokenizer{}); got != want || !ok {
			t.Errorf("%s: got %d, %v, want %d", slug, got, ok, want)
		}
	}
}

// TestOutputDoesNotDependOnTokenizer shows why ExpectedOutputTokens needs none.
func TestOutputDoesNotDependOnTokenizer(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2"} {
		c := load(t, version)
		for _, tt := range c.Tests {
			for rung := range tt.Cells() {
				plain, ok := c.RandomLoad(tt, rung, contract.Tokenizer{})
				for special := 1; ok && special <= 4; special++ {
					load, _ := c.RandomLoad(tt, rung, contract.Tokenizer{Special: special, Vocabulary: 128000})
					if !slices.Equal(load.Output, plain.Output) {
						t.Errorf("%s %s, rung %d: %d special tokens change the output", version, tt.Slug, rung, special)
					}
				}
			}
		}
	}
}

// TestRandomLoadEqualsTool compares with lengths and offsets as numpy draws them
// for the tool.
func TestRandomLoadEqualsTool(t *testing.T) {
	t.Parallel()
	type vector struct {
		Seed    int64   `json:"seed"`
		N       int     `json:"n"`
		Input   int     `json:"random_input_len"`
		Output  int     `json:"random_output_len"`
		Ratio   float64 `json:"range_ratio"`
		Vocab   int64   `json:"vocab_size"`
		Special int     `json:"num_special_tokens_to_add"`

		InputLens  []int64 `json:"input_lens"`
		OutputLens []int64 `json:"output_lens"`
		Offsets    []int64 `json:"offsets"`

		InputFirst   []int64 `json:"input_lens_first10"`
		OutputFirst  []int64 `json:"output_lens_first10"`
		OffsetsFirst []int64 `json:"offsets_first10"`
		InputSum     int64   `json:"sum_input_lens"`
		OutputSum    int64   `json:"sum_output_lens"`
	}
	var file struct {
		Dataset []vector `json:"random_dataset"`
		Totals  []vector `json:"random_dataset_totals"`
	}
	if err := json.Unmarshal(readFile(t, corpus(t, "vectors", "vllm-bench-serve.json")[0]), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Dataset) == 0 || len(file.Totals) == 0 {
		t.Fatal("no vectors")
	}
	generate := func(v vector) contract.RandomLoad {
		c := &contract.Contract{Seed: v.Seed}
		tt := contract.Test{Kind: contract.VLLMServe{Arrivals: contract.Arrivals{
			Dataset: contract.Random, InputTokens: v.Input, OutputTokens: v.Output, RangeRatio: v.Ratio,
			Rungs: []contract.Rung{{RequestRate: 1, Prompts: v.N}},
		}}}
		load, ok := c.RandomLoad(tt, 0, contract.Tokenizer{Special: v.Special, Vocabulary: v.Vocab})
		if !ok || len(load.Input) != v.N {
			t.Fatalf("got %d requests, %v, want %d", len(load.Input), ok, v.N)
		}
		return load
	}
	for i, v := range file.Dataset {
		got := generate(v)
		if !slices.Equal(got.Input, v.InputLens) || !slices.Equal(got.Output, v.OutputLens) || !slices.Equal(got.Offsets, v.Offsets) {
			t.Errorf("vector %d: lengths or offsets differ", i)
		}
	}
	for i, v := range file.Totals {
		got := generate(v)
		if !slices.Equal(got.Input[:10], v.InputFirst) || !slices.Equal(got.Output[:10], v.OutputFirst) || !slices.Equal(got.Offsets[:10], v.OffsetsFirst) {
			t.Errorf("total %d: lengths or offsets differ", i)
		}
		if total(got.Input) != v.InputSum || total(got.Output) != v.OutputSum {
			t.Errorf("total %d: got %d and %d, want %d and %d", i, total(got.Input), total(got.Output), v.InputSum, v.OutputSum)
		}
	}
}

func total(list []int64) (sum int64) {
	for _, n := range list {
		sum += n
	}
	return sum
}

// TestRealOutputTokens counts how many real runs report exactly the tokens that
// the seed fixes. Those that do not are cut short; none reports more.
func TestRealOutputTokens(t *testing.T) {
	t.Parallel()
	c := load(t, "v2")
	exact, short := 0, 0
	for _, file := range corpus(t, "dgx-spark-benchmarks", "results", "*", "*", "*", "*.json") {
		var result struct {
			Rate   float64 `json:"request_rate"`
			Output *int64  `json:"total_output_tokens"`
		}
		slug, isTest := testOf(filepath.Base(file))
		if !isTest || json.Unmarshal(readFile(t, file), &result) != nil || result.Output == nil {
			continue
		}
		tt := test(t, c, slug)
		rung := slices.IndexFunc(tt.Cells(), func(c contract.Cell) bool { return c.RequestRate == result.Rate })
		want, ok := c.ExpectedOutputTokens(tt, rung)
		switch {
		case !ok:
			continue
		case *result.Output == want:
			exact++
		case *result.Output < want:
			short++
			t.Logf("%s: %d of %d tokens", file, *result.Output, want)
		default:
			t.Errorf("%s: got %d tokens, more than %d", file, *result.Output, want)
		}
	}
	if exact < 10*short || exact == 0 {
		t.Errorf("%d runs report what the seed fixes, %d do not", exact, short)
	}
	t.Logf("%d exact, %d short", exact, short)
}

// testOf returns the slug of the test that a result file belongs to.
func testOf(name string) (string, bool) {
	for prefix, slug := range map[string]string{"07-": "office-baseline", "09-": "reasoning", "10-": "monday-peak", "11-rate-sweep-": "rate-sweep"} {
		if len(name) > len(prefix) && name[:len(prefix)] == prefix {
			return slug, true
		}
	}
	return "", false
}
