package sparksuite

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
	"example.org/arena/results/ingest/scan"
	"example.org/arena/results/metric"
)

// demo returns the files of the made-up suite, changed by edits of "file",
// "old", "new". A file without an old text is replaced, and taken away when the
// new text is empty too.
func demo(t *testing.T, edits ...[3]string) []ingest.Input {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/demo.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var inputs []ingest.Input
	used := map[int]bool{}
	for _, f := range archive.Files {
		in := ingest.Input{Name: f.Name, Data: f.Data}
		gone := false
		for i, e := range edits {
			if filepath.Base(f.Name) != e[0] {
				continue
			}
			used[i] = true
			if e[1] == "" {
				in.Data, gone = []byte(e[2]), e[2] == ""
				continue
			}
			if !bytes.Contains(in.Data, []byte(e[1])) {
				t.Fatalf("%s does not hold %q", e[0], e[1])
			}
			in.Data = bytes.ReplaceAll(in.Data, []byte(e[1]), []byte(e[2]))
		}
		if !gone {
			inputs = append(inputs, in)
		}
	}
	for i, e := range edits {
		if !used[i] {
			inputs = append(inputs, ingest.Input{Name: "demo/fp8-spec/" + e[0], Data: []byte(e[2])})
		}
	}
	return inputs
}

func demoMetadata() ingest.Metadata {
	return ingest.Metadata{
		File: "m.toml", Platform: "dgx-spark", Licence: "CC-BY-4.0", Credit: "Someone", Contract: "v2",
		Source: bundle.Source{URL: "https://example.org/data", Path: "results"},
	}
}

func demoOptions(t *testing.T) ingest.Options {
	t.Helper()
	return ingest.Options{
		Engine:   bundle.EnginePin{Version: "v0.1.0", Go: "go1.26.8", Revision: strings.Repeat("a", 40)},
		Contract: ingesttest.ContractV2(t), ContractRevision: strings.Repeat("b", 40),
	}
}

func importDemo(t *testing.T, edits ...[3]string) *bundle.Bundle {
	t.Helper()
	bundles, err := Import(demo(t, edits...), demoMetadata(), demoOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(bundles) != 1 {
		t.Fatalf("got %d bundles, want 1", len(bundles))
	}
	return bundles[0]
}

// The whole bundle, as bytes.
func TestSuiteGolden(t *testing.T) {
	t.Parallel()
	b := importDemo(t)
	b.Contract.SHA256 = strings.Repeat("c", 64) // of the published file, which is tested elsewhere
	got, err := bundle.Encode(b)
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/demo.golden.json"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the bundle differs from %s; UPDATE_GOLDEN=1 shows how", golden)
	}
}

// Nothing private enters a bundle: the suite has it in every file.
func TestSuitePrivate(t *testing.T) {
	t.Parallel()
	data, err := bundle.Encode(importDemo(t))
	if err != nil {
		t.Fatal(err)
	}
	planted := 0
	for _, in := range demo(t) {
		planted += bytes.Count(in.Data, []byte("alice"))
	}
	if planted < 10 {
		t.Fatalf("only %d private things were planted", planted)
	}
	for _, word := range []string{"alice", "spark-17", "s3cret", "hf_abc", "b3ed645a", "abcdef;77aa", "/home"} {
		if bytes.Contains(data, []byte(word)) {
			t.Errorf("the bundle holds %q", word)
		}
	}
}

// The same files give the same bytes, in whatever order they come.
func TestSuiteDeterministic(t *testing.T) {
	t.Parallel()
	first, err := bundle.Encode(importDemo(t))
	if err != nil {
		t.Fatal(err)
	}
	inputs := demo(t)
	slices.Reverse(inputs)
	bundles, err := Import(inputs, demoMetadata(), demoOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	second, err := bundle.Encode(bundles[0])
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("the order of the files changes the bundle")
	}
}

