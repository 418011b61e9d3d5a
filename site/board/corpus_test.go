package board

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.org/arena/results/ingest/formats"

	"example.org/arena/content"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
)

// A world is the launch data, imported afresh and built into boards.
type world struct {
	content *content.Content
	items   []Item
	set     Set
	runs    map[string]*verdict.Run  // by id of the bundle
	summary map[string]sourceSummary // by "model profile"
}

// A sourceSummary is the part of a source's own summary of a sweep that a
// capacity has to agree with.
type sourceSummary struct {
	Model      string           `json:"model"`
	Profile    string           `json:"profile"`
	Capacities map[string]*rung `json:"capacity_by_slo_ms"`
	Steps      []rung           `json:"steps"`
}

type rung struct {
	Rate     float64 `json:"configured_rps"`
	Achieved float64 `json:"achieved_rps"`
	P95      float64 `json:"ttft_p95_ms"`
	Output   float64 `json:"output_tps"`
	Peak     float64 `json:"peak_concurrent"`
}

// launch imports the data once for all tests.
var launch = sync.OnceValues(func() (*world, error) {
	dir := os.Getenv("ARENA_CORPUS")
	if dir == "" {
		return nil, nil
	}
	w := &world{summary: map[string]sourceSummary{}, runs: map[string]*verdict.Run{}}
	var err error
	if w.content, err = content.Load(content.FS); err != nil {
		return nil, err
	}
	inputs, err := w.read(os.DirFS(filepath.Join(dir, "dgx-spark-benchmarks", "results")))
	if err != nil {
		return nil, err
	}
	if err := w.add("suite", inputs, "dgx-spark-benchmarks"); err != nil {
		return nil, err
	}
	for _, name := range []string{"vllm-direct", "vllm-dspark", "sglang-direct", "sglang-dspark"} {
		data, err := os.ReadFile(filepath.Join(dir, "kimi-k3-dgx-b300", name+".csv"))
		if err != nil {
			return nil, err
		}
		if err := w.add("concurrency-csv", []ingest.Input{{Name: name + ".csv", Data: data}}, "kimi-k3-"+name); err != nil {
			return nil, err
		}
	}
	rules := verdict.Rules{Contracts: w.content.Contracts, Facts: w.content.Catalog}
	for _, it := range w.items {
		w.runs[it.ID] = new(rules.Judge(it.Bundle))
	}
	w.set = Build(Input{Items: w.items, Contracts: w.content.Contracts, Facts: w.content.Catalog})
	return w, nil
})

// read returns the files of the suite and notes the source's summaries.
func (w *world) read(fsys fs.FS) ([]ingest.Input, error) {
	var inputs []ingest.Input
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		inputs = append(inputs, ingest.Input{Name: name, Data: data})
		if path.Base(name) != "11-rate-sweep.json" {
			return nil
		}
		var s sourceSummary
		if err := json.Unmarshal(data, &s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		w.summary[s.Model+" "+s.Profile] = s
		return nil
	})
	return inputs, err
}

// add imports files and keeps the bundles with their identities.
func (w *world) add(format string, inputs []ingest.Input, metadata string) error {
	name := filepath.Join("..", "..", "content", "imports", metadata+".toml")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	meta, err := content.ParseMetadata(name, data)
	if err != nil {
		return err
	}
	opt := ingest.Options{Engine: bundle.EnginePin{Version: "test", Go: "go"}}
	if meta.Contract != "" {
		opt.Contract, _ = w.content.Contract(meta.Contract)
	}
	bundles, err := formats.Import(format, inputs, meta, opt)
	if err != nil {
		return err
	}
	for _, b := range bundles {
		data, err := bundle.Encode(b)
		if err != nil {
			return err
		}
		w.items = append(w.items, Item{ID: bundle.ID(data), Bundle: b})
	}
	return nil
}

func launchData(t *testing.T) *world {
	t.Helper()
	w, err := launch()
	if err != nil {
		t.Fatal(err)
	}
	if w == nil {
		t.Skip("SKIPPED: ARENA_CORPUS is not set, so boards are not built from the launch data")
	}
	return w
}

// spark returns the board of the 29 configurations.
func (w *world) spark(t *testing.T) *Board {
	t.Helper()
	for i := range w.set.Boards {
		if b := &w.set.Boards[i]; b.Key.Platform == "dgx-spark" {
			return b
		}
	}
	t.Fatal("no board of the Spark")
	return nil
}

// row returns the row whose model contains the text and whose profile is given.
func row(t *testing.T, b *Board, model, profile string) *Row {
	t.Helper()
	for i := range b.Rows {
		if r := &b.Rows[i]; strings.Contains(r.Config.Model, model) && r.Config.Profile == profile {
			return r
		}
	}
	t.Fatalf("no row %s %s", model, profile)
	return nil
}

