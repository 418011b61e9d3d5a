package site_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/ingest/formats"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/results/audit"
	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/metric"
	"example.org/arena/results/verdict"
	"example.org/arena/site/format"
)

// sampleFindings returns findings of a rule: with every combination of the
// arguments that it gives only sometimes, and with each kind of deviation.
func sampleFindings(t *testing.T, r audit.Rule) []audit.Finding {
	t.Helper()
	sets := [][]audit.Arg{nil}
	for _, p := range r.Params {
		var next [][]audit.Arg
		for _, have := range sets {
			if p.Optional {
				next = append(next, have)
			}
			for _, a := range sampleArgs(t, p) {
				next = append(next, append(slices.Clone(have), a))
			}
		}
		sets = next
	}
	var out []audit.Finding
	for _, args := range sets {
		out = append(out, audit.Finding{Severity: audit.Error, Code: r.Code, Args: args})
	}
	return out
}

// sampleArgs returns arguments as a parameter may have them.
func sampleArgs(t *testing.T, p audit.Param) []audit.Arg {
	t.Helper()
	switch {
	case p.Text && p.Name == "metric":
		return []audit.Arg{{Name: p.Name, Text: string(metric.TTFT)}}
	case p.Text && p.Name == "kind":
		var out []audit.Arg
		for _, kind := range constantsOf(t, "results/contract", "DeviationKind") {
			out = append(out, audit.Arg{Name: p.Name, Text: kind})
		}
		return out
	case p.Text:
		return []audit.Arg{{Name: p.Name, Text: "--runs"}}
	case p.Unit == metric.Ratio:
		return []audit.Arg{{Name: p.Name, Number: 0.66, Unit: p.Unit}, {Name: p.Name, Number: -0.178, Unit: p.Unit}}
	case p.OfMetric:
		return []audit.Arg{{Name: p.Name, Number: 12, Unit: metric.Millisecond}}
	}
	return []audit.Arg{{Name: p.Name, Number: 12.5, Unit: p.Unit}}
}

// TestFindingWords writes findings of every rule in every language: each text
// takes exactly the arguments that its rule gives.
func TestFindingWords(t *testing.T) {
	t.Parallel()
	c, _ := i18n.Load(i18n.FS) // what Load finds is another test's
	for _, r := range audit.Rules {
		for _, f := range sampleFindings(t, r) {
			writeFinding(c, f)
		}
	}
	faultsOfUse(t, c)
}

// engineNotes hold the arguments of every note that a run writes, in turn names and
// values, with and without those that it gives only sometimes.
var engineNotes = [][]string{
	{"address_withheld", "placeholder", "BASE_URL"},
	{"arguments_withheld", "flags", "--api-key --served-by"},
	{"cells_without_figures", "measured", "2", "planned", "3"},
	{"command_differs", "parameter", "--runs", "contract", "3", "recorded", "1"},
	{"command_differs", "parameter", "--runs", "contract", "3"},
	{"command_differs", "parameter", "--runs", "recorded", "1"},
	{"command_failed", "what", "exit", "exit", "2"},
	{"command_failed", "what", "not_found"},
	{"container_differs", "contract", "vllm"},
	{"dirty_engine"},
	{"draft_method_not_stated"},
	{"figure_left_out", "figure", "t/s (total)"},
	{"gpu_clock_capped", "clock_mhz", "1410", "limit_mhz", "2600"},
	{"gpu_clock_capped", "clock_mhz", "1410"},
	{"gpu_not_found", "tool", "nvidia-smi"},
	{"gpu_power_capped", "samples", "12", "of", "60", "clock_mhz", "1410"},
	{"gpu_slowed_by_hardware", "samples", "12", "of", "60", "clock_mhz", "1410"},
	{"gpu_slowed_by_heat", "samples", "12", "of", "60", "clock_mhz", "1410"},
	{"gpu_slowed_by_power_brake", "samples", "12", "of", "60"},
	{"gpu_tool_failed", "tool", "nvidia-smi"},
	{"gpu_tool_missing", "tool", "nvidia-smi"},
	{"gpu_tool_silent", "tool", "nvidia-smi", "limit_s", "5"},
	{"gpus_differ", "gpus", "NVIDIA A + NVIDIA B"},
	{"host_facts_unknown", "facts", "vbios cuda"},
	{"host_facts_withheld", "facts", "gpu"},
	{"image_digest_is_id"},
	{"length_not_fixed"},
	{"no_sharegpt_file", "test", "sharegpt"},
	{"no_usage"},
	{"no_visible_answer", "tokens", "256"},
	{"odd_answer"},
	{"server_counters_unusable", "counters", "vllm:num_preemptions_total"},
	{"server_restarted"},
	{"telemetry_gap", "missing_s", "3.5", "of_s", "60.0"},
	{"telemetry_unavailable"},
	{"throttle_reasons_unknown"},
	{"wall_clock_before_program", "now", "2020-01-01T00:00:00Z", "earliest", "2026-11-29T00:00:00Z"},
	{"wall_clock_stepped", "seconds", "-0.512"},
}

