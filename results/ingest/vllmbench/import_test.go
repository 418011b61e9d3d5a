package vllmbench

import (
	"strings"
	"testing"
	"time"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
	"example.org/arena/results/ingest/ingesttest"
)

// officeJSON is a result that fits test office-baseline of contract v2.
const officeJSON = `{"date": "20260814-105832", "backend": "vllm", "model_id": "org/model", "num_prompts": 200, "request_rate": 0.3,
"burstiness": 0.7, "max_concurrency": null, "duration": 686.5, "completed": 200, "failed": 0, "mean_ttft_ms": 812.5}`

func vllmMetadata() ingest.Metadata {
	return ingest.Metadata{
		File: "m.toml", Platform: "p", Profile: "q", Licence: "MIT", Credit: "c", Test: "office-baseline", Zone: time.UTC,
		Server: bundle.Server{Name: "vllm"}, Source: bundle.Source{Title: "t"},
	}
}

func importVLLM(t *testing.T, meta ingest.Metadata, opt ingest.Options, inputs ...ingest.Input) (*bundle.Bundle, error) {
	t.Helper()
	opt.Engine = bundle.EnginePin{Version: "v", Go: "go"}
	bundles, err := Import(inputs, meta, opt)
	if err != nil {
		return nil, err
	}
	if len(bundles) != 1 {
		t.Fatalf("got %d bundles, want 1", len(bundles))
	}
	return bundles[0], nil
}

func TestImportVLLM(t *testing.T) {
	t.Parallel()
	meta := vllmMetadata()
	meta.Zone = time.FixedZone("", 2*3600)
	meta.Tool = bundle.Tool{Name: "vllm-bench-serve", Version: "0.26.0"}
	b, err := importVLLM(t, meta, ingest.Options{}, ingest.Input{Name: "run-20260210.json", Data: []byte(officeJSON)})
	if err != nil {
		t.Fatal(err)
	}
	test := b.Test("office-baseline")
	if b.StartedAt != "2026-08-14T08:47:05Z" || test.Cells[0].EndedAt != "2026-08-14T08:58:32Z" {
		t.Errorf("got start %s and end %s", b.StartedAt, test.Cells[0].EndedAt)
	}
	if b.Model.ID != "org/model" || *test.Tool != meta.Tool || test.Command != nil {
		t.Errorf("got %q, %v, %v", b.Model.ID, test.Tool, test.Command)
	}
	if got, want := ingesttest.Codes(b.Notes)+" "+ingesttest.Codes(test.Cells[0].Notes), "start_from_end_and_duration date_differs_from_file_name"; got != want {
		t.Errorf("got notes %q, want %q", got, want)
	}
}