func TestLaunchBoards(t *testing.T) {
	t.Parallel()
	w := launchData(t)
	type brief struct {
		Contract, Platform string
		Ranked             bool
		Rows               int
		Why                []string
	}
	var got []brief
	for _, b := range w.set.Boards {
		got = append(got, brief{b.Key.Contract, b.Key.Platform, b.Ranked, len(b.Rows), codes(b.Unranked)})
	}
	equal(t, "boards", got, []brief{
		{"v2", "dgx-spark", true, 29, nil},
		{"", "dgx-b300", false, 4, []string{verdict.ReasonNoContract}},
	})
	for _, r := range w.spark(t).Rows {
		if r.Family == nil || r.Memory.Usable == nil {
			t.Errorf("%v has no facts", r.Config)
		}
		// No source says in which precision this checkpoint was published.
		if doubtful := strings.Contains(r.Config.Model, "Ministral-3-8B"); r.Memory.Known == doubtful {
			t.Errorf("%v: memory known %v", r.Config, r.Memory.Known)
		}
	}
}

// TestLaunchCapacities compares capacities with the source's own summaries. The
// summaries write null for "no rung" and for "no data" alike.
func TestLaunchCapacities(t *testing.T) {
	t.Parallel()
	w := launchData(t)
	b := w.spark(t)
	compared := 0
	for i := range b.Rows {
		r := &b.Rows[i]
		want, ok := w.summary[r.Config.Model+" "+r.Config.Profile]
		if !ok {
			t.Errorf("no summary of %v", r.Config)
			continue
		}
		compared++
		run := w.runs[r.ID]
		for _, k := range run.Test("rate-sweep").Capacities(b.Contract.TTFTLimits) {
			source := want.Capacities[fmt.Sprint(k.LimitMS)]
			what := fmt.Sprintf("%s %s under %d ms", r.Config.Model, r.Config.Profile, k.LimitMS)
			switch {
			case source == nil && len(want.Steps) == 0:
				equal(t, what, k.Rate.Missing, verdict.NoData)
			case source == nil:
				equal(t, what, k.Rate.Missing, verdict.NoRung)
			case !k.Rate.Known:
				t.Errorf("%s: %s, the source says %v", what, k.Rate.Missing, source.Rate)
			default:
				got := rung{
					k.Rate.Number, rounded(k.Rung.Achieved.Number, 3), rounded(k.Rung.TTFTP95.Number, 1),
					rounded(k.Rung.Output.Number, 1), k.Rung.Peak.Number,
				}
				equal(t, what, got, *source)
			}
		}
		// The summary in the bundle says the same.
		for _, c := range run.Test("rate-sweep").Test.Sweep.Capacities {
			source := want.Capacities[fmt.Sprint(c.LimitMS)]
			if (source == nil) != (c.RatePerS == nil) || source != nil && source.Rate != *c.RatePerS {
				t.Errorf("%v: the bundle has %v, the source %v", r.Config, c, source)
			}
		}
	}
	equal(t, "configurations compared", compared, 29)
}

func rounded(v float64, digits int) float64 {
	p := math.Pow10(digits)
	return math.Round(v*p) / p
}

func TestLaunchStatuses(t *testing.T) {
	t.Parallel()
	w := launchData(t)
	b := w.spark(t)
	type brief struct {
		Completeness      contract.Completeness
		Measured          int
		Counts            bool
		Completed, Number int
	}
	of := func(model, profile, slug string) brief {
		s := w.runs[row(t, b, model, profile).ID].Test(slug)
		return brief{s.Completeness, s.Measured, s.Counts, s.Success.Completed, s.Success.Requests}
	}
	odd := map[[3]string]brief{
		{"Ministral-3-8B", "bf16", "rate-sweep"}:         {contract.StoppedEarly, 1, true, 100, 100},
		{"Nano-Omni", "nvfp4", "rate-sweep"}:             {contract.StoppedEarly, 3, true, 300, 300},
		{"Nano-Omni", "fp8", "rate-sweep"}:               {contract.NoData, 0, false, 0, 0},
		{"Nano-Omni", "fp8", "monday-peak"}:              {contract.Complete, 1, false, 198, 300},
		{"Nemotron-3-Nano-4B", "fp8", "office-baseline"}: {contract.Complete, 1, true, 199, 200},
		{"Qwen3.6-27B-FP8", "fp8", "sharegpt"}:           {contract.Complete, 1, true, 249, 250},
	}
	for key, want := range odd {
		equal(t, strings.Join(key[:], " "), of(key[0], key[1], key[2]), want)
	}
	// Everything else is complete and counts.
	others := 0
	for i := range b.Rows {
		for _, s := range b.Rows[i].Tests {
			special := false
			for key := range odd {
				special = special || s.Slug == key[2] && strings.Contains(b.Rows[i].Config.Model, key[0]) && b.Rows[i].Config.Profile == key[1]
			}
			if special {
				continue
			}
			others++
			if s.Completeness != contract.Complete || !s.Counts {
				t.Errorf("%v %s: %s, counts %v (%v)", b.Rows[i].Config, s.Slug, s.Completeness, s.Counts, codes(s.Reasons))
			}
		}
	}
	equal(t, "other tests", others, 29*11-len(odd))
	equal(t, "reason", w.runs[row(t, b, "Ministral-3-8B", "bf16").ID].Test("rate-sweep").Stopped.Reason, bundle.StopErrors)
}