func TestSuiteTimes(t *testing.T) {
	t.Parallel()
	b := importDemo(t)
	for _, test := range []struct{ what, got, want string }{
		{"bundle", b.StartedAt, "2026-03-01T22:50:05Z"},
		{"06, from the tool's log", b.Test("concurrency-stress").StartedAt, "2026-03-01T22:50:05Z"},
		{"07, from the runner's log, past midnight", b.Test("office-baseline").StartedAt, "2026-03-01T23:05:00Z"},
		{"end of 07, in the container's zone", b.Test("office-baseline").Cells[0].EndedAt, "2026-03-01T23:16:32Z"},
		{"11", b.Test("rate-sweep").StartedAt, "2026-03-01T23:16:34Z"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %s, want %s", test.what, test.got, test.want)
		}
	}
	// The container's clock two hours ahead of UTC instead: the page proves it.
	b = importDemo(t, [3]string{"07-office-baseline.json", "20260301-231632", "20260302-011632"}, [3]string{"11-rate-sweep-0.1.json", "20260301-233500", "20260302-013500"})
	if got := b.Test("office-baseline").Cells[0].EndedAt; got != "2026-03-01T23:16:32Z" {
		t.Errorf("in UTC+02:00: got %s", got)
	}
	if got := b.Test("rate-sweep").Cells[0].EndedAt; got != "2026-03-01T23:35:00Z" {
		t.Errorf("a rung takes the proven zone: got %s", got)
	}
}

