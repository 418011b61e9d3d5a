package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/ingest/llamabenchy"
	"example.org/arena/results/ingest/vllmbench"

	"example.org/arena/results/bundle"
	"example.org/arena/results/contract"
	"example.org/arena/results/ingest"
)

var toolNames = contract.Names{Model: "acme/Tiny-8B-FP8", ServedName: "tiny-8b"}

func contractV2(t *testing.T) *contract.Contract {
	t.Helper()
	const file = "../../content/contracts/v2.toml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func testNamed(t *testing.T, c *contract.Contract, slug string) contract.Test {
	t.Helper()
	test, ok := c.Test(slug)
	if !ok {
		t.Fatalf("contract %s has no test %s", c.Version, slug)
	}
	return test
}

// A fakeToolCall is a command that the fake tool was given.
type fakeToolCall struct {
	Argv       []string `json:"argv"`
	Key        string   `json:"key"`
	Unbuffered string   `json:"unbuffered"`
}

func calls(t *testing.T, dir string) []fakeToolCall {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	var list []fakeToolCall
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var c fakeToolCall
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// The whole of v2: sixteen commands, word for word the contract's own, and every
// cell of the contract measured with the figures that an import has.
func TestToolsRunTheContract(t *testing.T) {
	t.Parallel()
	c, dir := contractV2(t), t.TempDir()
	tools := &Tools{Names: toolNames, Dir: t.TempDir(), Exec: throughFakeTool("", dir)}
	var want [][]string
	var tests []bundle.Test
	for _, test := range c.Tests {
		all := bundle.Test{Slug: test.Slug}
		for n, command := range c.Commands(test, toolNames) {
			want = append(want, command.Argv)
			run, err := tools.Run(t.Context(), c, test, n, nil)
			if err != nil {
				t.Fatalf("%s, command %d: %v", test.Slug, n, err)
			}
			checkRun(t, test, command, run)
			all.StartedAt, all.Tool = run.Test.StartedAt, run.Test.Tool
			all.Cells, all.Files = append(all.Cells, run.Test.Cells...), append(all.Files, run.Test.Files...)
		}
		checkTest(t, test, all)
		tests = append(tests, all)
	}
	checkValid(t, c, tests...)
	var got [][]string
	for _, call := range calls(t, dir) {
		if call.Argv[0] == "uvx" || slices.Contains(call.Argv, "serve") && !slices.Contains(call.Argv, "python3") {
			got = append(got, call.Argv)
		}
		if call.Key != os.Getenv(keyVariable) || call.Unbuffered != "1" {
			t.Errorf("%v ran with key %q and PYTHONUNBUFFERED %q", call.Argv, call.Key, call.Unbuffered)
		}
	}
	if len(want) != 16 {
		t.Errorf("the contract has %d commands, want 16", len(want))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("ran\n%v\nwant\n%v", got, want)
	}
}

// checkValid checks that a bundle can hold tests, and that it comes back whole.
func checkValid(t *testing.T, c *contract.Contract, tests ...bundle.Test) {
	t.Helper()
	b := &bundle.Bundle{
		Format: bundle.Format, Kind: bundle.Simulated, StartedAt: tests[0].StartedAt, Platform: "none", Profile: "fp8", Licence: "CC0-1.0", Credit: "nobody",
		Contract: &bundle.ContractPin{Version: c.Version, SHA256: c.Digest}, Engine: bundle.EnginePin{Version: "v0", Runner: "tools", Go: "go1"},
		Model: bundle.Model{ID: toolNames.Model, ServedName: toolNames.ServedName}, Server: bundle.Server{Name: "vllm"}, Tests: tests,
	}
	if err := bundle.Validate(b); err != nil {
		t.Errorf("the bundle is not valid: %v", err)
	}
	data, err := bundle.Encode(b)
	if err != nil {
		t.Fatal(err)
	}
	back, err := bundle.Decode("x.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := bundle.Encode(back); err != nil || !bytes.Equal(again, data) {
		t.Errorf("the bundle does not come back as it was: %v", err)
	}
}

func checkRun(t *testing.T, test contract.Test, command contract.Command, run *ToolRun) {
	t.Helper()
	if !slices.Equal(run.Test.Command.Argv, command.Argv) {
		t.Errorf("%s: recorded %q, want %q", test.Slug, run.Test.Command.Argv, command.Argv)
	}
	if run.Test.Stopped != nil || len(run.Test.Notes) > 0 {
		t.Errorf("%s: stopped %v, notes %v, want neither", test.Slug, run.Test.Stopped, run.Test.Notes)
	}
	if run.Started.IsZero() || run.Ended.Before(run.Started) || !run.Exit.OK() {
		t.Errorf("%s: from %v to %v with %v", test.Slug, run.Started, run.Ended, run.Exit)
	}
	version := map[contract.Tool]string{contract.LlamaBenchy: "0.4.0", contract.VLLMBench: "0.26.0"}[test.Tool()]
	if got := *run.Test.Tool; got != (bundle.Tool{Name: string(test.Tool()), Version: version}) {
		t.Errorf("%s: tool %v, want version %s", test.Slug, got, version)
	}
	if len(run.Files) != len(run.Test.Files) || len(run.Files) == 0 {
		t.Errorf("%s: %d files, %d named", test.Slug, len(run.Files), len(run.Test.Files))
	}
	for i, f := range run.Files {
		if named := run.Test.Files[i]; named.Name != f.Name || named.Bytes != int64(len(f.Data)) || !named.Kept {
			t.Errorf("%s: file %v is named %v", test.Slug, f.Name, named)
		}
		if bytes.Contains(f.Data, []byte("anna")) {
			t.Errorf("%s: %s holds a home folder", test.Slug, f.Name)
		}
	}
	imported := importOf(t, test, run)
	for i, cell := range run.Test.Cells {
		if !reflect.DeepEqual(cell.Reported, imported[i].Reported) || !reflect.DeepEqual(cell.Requests, imported[i].Requests) {
			t.Errorf("%s: cell %d differs from an import of the same output:\n%+v\n%+v", test.Slug, i, cell, imported[i])
		}
		if cell.StartedAt == "" || cell.EndedAt == "" {
			t.Errorf("%s: cell %d has no times", test.Slug, i)
		}
	}
}

// importOf imports the files that a run kept.
func importOf(t *testing.T, test contract.Test, run *ToolRun) []bundle.Cell {
	t.Helper()
	last := run.Files[len(run.Files)-1]
	if test.Closed() {
		parsed, err := llamabenchy.Parse(ingest.Input{Name: run.Files[0].Name, Data: run.Files[0].Data})
		if err != nil {
			t.Fatal(err)
		}
		return parsed.Reports[0].Cells
	}
	parsed, err := vllmbench.Parse(ingest.Input{Name: last.Name, Data: last.Data})
	if err != nil {
		t.Fatal(err)
	}
	return []bundle.Cell{parsed.Results[0].Cell}
}

func checkTest(t *testing.T, test contract.Test, got bundle.Test) {
	t.Helper()
	var measured []contract.Cell
	for _, c := range got.Cells {
		m := contract.Cell{PromptTokens: c.PromptTokens, OutputTokens: c.OutputTokens, DepthTokens: c.DepthTokens, Concurrency: c.Concurrency}
		if c.RequestRate != nil {
			m.RequestRate, m.Prompts = float64(*c.RequestRate), *c.Requests.Planned
		}
		if len(c.Reported) == 0 {
			t.Errorf("%s: a cell without figures: %+v", test.Slug, c)
		}
		measured = append(measured, m)
	}
	if cover := test.Match(measured); len(cover.Missing)+len(cover.Extra) > 0 {
		t.Errorf("%s: lacks %v, has besides %v", test.Slug, cover.Missing, cover.Extra)
	}
}

func TestToolsCommands(t *testing.T) {
	t.Parallel()
	c := contractV2(t)
	chat, peak := testNamed(t, c, "chat"), testNamed(t, c, "monday-peak")
	for _, k := range []struct {
		name  string
		tools *Tools
		test  contract.Test
		want  string // in the command
		fault string
	}{
		{"as the contract has it", &Tools{}, chat, "uvx llama-benchy==0.4.0 --base-url http://localhost:8000/v1 --model SERVED_MODEL_NAME", ""},
		{"closed, root address", &Tools{BaseURL: "http://127.0.0.1:9000"}, chat, "--base-url http://127.0.0.1:9000/v1 ", ""},
		{"closed, version path", &Tools{BaseURL: "http://127.0.0.1:9000/v1/"}, chat, "--base-url http://127.0.0.1:9000/v1 ", ""},
		{"open, version path", &Tools{BaseURL: "http://127.0.0.1:9000/v1"}, peak, "--base-url http://127.0.0.1:9000 ", ""},
		{"open, path before it", &Tools{BaseURL: "http://127.0.0.1:9000/llm/v1"}, peak, "--base-url http://127.0.0.1:9000/llm ", ""},
		{"container", &Tools{Container: "my_vllm.2"}, peak, "docker exec my_vllm.2 vllm bench serve", ""},
		{"key", &Tools{APIKey: "sk-12345678"}, peak, "docker exec -e OPENAI_API_KEY vllm-bench vllm bench serve", ""},
		{"key of no use", &Tools{APIKey: "sk-12345678"}, chat, "uvx llama-benchy==0.4.0 --base-url http://localhost:8000/v1 --model", ""},
		{"option for a container", &Tools{Container: "--privileged"}, peak, "", "is not the name of a container"},
		{"password", &Tools{BaseURL: "http://me:hunter2@localhost:8000"}, chat, "", "holds a name or a password"},
		{"no address", &Tools{BaseURL: "localhost:8000"}, chat, "", "not an address"},
		{"query", &Tools{BaseURL: "http://localhost:8000/v1?key=hunter2"}, chat, "", "not an address"},
		{"unreadable", &Tools{BaseURL: "http://hunter2:%zz/"}, chat, "", "not an address"},
		{"short number as key", &Tools{APIKey: "1024"}, chat, "", "short number"},
		{"own runner", &Tools{}, contract.Test{Slug: "chat", Kind: contract.Refill{}}, "", "measured by arena"},
	} {
		commands, err := k.tools.Commands(c, k.test)
		if k.fault != "" {
			if err == nil || !strings.Contains(err.Error(), k.fault) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %v, want %s", k.name, err, k.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
			continue
		}
		if got := strings.Join(commands[0].Argv, " "); !strings.Contains(got, k.want) || strings.Contains(got, "sk-") {
			t.Errorf("%s: %s\nwant %s", k.name, got, k.want)
		}
	}
	if again := testNamed(t, c, "monday-peak"); containerOf(again) != "vllm-bench" {
		t.Error("an override changed the contract")
	}
}

// What is private about a run is neither in its record nor in what is kept.
func TestToolsKeepSecrets(t *testing.T) {
	t.Parallel()
	c, dir := contractV2(t), t.TempDir()
	const key = "sk-verysecretkey12345"
	var lines []string
	tools := &Tools{
		Names: toolNames, BaseURL: "http://spark.lan:8123/v1", Container: "annas-vllm", APIKey: key, Private: []string{"annas-box"},
		Dir: t.TempDir(), Exec: throughFakeTool("", dir),
	}
	var kept strings.Builder
	look := func(mode, slug string) *ToolRun {
		tools.Exec = throughFakeTool(mode, dir)
		run, err := tools.Run(t.Context(), c, testNamed(t, c, slug), 0, func(line string) { lines = append(lines, line) })
		if (err != nil) != (mode == "exit") {
			t.Fatalf("%s %s: %v", mode, slug, err)
		}
		if err != nil {
			kept.WriteString(err.Error())
		}
		record, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		kept.Write(record)
		for _, f := range run.Files {
			kept.Write(f.Data)
		}
		return run
	}
	run := look("", "monday-peak")
	want := []string{"docker", "exec", "-e", keyVariable, ContainerPlaceholder, "vllm", "bench", "serve", "--backend", "openai-chat", "--base-url", "http://host:8123"}
	if got := run.Test.Command.Argv; !slices.Equal(got[:len(want)], want) {
		t.Errorf("recorded %q, want %q…", got, want)
	}
	var codes []string
	for _, n := range run.Test.Notes {
		codes = append(codes, n.Code)
	}
	if want := []string{NoteContainerDiffers, NoteAddressWithheld}; !slices.Equal(codes, want) {
		t.Errorf("notes %q, want %q", codes, want)
	}
	look("", "chat")
	look("exit", "chat")
	kept.WriteString(strings.Join(lines, "\n"))
	for _, secret := range []string{key, "spark.lan", "annas", "/home/", "anna/"} {
		if i := strings.Index(kept.String(), secret); i >= 0 {
			t.Errorf("%q is kept: …%s…", secret, kept.String()[max(0, i-80):min(kept.Len(), i+80)])
		}
	}
	seen := false
	for _, call := range calls(t, dir) {
		if strings.Contains(strings.Join(call.Argv, " "), key) {
			t.Errorf("the key stands in %v", call.Argv)
		}
		seen = seen || call.Key == key && slices.Contains(call.Argv, "-e")
	}
	if !seen {
		t.Error("vllm did not get the key")
	}
}
