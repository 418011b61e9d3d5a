package audit

import (
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/metric"
)

// testContract is a small contract with one test of each kind.
func testContract(t *testing.T) *contract.Contract {
	t.Helper()
	const name = "testdata/contract.toml"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// of returns a bundle with one test that has the given cells.
func of(slug string, cells ...bundle.Cell) *bundle.Bundle {
	return &bundle.Bundle{Tests: []bundle.Test{{
		Slug: slug, Tool: &bundle.Tool{Name: "llama-benchy"}, Cells: cells,
	}}}
}

// closed returns a cell of a closed loop.
func closed(concurrency int, figures ...bundle.Figure) bundle.Cell {
	return bundle.Cell{PromptTokens: 1024, OutputTokens: 1024, Concurrency: concurrency, Runs: 3, Reported: figures}
}

// arriving returns a cell of an open loop with its outcome.
func arriving(rate float64, completed, failed int, tokens int64, figures ...bundle.Figure) bundle.Cell {
	return bundle.Cell{
		RequestRate: new(bundle.Rate(rate)),
		Requests:    &bundle.Requests{Completed: &completed, Failed: &failed},
		Tokens:      &bundle.Tokens{Output: &tokens},
		Reported:    figures,
	}
}

// fig returns a figure with a mean and, when it is not negative, a standard
// deviation.
func fig(key metric.Key, mean, std float64) bundle.Figure {
	m, _ := metric.Lookup(key)
	f := bundle.Figure{Metric: key, Name: string(key), Unit: m.Unit, Mean: &mean}
	if std >= 0 {
		f.Std, f.StdKind = &std, "population"
	}
	return f
}

// single returns a figure with one value.
func single(key metric.Key, v float64) bundle.Figure {
	m, _ := metric.Lookup(key)
	return bundle.Figure{Metric: key, Name: string(key), Unit: m.Unit, Value: &v}
}

// A brief is what a test wants to know of a finding.
type brief struct {
	Code     Code
	Severity Severity
	Test     string
	Cell     int
}

func briefs(list []Finding) []brief {
	var out []brief
	for _, f := range list {
		out = append(out, brief{f.Code, f.Severity, f.Test, f.Cell})
	}
	return out
}

func wantFindings(t *testing.T, got []Finding, want ...brief) {
	t.Helper()
	for _, f := range got {
		wantParams(t, f)
	}
	if have := briefs(got); !reflect.DeepEqual(have, want) {
		t.Errorf("findings\n got %v\nwant %v", have, want)
	}
}

// wantParams checks that a finding carries what its rule says, in order.
func wantParams(t *testing.T, f Finding) {
	t.Helper()
	var params []Param
	for _, r := range Rules {
		if r.Code == f.Code {
			params = r.Params
		}
	}
	args := f.Args
	for _, p := range params {
		if len(args) == 0 || args[0].Name != p.Name {
			if !p.Optional {
				t.Errorf("%s: no argument %q in %v", f.Code, p.Name, f.Args)
			}
			continue
		}
		if (args[0].Text != "") != p.Text || !p.OfMetric && args[0].Unit != p.Unit {
			t.Errorf("%s: argument %+v, want %+v", f.Code, args[0], p)
		}
		args = args[1:]
	}
	if len(args) > 0 && f.Code != ProjectedValue {
		t.Errorf("%s: arguments %v that its rule does not name", f.Code, args)
	}
}

// arg returns the argument with the given name.
func arg(t *testing.T, f Finding, name string) Arg {
	t.Helper()
	for _, a := range f.Args {
		if a.Name == name {
			return a
		}
	}
	t.Fatalf("%s has no argument %q: %v", f.Code, name, f.Args)
	return Arg{}
}

func TestRulesAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[Code]bool{}
	for _, r := range Rules {
		if r.Check == nil || seen[r.Code] {
			t.Errorf("rule %q has no function or comes twice", r.Code)
		}
		seen[r.Code] = true
		if got := r.Check(Input{Bundle: &bundle.Bundle{}}); len(got) != 0 {
			t.Errorf("rule %s found %v in an empty bundle", r.Code, got)
		}
	}
}

// TestRulesKeepTheirCode checks that the findings of a rule carry its code, on
// input that every rule finds something in.
func TestRulesKeepTheirCode(t *testing.T) {
	t.Parallel()
	in := faulty(t)
	for _, r := range Rules {
		got := r.Check(in)
		if len(got) == 0 {
			t.Errorf("rule %s found nothing in the faulty bundle", r.Code)
		}
		for _, f := range got {
			if f.Code != r.Code {
				t.Errorf("rule %s found %s", r.Code, f.Code)
			}
		}
	}
}