// TestEngineNoteWords writes every note of a run in every language.
func TestEngineNoteWords(t *testing.T) {
	t.Parallel()
	c, _ := i18n.Load(i18n.FS) // what Load finds is another test's
	said := map[string]bool{}
	for _, n := range engineNotes {
		said[n[0]] = true
		var args []any
		for _, a := range n[1:] {
			args = append(args, a)
		}
		for _, lang := range i18n.Langs {
			if text := c.Printer(lang).T("note."+n[0], args...); strings.ContainsAny(text, "{}[]⟦") {
				t.Errorf("%s: %q", lang, text)
			}
		}
	}
	for _, dir := range []string{"engine", "engine/hostinfo", "engine/runner"} {
		for _, code := range constantsOf(t, dir, "Note*") {
			if !said[code] {
				t.Errorf("%s: no sample", code)
			}
		}
	}
	faultsOfUse(t, c)
}

// TestLaunchWords imports the launch data and writes every finding and every note
// about them in every language.
func TestLaunchWords(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("ARENA_CORPUS")
	if dir == "" {
		t.Skip("SKIPPED: ARENA_CORPUS is not set, so the words for the launch data are not tried")
	}
	k, err := content.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	bundles := importLaunch(t, k, "suite", filepath.Join(dir, "dgx-spark-benchmarks", "results"), "dgx-spark-benchmarks", "*")
	for _, name := range []string{"vllm-direct", "vllm-dspark", "sglang-direct", "sglang-dspark"} {
		bundles = append(bundles, importLaunch(t, k, "concurrency-csv", filepath.Join(dir, "kimi-k3-dgx-b300"), "kimi-k3-"+name, name+".csv")...)
	}
	c, _ := i18n.Load(i18n.FS)
	findings, notes := 0, 0
	for _, b := range bundles {
		rules := verdict.Rules{Contracts: k.Contracts, Facts: k.Catalog}
		for _, f := range rules.Judge(b).Findings {
			findings++
			writeFinding(c, f)
		}
		for _, n := range allNotes(b) {
			notes++
			var args []any
			for _, a := range n.Args {
				args = append(args, a.Name, a.Value)
			}
			for _, lang := range i18n.Langs {
				c.Printer(lang).T("note."+n.Code, args...)
			}
		}
	}
	if findings == 0 || notes == 0 {
		t.Errorf("%d bundles have %d findings and %d notes", len(bundles), findings, notes)
	}
	faultsOfUse(t, c)
}

// faultsOfUse fails for every key or argument that a printer missed.
func faultsOfUse(t *testing.T, c *i18n.Catalogs) {
	t.Helper()
	for _, f := range c.Faults() {
		if f.Line == 0 {
			t.Error(f)
		}
	}
}

// writeFinding writes f in every language.
func writeFinding(c *i18n.Catalogs, f audit.Finding) {
	for _, lang := range i18n.Langs {
		format.Finding(c.Printer(lang), f)
	}
}

// importLaunch imports the files below dir whose name matches pattern.
func importLaunch(t *testing.T, k *content.Content, format, dir, metadata, pattern string) []*bundle.Bundle {
	t.Helper()
	fsys := os.DirFS(dir)
	var inputs []ingest.Input
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ok, err := filepath.Match(pattern, d.Name()); err != nil || !ok {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		inputs = append(inputs, ingest.Input{Name: name, Data: data})
		return err
	})
	if err != nil || len(inputs) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(inputs), err)
	}
	file := "content/imports/" + metadata + ".toml"
	data, err := os.ReadFile(repository + file)
	if err != nil {
		t.Fatal(err)
	}
	meta, err := content.ParseMetadata(file, data)
	if err != nil {
		t.Fatal(err)
	}
	opt := ingest.Options{Engine: bundle.EnginePin{Version: "test", Go: "go"}}
	if meta.Contract != "" {
		opt.Contract, _ = k.Contract(meta.Contract)
	}
	bundles, err := formats.Import(format, inputs, meta, opt)
	if err != nil {
		t.Fatalf("%s: %s", metadata, strings.SplitN(err.Error(), "\n", 4))
	}
	return bundles
}

// allNotes returns the notes on a bundle, its tests and their cells.
func allNotes(b *bundle.Bundle) []bundle.Note {
	notes := append([]bundle.Note(nil), b.Notes...)
	for _, t := range b.Tests {
		notes = append(notes, t.Notes...)
		for _, c := range t.Cells {
			notes = append(notes, c.Notes...)
		}
	}
	return notes
}
