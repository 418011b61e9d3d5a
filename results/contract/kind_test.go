package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"example.org/arena/results/contract"
)

// An answer is what a test of a kind says of itself.
type answer struct {
	loop   contract.Loop
	tool   contract.Tool
	closed bool
	own    bool
	texts  bool
}

// TestKinds goes through every test of the published contracts: each is of a kind
// that is known here, every kind occurs, and its answers fit together.
func TestKinds(t *testing.T) {
	t.Parallel()
	want := map[string]answer{
		"contract.Batches":       {contract.Closed, contract.LlamaBenchy, true, false, false},
		"contract.VLLMServe":     {contract.Open, contract.VLLMBench, false, false, false},
		"contract.Refill":        {contract.Closed, contract.Native, true, true, true},
		"contract.Conversations": {contract.Closed, contract.Native, true, true, true},
		"contract.OpenLoop":      {contract.Open, contract.Native, false, true, true},
	}
	seen := map[string]bool{}
	for _, version := range []string{"v1", "v2", "v3"} {
		for _, test := range load(t, version).Tests {
			kind := fmt.Sprintf("%T", test.Kind)
			seen[kind] = true
			got := answer{test.Loop(), test.Tool(), test.Closed(), test.Own(), len(test.Texts()) > 0 || test.FromFile() && test.Own()}
			if w, ok := want[kind]; !ok || got != w {
				t.Errorf("%s %s: a test of the kind %s says %+v, want %+v", version, test.Slug, kind, got, w)
			}
			checkAnswers(t, version, test)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("the contracts have the kinds %v, want each of %d", seen, len(want))
	}
}

func checkAnswers(t *testing.T, version string, test contract.Test) {
	t.Helper()
	_, closed := test.Grid()
	_, open := test.Arrivals()
	_, slots := test.Slots()
	is := func(ok bool, what string) {
		if !ok {
			t.Errorf("%s %s: %s", version, test.Slug, what)
		}
	}
	is(closed != open, "a loop is either closed or open")
	is(slots == (closed && test.Own()), "slots are what closed loops of our own have")
	is(test.SuccessCounts() == open, "the success threshold is for open loops")
	is((test.Runs() > 0) == closed, "a closed loop is measured several times, an open one once")
	is(!test.FromFile() || open, "only an open loop takes its prompts from a file")
	is(test.Sweeps() == (test.Slug == "rate-sweep"), "the rate sweep has several rates, and no other test")
	is(test.Turns() == 1 || version == "v3" && test.Slug == "multi-turn" && test.Turns() == 5, "only the conversations of v3 have turns")
	is((test.StopP95TTFT() > 0) == (version == "v3" && test.Sweeps()), "only the sweep of v3 ends early")
	is(test.SubtractsLatency() == test.Tool().PrintsPrefill(), "llama-benchy subtracts a latency, and prints a prefill rate")
	is(len(test.Cells()) > 0, "it has cells")
	is(len(load(t, version).Commands(test, contract.Names{})) > 0, "it has a command")
}

// A test of no kind that there is fails where its file names the tool.
func TestUnknownKind(t *testing.T) {
	t.Parallel()
	v3 := string(readFile(t, "../../content/contracts/v3.toml"))
	for tool, want := range map[string]string{
		"wrk":          `c.toml:25: test[0].tool: no tool "wrk" for loop "closed": want "llama-benchy" for "closed", "vllm-bench-serve" for "open", or "arena"`,
		"llama-benchy": "c.toml:25: test[0].tool: no table [llama-benchy] in this file",
	} {
		text := strings.Replace(v3, `tool = "arena"`, fmt.Sprintf("tool = %q", tool), 1)
		if _, err := contract.Parse("c.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	var none contract.Test
	if none.Loop() != "" || none.Tool() != "" || none.Cells() != nil || none.Open() || none.Closed() {
		t.Errorf("a test of no kind says of itself: %q %q %v", none.Loop(), none.Tool(), none.Cells())
	}
	if list := load(t, "v3").Commands(none, contract.Names{}); list != nil {
		t.Errorf("a test of no kind has the commands %v", list)
	}
}