func TestImportVLLMTests(t *testing.T) {
	t.Parallel()
	line := strings.ReplaceAll(officeJSON, "\n", " ")
	inputs := []ingest.Input{{Name: "a.jsonl", Data: []byte(line + "\n" + strings.Replace(line, "0.3", "1.5", 1))}, {Name: "b.json", Data: []byte(line)}}
	meta := vllmMetadata()
	meta.Test = ""
	meta.Tests = []ingest.TestMetadata{
		{File: "a.jsonl", Table: 2, Slug: "fast", Argv: []string{"vllm", "bench", "serve"}, PromptTokens: 4000},
		{File: "b.json", Slug: "slow"},
	}
	b, err := importVLLM(t, meta, ingest.Options{}, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	fast, slow := b.Test("fast"), b.Test("slow")
	if len(b.Tests) != 2 || *fast.Cells[0].RequestRate != 1.5 || fast.Cells[0].PromptTokens != 4000 || len(fast.Command.Argv) != 3 || slow.Command != nil {
		t.Errorf("got %+v and %+v", fast, slow)
	}
	if n := b.Notes[0]; n.Code != bundle.NoteResultsLeftOut || n.Args[0].Value != "a.jsonl#1" {
		t.Errorf("got note %+v", n)
	}
}

// Several results of one test are its cells.
func TestImportVLLMCells(t *testing.T) {
	t.Parallel()
	line := strings.ReplaceAll(officeJSON, "\n", " ")
	b, err := importVLLM(t, vllmMetadata(), ingest.Options{}, ingest.Input{Name: "a.jsonl", Data: []byte(line + "\n" + line)}, ingest.Input{Name: "b.txt", Data: []byte(block)})
	if err != nil {
		t.Fatal(err)
	}
	test := b.Tests[0]
	if len(b.Tests) != 1 || len(test.Cells) != 3 || test.Command != nil || ingesttest.Codes(test.Notes) != bundle.NoteSeveralCommands {
		t.Errorf("got %d tests, %d cells, command %v and notes %q", len(b.Tests), len(test.Cells), test.Command, ingesttest.Codes(test.Notes))
	}
}

func TestImportVLLMContract(t *testing.T) {
	t.Parallel()
	opt := ingest.Options{Contract: ingesttest.ContractV2(t), ContractRevision: strings.Repeat("b", 40)}
	for _, test := range []struct{ name, edit, to, slug, want string }{
		{"office", "", "", "office-baseline", ""},
		{"sharegpt", `"num_prompts": 200`, `"num_prompts": 250`, "sharegpt", ""},
		{"a rung", `"num_prompts": 200, "request_rate": 0.3`, `"num_prompts": 100, "request_rate": 0.1`, "rate-sweep", ""},
		{"no test", `"request_rate": 0.3`, `"request_rate": 0.4`, "", "a.json:1: fits no test of contract v2 (request rate 0.4, burstiness 0.7, 200 requests, max concurrency unlimited)"},
		{"two tests", `"num_prompts": 200, `, "", "", "a.json:1: fits several tests: office-baseline, sharegpt, rate-sweep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			meta := vllmMetadata()
			meta.Test = ""
			text := officeJSON
			if test.name == "two tests" {
				text = strings.Replace(text, `"completed": 200`, `"completed": 90`, 1)
			}
			text = strings.Replace(text, test.edit, test.to, 1)
			text = strings.Replace(text, `"completed": 200`, `"completed": 90`, 1)
			b, err := importVLLM(t, meta, opt, ingest.Input{Name: "a.json", Data: []byte(text)})
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got  %v\nwant %s", err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if b.Tests[0].Slug != test.slug || b.Contract.Version != "v2" || b.Contract.Revision != opt.ContractRevision {
				t.Errorf("got %s and %+v, want %s", b.Tests[0].Slug, b.Contract, test.slug)
			}
		})
	}
	meta := vllmMetadata()
	meta.Test = "monday-peak"
	if _, err := importVLLM(t, meta, opt, ingest.Input{Name: "a.json", Data: []byte(officeJSON)}); err == nil || !strings.Contains(err.Error(), "does not follow contract v2: burstiness is 0.7, not 1") {
		t.Errorf("got %v", err)
	}
}

func TestImportVLLMRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(*ingest.Metadata)
		text   string
		want   string
	}{
		{"other model", func(m *ingest.Metadata) { m.Model.ID = "org/other" }, officeJSON, `m.toml: model.id: m.toml says "org/other", but a.json:1 says "org/model"`},
		{"a path for a model", func(m *ingest.Metadata) {}, strings.Replace(officeJSON, "org/model", "/data/model", 1), "neither the files nor the metadata say: model.id"},
		{"no zone", func(m *ingest.Metadata) { m.Zone = nil }, officeJSON, "neither the files nor the metadata say: started_at"},
		{"other tool", func(m *ingest.Metadata) { m.Tool.Name = "guidellm" }, officeJSON, `says "guidellm", but a.json:1 was written by vllm-bench-serve`},
		{"platform", func(m *ingest.Metadata) { m.Platform = "DGX Spark" }, officeJSON, "a.json: /platform: "},
	} {
		meta := vllmMetadata()
		test.change(&meta)
		if _, err := importVLLM(t, meta, ingest.Options{}, ingest.Input{Name: "a.json", Data: []byte(test.text)}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got  %v\nwant %s", test.name, err, test.want)
		}
	}
}

// An attempt without figures is recorded with its words. Who attempted it, the
// file does not tell.
func TestImportVLLMAttempt(t *testing.T) {
	t.Parallel()
	meta := vllmMetadata()
	meta.StartedAt = "2026-08-14T10:00:00Z"
	meta.Model.ID = "org/model"
	b, err := importVLLM(t, meta, ingest.Options{}, ingest.Input{Name: "a.json", Data: []byte(`{"status": "not_runnable", "reason": "does not fit"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if test := b.Tests[0]; test.Cells[0].Error != "does not fit" || test.Tool != nil || len(b.Source.Tools) != 0 {
		t.Errorf("got %+v", test)
	}
}

// A file that a terminal of Windows saved is UTF-16.
func TestVLLMUTF16(t *testing.T) {
	t.Parallel()
	data := []byte{0xff, 0xfe}
	for _, r := range officeJSON {
		data = append(data, byte(r), 0)
	}
	if r := parseOne(t, "a.json", string(data)); r.Model != "org/model" {
		t.Errorf("got model %q", r.Model)
	}
}