func TestSuiteMissingPieces(t *testing.T) {
	t.Parallel()
	all := importDemo(t)
	for _, test := range []struct {
		name  string
		edits [][3]string
		check func(t *testing.T, b *bundle.Bundle)
	}{
		{"no log: the page has the table", [][3]string{{"06-concurrency-stress.log"}}, func(t *testing.T, b *bundle.Bundle) {
			if got := len(b.Test("concurrency-stress").Cells[0].Reported); got != len(all.Test("concurrency-stress").Cells[0].Reported) {
				t.Errorf("got %d figures", got)
			}
		}},
		{"no page: no command", [][3]string{{"06-concurrency-stress.md"}}, func(t *testing.T, b *bundle.Bundle) {
			test := b.Test("concurrency-stress")
			if test.Command != nil || len(test.Cells) != 1 {
				t.Errorf("got command %v and %d cells", test.Command, len(test.Cells))
			}
		}},
		{"no result: the page has the block", [][3]string{{"07-office-baseline.json"}}, func(t *testing.T, b *bundle.Bundle) {
			c := b.Test("office-baseline").Cells[0]
			if got := ingesttest.Lookup(c, metric.TTFT, "p95"); got != "1648.75" || !strings.Contains(ingesttest.Codes(c.Notes), bundle.NotePrintedBlock) {
				t.Errorf("got %s and notes %s", got, ingesttest.Codes(c.Notes))
			}
		}},
		{"no runner's log: no start of 07", [][3]string{{"_runner.log"}}, func(t *testing.T, b *bundle.Bundle) {
			if got := b.Test("office-baseline").StartedAt; got != "" {
				t.Errorf("got %s", got)
			}
			if b.StartedAt != all.StartedAt {
				t.Errorf("the bundle starts at %s", b.StartedAt)
			}
		}},
		{"no sanity text: the runner's log has it", [][3]string{{"_sanity.txt"}}, func(t *testing.T, b *bundle.Bundle) {
			if b.Sanity.Answer != "1, 2, 3" {
				t.Errorf("got %q", b.Sanity.Answer)
			}
		}},
		{"no summary", [][3]string{{"11-rate-sweep.json"}}, func(t *testing.T, b *bundle.Bundle) {
			if test := b.Test("rate-sweep"); test.Sweep != nil || len(test.Cells) != 1 || test.Stopped == nil {
				t.Errorf("got %+v", test)
			}
		}},
		{"no data of the sweep", [][3]string{
			{"11-rate-sweep-0.1.json"},
			{"11-rate-sweep.md", "> **Sweep afgekapt bij 0.2 req/s: de server viel weg.**", "**"},
			{"11-rate-sweep.json", "", `{"capacity_by_slo_ms": {"2000": null}, "steps": []}`},
		}, func(t *testing.T, b *bundle.Bundle) {
			test := b.Test("rate-sweep")
			if len(test.Cells) != 0 || test.Sweep.Capacities[0].RatePerS != nil || test.Stopped.Reason != bundle.StopUnknown ||
				test.Stopped.Detail != "kon 11-rate-sweep-0.2.json niet ophalen" {
				t.Errorf("got %+v %+v", test.Sweep, test.Stopped)
			}
		}},
		{"a log without a table", [][3]string{{"06-concurrency-stress.log", "", "llama-benchy (0.4.0)\nDate: 2026-03-01 23:50:05\nTraceback\n"}, {"06-concurrency-stress.md"}}, func(t *testing.T, b *bundle.Bundle) {
			test := b.Test("concurrency-stress")
			for _, c := range test.Cells {
				if len(c.Reported) != 0 {
					t.Errorf("got figures %v", c.Reported)
				}
			}
			if test.Stopped == nil {
				t.Error("the test is not marked as stopped")
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.check(t, importDemo(t, test.edits...))
		})
	}
}

// Where the source says a thing twice and differently, an error shows both.
func TestSuiteContradictions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		file, old, new string
		want           string
	}{
		{"model of a page", "06-concurrency-stress.md", "**Model:** example/Demo", "**Model:** other/Demo", `06-concurrency-stress.md:5: Model: is "other/Demo-7B-FP8", but meta.json says "example/Demo-7B-FP8"`},
		{"profile of a page", "11-rate-sweep.md", "**Profiel:** fp8-spec", "**Profiel:** bf16", `Profiel: is "bf16", but meta.json says "fp8-spec"`},
		{"model of a result", "07-office-baseline.json", `"model_id": "example/`, `"model_id": "other/`, `07-office-baseline.json:1: model_id: is "other/Demo-7B-FP8", but meta.json says`},
		{"model of the summary", "11-rate-sweep.json", `"model": "example/`, `"model": "other/`, `11-rate-sweep.json:2: model: is "other/Demo-7B-FP8"`},
		{"precision", "meta.json", `"profile": "fp8-spec"`, `"profile": "bf16-spec"`, `profile: is "bf16-spec", but the model is "example/Demo-7B-FP8"`},
		{"printed figure", "07-office-baseline.md", "826.65", "826.75", "mean_ttft: is 826.75, but 07-office-baseline.json says 826.65474"},
		{"printed count", "07-office-baseline.md", "Successful requests:                     199", "Successful requests:                     198", "completed: is 198, but 07-office-baseline.json says 199"},
		{"printed speculation", "07-office-baseline.md", "Position 2:                            5.00", "Position 2:                            6.00", "per_position_acceptance_rates: is 0.06, but"},
		{"table", "06-concurrency-stress.md", "4219.88", "4218.88", "4218.88"},
		{"prompts in the command", "07-office-baseline.md", "--num-prompts 200", "--num-prompts 201", "--num-prompts: is 201 in the command, but 07-office-baseline.json says 200"},
		{"model in the command", "07-office-baseline.md", "--model example/Demo-7B-FP8 ", "--model other/Demo ", `--model: is "other/Demo" in the command`},
		{"tool's version", "meta.json", `"llama_benchy_version": "0.4.0"`, `"llama_benchy_version": "0.3.9"`, `"0.4.0", but meta.json says "0.3.9"`},
		{"step of the summary", "11-rate-sweep.json", `"ttft_p95_ms": 2382.5`, `"ttft_p95_ms": 2382.6`, "ttft_p95_ms: is 2382.6, but the result at 0.1 requests per second says 2382.47851"},
		{"requests of the summary", "11-rate-sweep.json", `"completed": 100`, `"completed": 99`, "completed: is 99, but the result"},
		{"rate in a file's name", "11-rate-sweep-0.1.json", `"request_rate": 0.1`, `"request_rate": 0.2`, "request_rate: is 0.2, but the file's name says 0.1"},
		{"clock", "07-office-baseline.json", "20260301-231632", "20260301-232632", "is 2026-03-01 23:26:32, which is not the time of 07-office-baseline.md, 2026-03-01T23:16:34Z, in any time zone"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Import(demo(t, [3]string{test.file, test.old, test.new}), demoMetadata(), demoOptions(t))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestSuiteContract(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		file, old, new string
		want           string
	}{
		{"prompt length", "07-office-baseline.md", "--random-input-len 4000", "--random-input-len 2000", "does not follow contract v2: the command says --random-input-len 2000, the contract 4000"},
		{"burstiness", "11-rate-sweep-0.1.json", `"burstiness": 0.7`, `"burstiness": 1.0`, "does not follow contract v2: burstiness is 1, not 0.7"},
		{"cap", "11-rate-sweep-0.1.json", `"max_concurrency": null`, `"max_concurrency": 25`, "max_concurrency is 25, not unlimited"},
		{"number of requests", "11-rate-sweep-0.1.json", `"num_prompts": 100`, `"num_prompts": 120`, "120 requests were planned, not 100"},
		{"seed", "07-office-baseline.md", "--seed 42", "--seed 43", "the command says --seed 43, the contract 42"},
		{"other tool", "07-office-baseline.md", "vllm bench serve", "vllm bench throughput", "the command runs no vllm-bench-serve"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Import(demo(t, [3]string{test.file, test.old, test.new}), demoMetadata(), demoOptions(t))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
	t.Run("number of a test", func(t *testing.T) {
		t.Parallel()
		inputs := demo(t)
		for i := range inputs {
			inputs[i].Name = strings.Replace(inputs[i].Name, "06-concurrency-stress", "05-concurrency-stress", 1)
		}
		_, err := Import(inputs, demoMetadata(), demoOptions(t))
		if want := `test 05 is named "concurrency-stress", but test 5 of contract v2 is "big-context"`; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	})
	t.Run("without a contract", func(t *testing.T) {
		t.Parallel()
		opt := demoOptions(t)
		opt.Contract = nil
		bundles, err := Import(demo(t), demoMetadata(), opt)
		if err != nil {
			t.Fatal(err)
		}
		if b := bundles[0]; b.Contract != nil || len(b.Tests) != 3 || b.Test("concurrency-stress").Stopped != nil {
			t.Errorf("got contract %v and %d tests", b.Contract, len(b.Tests))
		}
	})
}

// What nobody says is asked for, exactly, with an example.
func TestSuiteMissingMetadata(t *testing.T) {
	t.Parallel()
	_, err := Import(demo(t), ingest.Metadata{Contract: "v2"}, demoOptions(t))
	want := `demo/fp8-spec: neither the files nor the metadata say: platform, licence, credit, source.url
hint: write a file like this one and pass it with --metadata FILE.toml
    platform = "dgx-spark"
    licence = "CC-BY-4.0" # SPDX identifier, or "none stated"
    credit = "NAME, https://…" # whom to name when the data are used
    [source]
    url = "https://…" # or title = "…"`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestSuiteFolders(t *testing.T) {
	t.Parallel()
	meta := demoMetadata()
	meta.Folders = []ingest.FolderMetadata{{Path: "demo/fp8-spec", Metadata: ingest.Metadata{
		Licence: "MIT", Model: bundle.Model{Revision: strings.Repeat("d", 40)}, Host: bundle.Host{Kernel: "6.11"},
	}}}
	bundles, err := Import(demo(t), meta, demoOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	b := bundles[0]
	if b.Licence != "MIT" || b.Model.Revision != strings.Repeat("d", 40) || b.Host.Kernel != "6.11" || b.Host.Driver != "580.1" || b.Source.Path != "results/demo/fp8-spec" {
		t.Errorf("got %q %q %q %q %q", b.Licence, b.Model.Revision, b.Host.Kernel, b.Host.Driver, b.Source.Path)
	}
	meta.Folders[0].Path = "demo/fp8"
	if _, err := Import(demo(t), meta, demoOptions(t)); err == nil || !strings.Contains(err.Error(), "m.toml: folders: no folder demo/fp8 with a meta.json was imported") {
		t.Errorf("got %v", err)
	}
	if _, err := Import(demo(t, [3]string{"meta.json"}), demoMetadata(), demoOptions(t)); err == nil || !strings.Contains(err.Error(), "demo/fp8-spec: holds tests, but no meta.json") {
		t.Errorf("got %v", err)
	}
	if _, err := Import([]ingest.Input{{Name: "README.md", Data: []byte("hello")}}, demoMetadata(), demoOptions(t)); err == nil || !strings.Contains(err.Error(), "no folder holds a meta.json") {
		t.Errorf("got %v", err)
	}
}

func TestSplitArgs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" --a 1  --b ", []string{"--a", "1", "--b"}},
		{`--speculative-config {"method":"mtp", "n": 3} --c`, []string{"--speculative-config", `{"method":"mtp", "n": 3}`, "--c"}},
		{`--x '{"a":1}' --y {broken`, []string{"--x", `{"a":1}`, "--y", "{broken"}},
	} {
		if got := splitArgs(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestOffsetBetween(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 8, 14, 10, 58, 32, 0, time.UTC)
	for _, test := range []struct {
		written time.Duration // after the end
		zone    time.Duration // of the client
		ok      bool
	}{
		{0, 0, true},
		{22 * time.Second, 0, true},
		{2 * time.Minute, 2 * time.Hour, true},
		{-3 * time.Second, -5 * time.Hour, true},
		{0, 5*time.Hour + 45*time.Minute, true},
		{5 * time.Minute, 0, false},
		{-time.Minute, 0, false},
	} {
		got, ok := offsetBetween(at.Add(test.zone), at.Add(test.written))
		if ok != test.ok || ok && got != test.zone {
			t.Errorf("written %v later in UTC%s: got %v, %v", test.written, offsetText(test.zone), got, ok)
		}
	}
}

func TestTelemetry(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"no number", "elapsed_s,power_w\n10,fast\n", `t.csv:2: power_w: want a number, found "fast"`},
		{"no time", "elapsed_s,power_w\n,1\n", "t.csv: elapsed_s: a sample has no time"},
		{"no time column", "power_w\n1\n", "t.csv:1: has no column elapsed_s"},
		{"ragged", "elapsed_s,power_w\n10\n", "wrong number of fields"},
	} {
		f := scan.Faults{File: "t.csv"}
		if _, _ = readTelemetry(ingest.Input{Name: "t.csv", Data: []byte(test.text)}, &f); f.Err() == nil || !strings.Contains(f.Err().Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, f.Err(), test.want)
		}
	}
}

// All configurations of the corpus: figures, statuses and the source's own
// summaries.
func TestSuiteCorpus(t *testing.T) {
	t.Parallel()
	root := filepath.Join(ingesttest.CorpusFiles(t, "dgx-spark-benchmarks")[0], "results")
	var inputs []ingest.Input
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		inputs = append(inputs, ingest.Input{Name: name, Data: data})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	bundles, err := Import(inputs, demoMetadata(), demoOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(bundles) != 29 {
		t.Errorf("got %d bundles, want 29", len(bundles))
	}
	stopped := map[string]int{}
	commands, drafts := 0, 0
	for _, b := range bundles {
		name := b.Model.ID + " " + b.Profile
		if len(b.Tests) != 11 {
			t.Errorf("%s: got %d tests, want 11", name, len(b.Tests))
		}
		if b.Draft != nil {
			drafts++
		}
		for i := range b.Tests {
			test := &b.Tests[i]
			if test.Command != nil {
				commands++
			}
			if test.StartedAt == "" {
				t.Errorf("%s: %s has no start", name, test.Slug)
			}
			if test.Stopped != nil {
				stopped[b.Model.ID+" "+test.Slug+" "+test.Stopped.Reason] = len(test.Cells)
			}
		}
		data, err := bundle.Encode(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"/home/", "chatcmpl-", "bench-spark"} {
			if bytes.Contains(data, []byte(word)) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}
	if commands != 29*10 || drafts != 1 {
		t.Errorf("got %d recorded commands and %d drafts, want 290 and 1", commands, drafts)
	}
	want := map[string]int{
		"mistralai/Ministral-3-8B-Instruct-2512 rate-sweep errors":              1,
		"nvidia/Nemotron-3-Nano-Omni-30B-A3B-Reasoning-NVFP4 rate-sweep errors": 3,
		"nvidia/Nemotron-3-Nano-Omni-30B-A3B-Reasoning-FP8 rate-sweep unknown":  0,
	}
	if len(stopped) != len(want) {
		t.Errorf("got %d stopped tests, want %d: %v", len(stopped), len(want), stopped)
	}
	for test, cells := range want {
		if got, ok := stopped[test]; !ok || got != cells {
			t.Errorf("%s: got %d cells (%v), want %d", test, got, ok, cells)
		}
	}
}

func FuzzSuite(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/demo.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for i := range archive.Files {
		f.Add(i, archive.Files[i].Data)
	}
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		var inputs []ingest.Input
		for n, file := range archive.Files {
			if n == i {
				file.Data = data
			}
			inputs = append(inputs, ingest.Input{Name: file.Name, Data: file.Data})
		}
		meta := demoMetadata()
		bundles, err := Import(inputs, meta, ingest.Options{Engine: bundle.EnginePin{Version: "v", Go: "go"}})
		if err != nil && err.Error() == "" {
			t.Fatal("an error without words")
		}
		for _, b := range bundles {
			if _, err := bundle.Encode(b); err != nil {
				t.Fatal(err)
			}
		}
	})
}
