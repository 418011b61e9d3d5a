package audit

import (
	"math"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

func TestDepthIsTokens(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	cells := []bundle.Cell{closed(10, fig(metric.Decode, 1, 0))}
	wantFindings(t, depthIsTokens(Input{Bundle: of("multi-turn", cells...), Contract: c}),
		brief{DepthIsTokens, Warning, "multi-turn", WholeTest})
	wantFindings(t, depthIsTokens(Input{Bundle: of("chat", cells...), Contract: c}))
	wantFindings(t, depthIsTokens(Input{Bundle: of("multi-turn"), Contract: c})) // nothing measured
	for i := range c.Tests {
		if c.Tests[i].Slug == "multi-turn" {
			k := c.Tests[i].Kind.(contract.Batches)
			k.DepthTokens = []int{4096}
			c.Tests[i].Kind = k
		}
	}
	wantFindings(t, depthIsTokens(Input{Bundle: of("multi-turn", cells...), Contract: c}))
}

func TestContractDeviation(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	spec, _ := c.Test("chat")
	exact := c.Commands(spec, contract.Names{Model: "org/model", ServedName: "served"})[0].Argv
	cases := []struct {
		name string
		argv []string
		want []brief
		text string // of the parameter
	}{
		{"as written", exact, nil, ""},
		{"wrapped", append([]string{"stdbuf", "-oL"}, exact...), nil, ""},
		{
			"stops at a failure", append(append([]string{}, exact...), "--exit-on-first-fail"),
			[]brief{{ContractDeviation, Info, "chat", WholeTest}},
			"--exit-on-first-fail",
		},
		{
			"other load", strings.Fields(strings.Replace(strings.Join(exact, " "), "--runs 3", "--runs 1", 1)),
			[]brief{{ContractDeviation, Warning, "chat", WholeTest}},
			"--runs",
		},
	}
	for _, c2 := range cases {
		b := of("chat")
		b.Tests[0].Command = &bundle.Command{Argv: c2.argv}
		got := contractDeviation(Input{Bundle: b, Contract: c})
		t.Run(c2.name, func(t *testing.T) { wantFindings(t, got, c2.want...) })
		if len(got) == 1 && arg(t, got[0], "parameter").Text != c2.text {
			t.Errorf("%s: parameter %v", c2.name, got[0].Args)
		}
	}
	wantFindings(t, contractDeviation(Input{Bundle: of("chat"), Contract: c})) // no command recorded
}

func TestTokenizerFallback(t *testing.T) {
	t.Parallel()
	// 900 tokens in 300 ms are 3000 tokens per second: the label says 1024.
	b := of("chat", closed(1, fig(metric.PrefillRequest, 3000, 10), fig(metric.EstimatedPrefill, 300, 3)))
	wantFindings(t, tokenizerFallback(Input{Bundle: b}))
	b.Tests[0].Notes = []bundle.Note{{Code: bundle.NoteTokenizerFallback, Args: []bundle.Setting{{Name: "tokenizer", Value: "gpt2"}}}}
	got := tokenizerFallback(Input{Bundle: b})
	wantFindings(t, got, brief{TokenizerFallback, Warning, "chat", WholeTest})
	if arg(t, got[0], "tokenizer").Text != "gpt2" || arg(t, got[0], "label").Number != 1024 ||
		math.Abs(arg(t, got[0], "prompt").Number-900) > 1e-9 {
		t.Errorf("args %v", got[0].Args)
	}
	b.Tests[0].Cells[0].Figure(metric.EstimatedPrefill).Std = new(60.0) // too unsteady to tell
	if got := tokenizerFallback(Input{Bundle: b}); len(got[0].Args) != 1 {
		t.Errorf("args %v, want the tokenizer alone", got[0].Args)
	}
}

func TestProjectedValue(t *testing.T) {
	t.Parallel()
	made := closed(10, fig(metric.Decode, 1, 0))
	made.Notes = []bundle.Note{{Code: NoteProjected}}
	got := projectedValue(Input{Bundle: of("chat", closed(1), made)})
	wantFindings(t, got, brief{ProjectedValue, Error, "chat", 1})
	b := of("chat", closed(1))
	b.Tests[0].Notes = made.Notes
	wantFindings(t, projectedValue(Input{Bundle: b}), brief{ProjectedValue, Error, "chat", WholeTest})
}

func TestConcerns(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		finding Finding
		want    bool
	}{
		{"the bundle", Finding{Cell: WholeTest}, true},
		{"the test", Finding{Test: "chat", Cell: WholeTest}, true},
		{"the cell", Finding{Test: "chat", Cell: 2}, true},
		{"the quantity", Finding{Test: "chat", Cell: 2, Metrics: []metric.Key{metric.ITL, metric.TTFT}}, true},
		{"another test", Finding{Test: "rag-8k", Cell: WholeTest}, false},
		{"another cell", Finding{Test: "chat", Cell: 1}, false},
		{"another quantity", Finding{Test: "chat", Cell: 2, Metrics: []metric.Key{metric.ITL}}, false},
	}
	for _, c := range cases {
		if got := c.finding.Concerns("chat", 2, metric.TTFT); got != c.want {
			t.Errorf("%s: Concerns = %v, want %v", c.name, got, c.want)
		}
	}
}
