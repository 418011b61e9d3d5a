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

// TestOutputDoesNotDependOnTokenizer shows why ExpectedOutputTokens needs none.
func TestOutputDoesNotDependOnTokenizer(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2"} {
		c := load(t, version)
		for _, tt := range c.Tests {
			a, _ := tt.Arrivals()
			if a.Dataset != contract.Random {
				continue
			}
			for rung, r := range a.Rungs {
				plain, err := a.Lengths(c.Seed).Draw(r.Prompts)
				if err != nil {
					t.Fatal(err)
				}
				for special := 1; special <= 4; special++ {
					lengths := a.Lengths(c.Seed)
					lengths.Special = special
					other, err := lengths.Draw(r.Prompts)
					if err != nil || !slices.EqualFunc(other, plain, func(x, y contract.Length) bool { return x.Output == y.Output }) {
						t.Errorf("%s %s, rung %d: %d special tokens change the output", version, tt.Slug, rung, special)
					}
				}
			}
		}
	}
}

// TestLengthsEqualNumpy compares with lengths as numpy draws them for the tool.
func TestLengthsEqualNumpy(t *testing.T) {
	t.Parallel()
	type vector struct {
		Seed    uint64  `json:"seed"`
		N       int     `json:"n"`
		Input   int     `json:"random_input_len"`
		Output  int     `json:"random_output_len"`
		Ratio   float64 `json:"range_ratio"`
		Special int     `json:"num_special_tokens_to_add"`

		InputLens  []int `json:"input_lens"`
		OutputLens []int `json:"output_lens"`

		InputFirst  []int `json:"input_lens_first10"`
		OutputFirst []int `json:"output_lens_first10"`
		InputSum    int   `json:"sum_input_lens"`
		OutputSum   int   `json:"sum_output_lens"`
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
	generate := func(v vector) (input, output []int) {
		list, err := contract.Lengths{Seed: v.Seed, Input: v.Input, Output: v.Output, RangeRatio: v.Ratio, Special: v.Special}.Draw(v.N)
		if err != nil || len(list) != v.N {
			t.Fatalf("got %d requests, %v, want %d", len(list), err, v.N)
		}
		for _, l := range list {
			input, output = append(input, l.Prompt), append(output, l.Output)
		}
		return input, output
	}
	for i, v := range file.Dataset {
		if input, output := generate(v); !slices.Equal(input, v.InputLens) || !slices.Equal(output, v.OutputLens) {
			t.Errorf("vector %d: lengths differ", i)
		}
	}
	for i, v := range file.Totals {
		input, output := generate(v)
		if !slices.Equal(input[:10], v.InputFirst) || !slices.Equal(output[:10], v.OutputFirst) {
			t.Errorf("total %d: lengths differ", i)
		}
		if total(input) != v.InputSum || total(output) != v.OutputSum {
			t.Errorf("total %d: got %d and %d, want %d and %d", i, total(input), total(output), v.InputSum, v.OutputSum)
		}
	}
}

func total(list []int) (sum int) {
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
