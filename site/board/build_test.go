package board

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/facts"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// testContract is a small contract with one test of each kind.
func testContract(t testing.TB) *contract.Contract {
	t.Helper()
	const name = "../../results/verdict/testdata/contract.toml"
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

// tails returns a figure with its median and p95.
func tails(key metric.Key, p50, p95 float64) bundle.Figure {
	m, _ := metric.Lookup(key)
	return bundle.Figure{
		Metric: key, Name: string(key), Unit: m.Unit, Median: &p50,
		Percentiles: []bundle.Percentile{{P: 95, Value: p95}},
	}
}

func closed(prompt, output, concurrency int, figures ...bundle.Figure) bundle.Cell {
	return bundle.Cell{PromptTokens: prompt, OutputTokens: output, Concurrency: concurrency, Runs: 3, Reported: figures}
}

func arriving(rate float64, completed, failed int, figures ...bundle.Figure) bundle.Cell {
	return bundle.Cell{
		RequestRate: new(bundle.Rate(rate)),
		Requests:    &bundle.Requests{Completed: &completed, Failed: &failed},
		Reported:    figures,
	}
}

// sweep returns cells of a rate sweep with the given p95 TTFT in ms per rung, from
// 0.1 requests per second up.
func sweep(p95 ...float64) []bundle.Cell {
	rates := []float64{0.1, 0.2, 0.3, 0.5, 0.7, 1.0}
	prompts := []int{100, 100, 100, 125, 175, 250}
	var out []bundle.Cell
	for i, v := range p95 {
		out = append(out, arriving(rates[i], prompts[i], 0,
			tails(metric.TTFT, v/2, v), single(metric.RequestRate, rates[i]*0.9),
			single(metric.Output, 1000*rates[i]), single(metric.PeakConcurrency, float64(10*(i+1)))))
	}
	return out
}

// A run describes a made-up bundle.
type run struct {
	model, profile string
	at             string  // start, RFC 3339
	speed, std     float64 // of one request, chat at concurrency 1; 0 for a run without chat
	total          float64 // of ten requests
	change         func(*bundle.Bundle)
}

const (
	platform = "box"
	source   = "https://example.org/numbers"
)

// item builds the bundle of a run; its id is derived from what it says.
func (r run) item(c *contract.Contract) Item {
	at := r.at
	if at == "" {
		at = "2026-01-02T03:04:05Z"
	}
	b := &bundle.Bundle{
		Kind: bundle.Import, StartedAt: at, Platform: platform, Profile: r.profile,
		Contract: &bundle.ContractPin{Version: c.Version, SHA256: c.Digest},
		Source:   &bundle.Source{URL: source},
		Model:    bundle.Model{ID: r.model},
		Server:   bundle.Server{Name: "vllm"},
	}
	if r.speed > 0 {
		b.Tests = append(b.Tests, bundle.Test{Slug: "chat", Cells: []bundle.Cell{
			closed(1024, 1024, 1, fig(metric.DecodeRequest, r.speed, r.std), fig(metric.Decode, r.speed, r.std), fig(metric.TTFT, 90, 1)),
			closed(1024, 1024, 10, fig(metric.DecodeRequest, r.speed/2, r.speed/4), fig(metric.Decode, r.total, 1)),
		}})
	}
	if r.change != nil {
		r.change(b)
	}
	return Item{ID: fmt.Sprintf("%s/%s/%s/%v/%s", r.model, r.profile, at, r.speed, b.Kind), Bundle: b}
}

// build puts runs onto boards.
func build(t testing.TB, runs ...run) Set {
	t.Helper()
	c := testContract(t)
	in := Input{Contracts: []*contract.Contract{c}}
	for _, r := range runs {
		in.Items = append(in.Items, r.item(c))
	}
	return Build(in)
}

// profiles lists the rows' profiles in order.
func profiles(rows []Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Config.Profile)
	}
	return out
}

func codes(list []verdict.Reason) []string {
	var out []string
	for _, r := range list {
		out = append(out, r.Code)
	}
	return out
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}