// faulty returns input in which every rule finds something.
func faulty(t *testing.T) Input {
	t.Helper()
	b := of("chat",
		closed(1, fig(metric.Prefill, 9000, 100), fig(metric.TTFR, 100, 1), fig(metric.EstimatedPrefill, 60, 1),
			fig(metric.Decode, 40, 20), fig(metric.DecodeRequest, 40, 50), fig(metric.TTFT, 0, -1), fig(metric.Peak, 30, 0)),
		closed(10, fig(metric.Decode, 400, 1), single(metric.RequestRate, 0.1), fig(metric.E2E, 10000, -1)),
	)
	b.Tests[0].LatencyMS = new(40.0)
	b.Tests[0].Command = &bundle.Command{Argv: []string{"uvx", "llama-benchy==0.4.0", "--pp", "2048"}}
	b.Tests[0].Notes = []bundle.Note{{Code: bundle.NoteTokenizerFallback, Args: []bundle.Setting{{Name: "tokenizer", Value: "gpt2"}}}}
	p90 := single(metric.OutputRequest, 20)
	p90.Percentiles = []bundle.Percentile{{P: 90, Value: 30}}
	made := closed(1, p90)
	made.Notes = []bundle.Note{{Code: NoteProjected}}
	b.Tests = append(b.Tests,
		bundle.Test{Slug: "multi-turn", Cells: []bundle.Cell{made}},
		bundle.Test{Slug: "office-baseline", Cells: []bundle.Cell{
			arriving(0.3, 190, 10, 90000, fig(metric.ITL, 60, -1), fig(metric.TPOT, 20, -1)),
		}},
		bundle.Test{Slug: "rate-sweep", Cells: []bundle.Cell{arriving(0.1, 0, 100, 0)}},
		bundle.Test{Slug: "own-chat", Cells: []bundle.Cell{own(func(c *bundle.Cell) {
			c.Records.PromptTokens[0], c.Records.CompletionTokens[0], c.Records.CompletionTokens[1] = new(int64(90)), new(int64(5)), new(int64(30))
			c.Records.DoneUS[0] = new(int64(200_000))
			c.Counters = &bundle.Counters{PrefixQueryTokens: new(int64(400)), PrefixHitTokens: new(int64(40))}
			c.Client = &bundle.Client{LateP99US: 20_000, LateMaxUS: 30_000}
			c.Notes = []bundle.Note{{Code: "gpu_slowed_by_heat"}}
		})}},
	)
	return Input{Bundle: b, Contract: testContract(t)}
}

func TestAuditOrder(t *testing.T) {
	t.Parallel()
	got := Audit(faulty(t))
	last := -1
	place := map[string]int{"chat": 0, "multi-turn": 1, "office-baseline": 2, "rate-sweep": 3, "own-chat": 4}
	for i, f := range got {
		at := place[f.Test]*100 + f.Cell + 1
		if at < last {
			t.Errorf("finding %d (%s of %s, cell %d) stands too late", i, f.Code, f.Test, f.Cell)
		}
		last = at
	}
	if again := Audit(faulty(t)); !reflect.DeepEqual(got, again) {
		t.Error("the same input gave other findings")
	}
	if Audit(Input{}) != nil {
		t.Error("found something without a bundle")
	}
}

func TestPointOf(t *testing.T) {
	t.Parallel()
	c := closed(10)
	if got, want := PointOf(&c), (Point{PromptTokens: 1024, OutputTokens: 1024, Concurrency: 10}); got != want {
		t.Errorf("PointOf = %v, want %v", got, want)
	}
	c = arriving(0.3, 1, 0, 1)
	if got, want := PointOf(&c), (Point{RequestRate: 0.3}); got != want {
		t.Errorf("PointOf = %v, want %v", got, want)
	}
}

func TestPointString(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Point{
		"":                       {},
		"pp1024 tg1024 c10":      {PromptTokens: 1024, OutputTokens: 1024, Concurrency: 10},
		"context pp2048 tg32 d4": {PromptTokens: 2048, OutputTokens: 32, DepthTokens: 4, Phase: "context"},
		"pp4000 tg500 rate 0.3":  {PromptTokens: 4000, OutputTokens: 500, RequestRate: 0.3},
		"rate +Inf":              {RequestRate: math.Inf(1)},
	} {
		if got := p.String(); got != want {
			t.Errorf("String = %q, want %q", got, want)
		}
	}
}

func TestOverRuns(t *testing.T) {
	t.Parallel()
	counted := fig(metric.TTFT, 1, 1)
	counted.N = 30
	cases := []struct {
		name string
		cell bundle.Cell
		key  metric.Key
		want bool
	}{
		{"total of a batch", closed(10, fig(metric.Decode, 1, 1)), metric.Decode, true},
		{"requests of a batch", closed(10, fig(metric.DecodeRequest, 1, 1)), metric.DecodeRequest, false},
		{"one request per run", closed(1, fig(metric.TTFT, 1, 1)), metric.TTFT, true},
		{"samples counted", closed(1, counted), metric.TTFT, false},
		{"arrivals", arriving(1, 1, 0, 1, fig(metric.Output, 1, 1)), metric.Output, false},
		{"own: a rate per repetition", derived(own(func(c *bundle.Cell) { c.Runs = 1 })), metric.Output, true},
		{"own: a rate of fewer repetitions than planned", derived(own(func(c *bundle.Cell) { c.Runs = 3 })), metric.Output, true},
		{"own: requests side by side", derived(own(func(c *bundle.Cell) { c.Runs = 3 })), metric.TTFT, false},
		{"own: requests one at a time", derived(own(func(c *bundle.Cell) { c.Runs, c.Concurrency = 3, 1 })), metric.TTFT, true},
		{"own: turns one at a time", derived(own(func(c *bundle.Cell) {
			c.Runs, c.Concurrency, c.Records.Turn = 3, 1, []int{1, 2, 1, 2}
		})), metric.TTFT, false},
		{"own: gaps between chunks", derived(own(func(c *bundle.Cell) {
			c.Runs, c.Concurrency, c.Gaps = 3, 1, bundle.HistogramOf([]int64{1, 2, 3, 4, 5})
		})), metric.ITL, false},
	}
	for _, c := range cases {
		if got := OverRuns(&c.cell, c.key); got != c.want {
			t.Errorf("%s: OverRuns = %v, want %v", c.name, got, c.want)
		}
	}
}

// excluding returns the findings that keep one quantity of one cell out of
// rankings.
func excluding(list []Finding, test string, cell int, key metric.Key) []Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f Finding) bool { return f.Severity != Error || !f.Concerns(test, cell, key) })
}