// excluding returns the findings that keep a quantity of a cell out of rankings.
func excluding(findings []audit.Finding, test string, cell int, key metric.Key) []audit.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f audit.Finding) bool {
		return f.Severity != audit.Error || !f.Concerns(test, cell, key)
	})
}

// TestLaunchFindings counts what the audit finds in the 29 configurations.
func TestLaunchFindings(t *testing.T) {
	t.Parallel()
	w := launchData(t)
	b := w.spark(t)
	short := map[string]int{} // output_tokens_mismatch by configuration and severity
	count := map[audit.Code]int{}
	flags := map[string]int{}
	for i := range b.Rows {
		for _, f := range w.runs[b.Rows[i].ID].Findings {
			count[f.Code]++
			if f.Code == audit.OutputTokensMismatch {
				short[b.Rows[i].Config.Model+" "+string(f.Severity)]++
			}
			if f.Code == audit.ContractDeviation {
				flags[f.Test+" "+f.Args[1].Text+" "+string(f.Severity)]++
			}
		}
	}
	t.Log(count)
	equal(t, "tokens short", short, map[string]int{
		"openai/gpt-oss-20b error":                                9,
		"nvidia/Nemotron-3-Nano-Omni-30B-A3B-Reasoning-FP8 error": 1,
		"nvidia/NVIDIA-Nemotron-3-Nano-4B-FP8 info":               1,
	})
	equal(t, "success below the threshold", count[audit.SuccessBelowThreshold], 1)
	equal(t, "depth counted in tokens", count[audit.DepthIsTokens], 29)
	equal(t, "another tokenizer", count[audit.TokenizerFallback], 29*6)
	equal(t, "deviations", flags, map[string]int{"concurrency-stress --exit-on-first-fail info": 29})
	for _, code := range []audit.Code{audit.AllRequestsFailed, audit.ZeroTTFT, audit.PerSlotRate, audit.WrongTail, audit.ProjectedValue} {
		equal(t, string(code), count[code], 0)
	}
	// By hand: qwen3.5-2b chat at c=1 subtracts 50.20 of 88.17 ms.
	r := row(t, b, "Qwen3.5-2B", "bf16")
	found := excluding(w.runs[r.ID].Findings, "chat", 0, metric.Prefill)
	equal(t, "latency subtraction", len(found), 1)
	equal(t, "share", rounded(found[0].Args[2].Number, 4), rounded(50.20/88.17, 4))
}

// TestLaunchRanking looks at a few values that can be read off the source.
func TestLaunchRanking(t *testing.T) {
	t.Parallel()
	w := launchData(t)
	b := w.spark(t)
	for i, r := range b.Rows {
		if r.Rank == 0 {
			t.Errorf("%v has no rank: %v", r.Config, codes(r.Unranked))
		}
		if i > 0 && r.Values[0].Number > b.Rows[i-1].Values[0].Number {
			t.Errorf("row %d is faster than the one above", i)
		}
		t.Logf("%2d %-60s %-9s %8.2f %8.1f %8.0f", r.Rank, r.Config.Model, r.Config.Profile,
			r.Values[0].Number, r.Values[1].Number, r.Values[2].Number)
	}
	r := row(t, b, "Mistral-Small-4", "nvfp4")
	equal(t, "one user", r.Values[0].Number, 31.07)
	equal(t, "spread", *r.Values[0].Spread, verdict.Spread{Number: 0.04, Kind: "population", Of: verdict.Repetitions})
	equal(t, "many users", r.Values[1].Number, 80.21)
	equal(t, "ttft", rounded(r.Values[2].Number, 2), 1984.18)
	equal(t, "findings beside it", slices.ContainsFunc(r.Values[4].Findings, func(f audit.Finding) bool {
		return f.Code == audit.TokenizerFallback
	}), true)
	g := row(t, b, "gpt-oss-20b", "mxfp4")
	col, _ := b.Column(CapacityColumn(5000))
	v := b.Value(g, col)
	equal(t, "shown", v.Number, 1)
	equal(t, "but not ranked", codes(v.Excluded), []string{"output_tokens_mismatch"})
	ranking := b.RankBy(col)
	for i, rank := range ranking.Ranks {
		if (rank == 0) == b.Value(&b.Rows[i], col).Ranks() {
			t.Errorf("%v: rank %d", b.Rows[i].Config, rank)
		}
	}
}

func TestLaunchPairs(t *testing.T) {
	t.Parallel()
	w := launchData(t)
	got := map[string][]string{}
	for _, p := range w.set.Pairs {
		rows := w.set.Boards[p.Board].Rows
		var names []string
		for _, d := range p.Differences {
			names = append(names, d.Kind+" "+d.Name)
		}
		got[rows[p.Without].Config.Profile+" / "+rows[p.With].Config.Profile] = names
	}
	equal(t, "pairs", got, map[string][]string{
		"bf16 / bf16-spec":              nil,
		"vllm-direct / vllm-dspark":     {"argument --max-num-seqs"},
		"sglang-direct / sglang-dspark": {"argument --mamba-full-memory-ratio"},
	})
}