func TestBoardsAreKeptApart(t *testing.T) {
	t.Parallel()
	set := build(t,
		run{model: "o/m", profile: "a", speed: 10},
		run{model: "o/m", profile: "own", speed: 10, change: func(b *bundle.Bundle) { b.Kind, b.Source = bundle.Run, nil }},
		run{model: "o/m", profile: "other", speed: 10, change: func(b *bundle.Bundle) { b.Source.URL = "https://example.org/else" }},
		run{model: "o/m", profile: "elsewhere", speed: 10, change: func(b *bundle.Bundle) { b.Platform = "box2" }},
		run{model: "o/m", profile: "strange", speed: 10, change: func(b *bundle.Bundle) { b.Contract.SHA256 = "beef" }},
		run{model: "o/m", profile: "free", speed: 10, change: func(b *bundle.Bundle) { b.Contract = nil }},
		run{model: "o/m", profile: "sim", speed: 10, change: func(b *bundle.Bundle) { b.Kind = bundle.Simulated }},
	)
	type got struct {
		Profiles []string
		Ranked   bool
		Why      []string
		Rank     int
	}
	have := map[string]got{}
	for _, b := range set.Boards {
		if len(b.Rows) != 1 {
			t.Errorf("board %v has rows %v", b.Key, profiles(b.Rows))
		}
		have[b.Rows[0].Config.Profile] = got{profiles(b.Rows), b.Ranked, codes(b.Unranked), b.Rows[0].Rank}
	}
	equal(t, "boards", have, map[string]got{
		"a":         {[]string{"a"}, true, nil, 1},
		"own":       {[]string{"own"}, true, nil, 1},
		"other":     {[]string{"other"}, true, nil, 1},
		"elsewhere": {[]string{"elsewhere"}, true, nil, 1},
		"strange":   {[]string{"strange"}, false, []string{ReasonUnknownContract}, 0},
		"free":      {[]string{"free"}, false, []string{verdict.ReasonNoContract}, 0},
		"sim":       {[]string{"sim"}, false, []string{ReasonSimulated}, 0},
	})
	for i, b := range set.Boards[1:] {
		if b.Ranked && !set.Boards[i].Ranked {
			t.Error("a ranked board stands behind an unranked one")
		}
	}
}

func TestBuildDoesNotDependOnInputOrder(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	in := Input{Contracts: []*contract.Contract{c}}
	for i, speed := range []float64{30, 12, 12.1, 50, 0} {
		in.Items = append(in.Items, run{model: "o/m", profile: fmt.Sprint("p", i), speed: speed, total: speed}.item(c))
	}
	in.Items = append(in.Items, run{model: "o/m", profile: "p1", at: "2025-01-01T00:00:00Z", speed: 11}.item(c))
	want := Build(in)
	slices.Reverse(in.Items)
	in.Items = append(in.Items, in.Items[2], Item{ID: "nil"}) // once more, and nothing
	if got := Build(in); !reflect.DeepEqual(got, want) {
		t.Error("another input order gave another result")
	}
}

func TestNewestRanks(t *testing.T) {
	t.Parallel()
	set := build(t,
		run{model: "o/m", profile: "p", at: "2026-01-01T00:00:00Z", speed: 10},
		run{model: "o/m", profile: "p", at: "2026-03-01T00:00:00.5Z", speed: 30},
		run{model: "o/m", profile: "p", at: "2026-03-01T00:00:00Z", speed: 20},
		run{model: "o/m", profile: "p", at: "2026-04-01T00:00:00Z", speed: 99, change: func(b *bundle.Bundle) { b.Engine.Dirty = true }},
	)
	b := set.Boards[0]
	equal(t, "rows", len(b.Rows), 1)
	equal(t, "speed", b.Rows[0].Values[0].Number, 30)
	equal(t, "date", b.Rows[0].Date, "2026-03-01")
	equal(t, "history", len(b.History), 3)
	config := set.Configurations[0]
	equal(t, "current", config.Current, []RowRef{{ID: b.Rows[0].ID}})
	for _, ref := range config.History {
		equal(t, "reasons", codes(ref.Reasons), []string{ReasonOlder})
		if r := set.Row(ref); r == nil || r.ID != ref.ID || r.ID == b.Rows[0].ID {
			t.Errorf("reference %v leads to %v", ref, r)
		}
	}
}

func TestDirtyDoesNotRank(t *testing.T) {
	t.Parallel()
	set := build(t, run{model: "o/m", profile: "p", speed: 10, change: func(b *bundle.Bundle) { b.Engine.Dirty = true }})
	equal(t, "rank", set.Boards[0].Rows[0].Rank, 0)
	equal(t, "reasons", codes(set.Boards[0].Rows[0].Unranked), []string{ReasonDirty})
}

func TestWithdrawn(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	correcting := func(it Item) func(*bundle.Bundle) {
		return func(b *bundle.Bundle) { b.Supersedes = it.ID }
	}
	first := run{model: "o/m", profile: "p", at: "2026-01-01T00:00:00Z", speed: 10}.item(c)
	second := run{model: "o/m", profile: "p", at: "2026-01-01T00:00:00Z", speed: 20, change: correcting(first)}.item(c)
	third := run{model: "o/m", profile: "p", at: "2026-01-01T00:00:00Z", speed: 30, change: correcting(second)}.item(c)
	bad := run{model: "o/m", profile: "q", speed: 40}.item(c)
	in := Input{
		Items: []Item{second, bad, first, third}, Contracts: []*contract.Contract{c},
		Retractions: []Retraction{{ID: bad.ID, Date: "2026-02-01", Reason: "wrong_checkpoint"}, {ID: "not here"}},
	}
	set := Build(in)
	equal(t, "rows", profiles(set.Boards[0].Rows), []string{"p"})
	equal(t, "the correction stands", set.Boards[0].Rows[0].ID, third.ID)
	equal(t, "replaces", set.Boards[0].Rows[0].Replaces, []string{second.ID, first.ID})
	var by []string
	for _, w := range set.Withdrawn {
		by = append(by, w.ID+" by "+w.By)
		equal(t, "retracted", w.Retraction != nil, w.ID == bad.ID)
	}
	slices.Sort(by)
	equal(t, "withdrawn", by, []string{first.ID + " by " + second.ID, second.ID + " by " + third.ID, bad.ID + " by "})
	q := set.Configuration(ConfigKey{platform, "o/m", "q"})
	equal(t, "retracted configuration", q.Current, []RowRef(nil))
	equal(t, "its history", codes(q.History[0].Reasons), []string{ReasonRetracted})
	if set.Row(q.History[0]) != nil {
		t.Error("a withdrawn bundle has a row")
	}

	in.Retractions = []Retraction{{ID: third.ID}}
	set = Build(in)
	equal(t, "a corrected bundle does not come back", profiles(set.Boards[0].Rows), []string{"q"})
}

func TestSiblings(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	in := Input{Contracts: []*contract.Contract{c}, Facts: facts.Catalog{Models: []facts.Model{{
		ID: "m", Checkpoints: []facts.Checkpoint{{ID: "o/m"}, {ID: "o/m-fp8", Precision: "fp8"}},
	}}}}
	for _, r := range []run{
		{model: "o/m", profile: "bf16", speed: 1}, {model: "o/m-fp8", profile: "fp8", speed: 1}, {model: "o/n", profile: "bf16", speed: 1},
	} {
		in.Items = append(in.Items, r.item(c))
	}
	set := Build(in)
	family := func(model, profile string) string {
		return set.Configuration(ConfigKey{platform, model, profile}).Family
	}
	equal(t, "siblings", family("o/m", "bf16"), family("o/m-fp8", "fp8"))
	equal(t, "alone", family("o/n", "bf16"), "o/n")
	if set.Configuration(ConfigKey{"x", "o/m", "bf16"}) != nil {
		t.Error("found a configuration that does not exist")
	}
}

func TestFactsOfARow(t *testing.T) {
	t.Parallel()
	c := testContract(t)
	value := 80.0
	in := Input{Contracts: []*contract.Contract{c}, Facts: facts.Catalog{
		Platforms: []facts.Platform{{ID: platform, Memory: &facts.Number{Value: 128e9}}},
		Models: []facts.Model{{
			ID: "m", TotalParams: &facts.Number{Value: 1e9},
			Checkpoints: []facts.Checkpoint{
				{ID: "o/m", Precision: "bf16", Bytes: &facts.Number{Value: 2.1e9}},
				{ID: "o/m-fp8", Precision: "fp8"},
				{ID: "o/m-odd", Precision: "q9"},
			},
			Quality: []facts.Quality{{Checkpoint: "o/m", Dimension: facts.Science, Benchmark: "B", Value: &value, Suggested: true}},
		}},
	}}
	for _, m := range []string{"o/m", "o/m-fp8", "o/m-odd", "o/unknown"} {
		in.Items = append(in.Items, run{model: m, profile: "p", speed: 1}.item(c))
	}
	b := Build(in).Boards[0]
	type got struct {
		Precision           string
		Known, Nominal      bool
		Bytes               float64
		Quality, SameModel  bool
		Knowledge, HasTotal bool
	}
	have := map[string]got{}
	for _, r := range b.Rows {
		have[r.Config.Model] = got{
			r.Precision, r.Memory.Known, r.Memory.Nominal, r.Memory.WeightBytes,
			r.Quality[1].Known, r.Quality[1].SameModel, r.Quality[0].Known, r.Memory.Usable != nil,
		}
	}
	equal(t, "facts", have, map[string]got{
		"o/m":       {"bf16", true, false, 2.1e9, true, true, false, true},
		"o/m-fp8":   {"fp8", true, true, 1e9, true, false, false, true},
		"o/m-odd":   {"q9", false, false, 0, true, false, false, true},
		"o/unknown": {"", false, false, 0, false, false, false, true},
	})
}

func TestValuesCarryTheirFindings(t *testing.T) {
	t.Parallel()
	v := build(t, run{model: "o/m", profile: "p", speed: 10, std: 9}).Boards[0].Rows[0].Values[0]
	if len(v.Findings) == 0 || v.Findings[0].Code != audit.HighVariation || !v.Ranks() {
		t.Errorf("value %v: want a finding that does not exclude it", v)
	}
}
