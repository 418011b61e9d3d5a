package runner

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

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

// A standInCall is a command that the stand-in was given.
type standInCall struct {
	Argv       []string `json:"argv"`
	Key        string   `json:"key"`
	Unbuffered string   `json:"unbuffered"`
}

func calls(t *testing.T, dir string) []standInCall {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	var list []standInCall
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var c standInCall
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
	tools := &Tools{Names: toolNames, Dir: t.TempDir(), Exec: throughStandIn("", dir)}
	var want [][]string
	var tests []bundle.Test
	for _, test := range c.Tests {
		var runs []*ToolRun
		for n, command := range c.Commands(test, toolNames) {
			want = append(want, command.Argv)
			run, err := tools.Run(t.Context(), c, test, n)
			if err != nil {
				t.Fatalf("%s, command %d: %v", test.Slug, n, err)
			}
			checkRun(t, test, command, run)
			runs = append(runs, run)
		}
		checkTest(t, test, Join(runs))
		tests = append(tests, Join(runs))
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
	version := map[contract.Tool]string{contract.LlamaBenchy: "0.4.0", contract.VLLMBench: "0.26.0"}[test.Tool]
	if got := *run.Test.Tool; got != (bundle.Tool{Name: string(test.Tool), Version: version}) {
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
	if test.Tool == contract.LlamaBenchy {
		parsed, err := ingest.ParseLlamaBenchy(ingest.Input{Name: run.Files[0].Name, Data: run.Files[0].Data})
		if err != nil {
			t.Fatal(err)
		}
		return parsed.Reports[0].Cells
	}
	parsed, err := ingest.ParseVLLMBench(ingest.Input{Name: last.Name, Data: last.Data})
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
	if several := len(test.Cells()) > 1 && test.OpenLoop != nil; several != (got.Command == nil) {
		t.Errorf("%s: command %v", test.Slug, got.Command)
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
		{"own runner", &Tools{}, contract.Test{Slug: "chat", Tool: contract.Native, ClosedLoop: &contract.ClosedLoop{}}, "", "measured by arena"},
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
	if again := testNamed(t, c, "monday-peak"); again.OpenLoop.Container != "vllm-bench" {
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
		Dir: t.TempDir(), Exec: throughStandIn("", dir), Progress: func(line string) { lines = append(lines, line) },
	}
	var kept strings.Builder
	look := func(mode, slug string) *ToolRun {
		tools.Exec = throughStandIn(mode, dir)
		run, err := tools.Run(t.Context(), c, testNamed(t, c, slug), 0)
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
	if want := []string{NoteContainerDiffers, NoteAddressWithheld, NoteCommandDiffers}; !slices.Equal(codes, want) {
		t.Errorf("notes %q, want %q", codes, want)
	}
	if got := run.Test.Notes[2].Args; got[0].Value != "--base-url" || got[1].Value != "http://localhost:8000" || got[2].Value != "http://host:8123" {
		t.Errorf("the deviation is %v", got)
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

func TestToolsFailures(t *testing.T) {
	t.Parallel()
	c := contractV2(t)
	for _, k := range []struct {
		mode, slug string
		fault      ToolFault
		msg        []string
		files      int // kept
	}{
		{"exit", "chat", ToolExit, []string{"exit code 1", "RuntimeError: warm-up answered 401"}, 2},
		{"exit", "sharegpt", ToolExit, []string{"exit code 1: ValueError: Initial test run failed"}, 2},
		{"die", "chat", ToolKilled, []string{"killed", "dmesg"}, 1},
		{"empty", "chat", ToolUnreadable, []string{"01-chat.stdout.txt:1", "no figures"}, 1},
		{"garbled", "chat", ToolUnreadable, []string{"01-chat.stdout.txt:33", "three thousand", "the files lie in"}, 1},
		{"cut", "reasoning", ToolUnreadable, []string{"09-reasoning.json:1", "cut off"}, 3},
		{"other-rate", "reasoning", ToolUnreadable, []string{"09-reasoning.json:1", "request_rate 9 is none of its rates"}, 3},
		{"left-over", "reasoning", ToolContainer, []string{"the same command still runs", "docker top vllm-bench"}, 0},
		{"no-container", "reasoning", ToolContainer, []string{"there is no container vllm-bench", "--container"}, 0},
		{"stopped-container", "reasoning", ToolContainer, []string{"is not running", "docker start vllm-bench"}, 0},
	} {
		dir := t.TempDir()
		tools := &Tools{Names: toolNames, Dir: dir, Exec: throughStandIn(k.mode, t.TempDir())}
		test := testNamed(t, c, k.slug)
		run, err := tools.Run(t.Context(), c, test, 0)
		var e *ToolError
		if !errors.As(err, &e) || e.Fault != k.fault {
			t.Errorf("%s %s: %v, want %s", k.mode, k.slug, err, k.fault)
			continue
		}
		for _, want := range k.msg {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %q lacks %q", k.mode, k.slug, err, want)
			}
		}
		if len(run.Files) != k.files {
			t.Errorf("%s %s: kept %d files, want %d", k.mode, k.slug, len(run.Files), k.files)
		}
		for _, f := range run.Files {
			if data, err := os.ReadFile(filepath.Join(dir, f.Name)); err != nil || !bytes.Equal(data, f.Data) {
				t.Errorf("%s %s: %s is not in the work folder: %v", k.mode, k.slug, f.Name, err)
			}
		}
		if s := run.Test.Stopped; s == nil || s.Reason != bundle.StopErrors || s.Detail == "" {
			t.Errorf("%s %s: stopped %v", k.mode, k.slug, s)
		}
		if len(run.Test.Cells) != len(test.Cells()) {
			t.Errorf("%s %s: %d cells", k.mode, k.slug, len(run.Test.Cells))
		}
		checkValid(t, c, run.Test)
		for _, cell := range run.Test.Cells {
			if cell.Error == "" || len(cell.Reported) > 0 {
				t.Errorf("%s %s: a cell is %+v", k.mode, k.slug, cell)
			}
		}
	}
}

// A work folder that is not there keeps the tool from starting, and its path stays
// out of the record.
func TestToolsWorkFolder(t *testing.T) {
	t.Parallel()
	c, dir := contractV2(t), filepath.Join(t.TempDir(), "gone")
	run, err := (&Tools{Dir: dir, Exec: throughStandIn("", t.TempDir())}).Run(t.Context(), c, testNamed(t, c, "chat"), 0)
	if e, ok := errors.AsType[*ToolError](err); !ok || e.Fault != ToolNotFound || !strings.Contains(err.Error(), "start uvx: no such file") {
		t.Errorf("%v", err)
	}
	if record, err := json.Marshal(run); err != nil || bytes.Contains(record, []byte(dir)) || run.Started.IsZero() || run.Ended.IsZero() {
		t.Errorf("%s %v", record, err)
	}
}

// Not parallel: it changes the environment.
func TestToolsNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	c := contractV2(t)
	for slug, want := range map[string]string{"chat": "uvx was not found\nhint: install uv", "reasoning": "docker was not found\nhint: install Docker"} {
		_, err := (&Tools{}).Run(t.Context(), c, testNamed(t, c, slug), 0)
		var e *ToolError
		if !errors.As(err, &e) || e.Fault != ToolNotFound || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", slug, err, want)
		}
	}
}

// The tool measured only the first concurrency.
func TestToolsFewerRows(t *testing.T) {
	t.Parallel()
	c := contractV2(t)
	run, err := (&Tools{Names: toolNames, Exec: throughStandIn("fewer", t.TempDir())}).Run(t.Context(), c, testNamed(t, c, "chat"), 0)
	if err != nil {
		t.Fatal(err)
	}
	with := 0
	for _, cell := range run.Test.Cells {
		if len(cell.Reported) > 0 {
			with++
		}
	}
	if s := run.Test.Stopped; with != 1 || s == nil || s.Reason != bundle.StopErrors {
		t.Errorf("%d cells with figures, stopped %v", with, s)
	}
	want := noteOf(NoteCellsWithout, "measured", "1", "planned", "3")
	if !slices.ContainsFunc(run.Test.Notes, func(n bundle.Note) bool { return sameNote(n, want) }) {
		t.Errorf("notes %v lack %v", run.Test.Notes, want)
	}
}

// Without a saved file the printed block is read; an old result is never taken for
// the new one.
func TestToolsStaleResult(t *testing.T) {
	t.Parallel()
	c, dir := contractV2(t), t.TempDir()
	old := filepath.Join(dir, "container", "tmp", "09-reasoning.json")
	if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte(`{"request_rate": 0.2, "mean_ttft_ms": 1, "completed": 50}`), 0o600); err != nil {
		t.Fatal(err)
	}
	run, err := (&Tools{Names: toolNames, Exec: throughStandIn("no-file", dir)}).Run(t.Context(), c, testNamed(t, c, "reasoning"), 0)
	if err != nil {
		t.Fatal(err)
	}
	cell := run.Test.Cells[0]
	if f := cell.Figure("ttft_ms"); f == nil || *f.Mean != 812.5 || cell.PromptTokens != 1024 || *cell.RequestRate != 0.2 {
		t.Errorf("read %+v of the printed block", cell)
	}
	if !slices.ContainsFunc(cell.Notes, func(n bundle.Note) bool { return n.Code == bundle.NotePrintedBlock }) {
		t.Errorf("notes %v do not say where the figures are from", cell.Notes)
	}
}

func TestToolsInterrupted(t *testing.T) {
	t.Parallel()
	c := contractV2(t)
	for _, k := range []struct{ mode, slug string }{{"hang", "chat"}, {"deaf", "chat"}, {"hang", "sharegpt"}} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		var hanging atomic.Int32
		tools := &Tools{Names: toolNames, Grace: 200 * time.Millisecond, Exec: throughStandIn(k.mode, dir)}
		tools.Progress = func(line string) {
			want := int32(1)
			if k.mode == "deaf" {
				want = 2 // parent and child
			}
			if line == "hanging" && hanging.Add(1) == want {
				cancel()
			}
		}
		start := time.Now()
		run, err := tools.Run(ctx, c, testNamed(t, c, k.slug), 0)
		cancel()
		var e *ToolError
		if !errors.As(err, &e) || e.Fault != ToolInterrupted || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "is lost") {
			t.Errorf("%s %s: %v", k.mode, k.slug, err)
		}
		if run == nil || len(run.Files) == 0 || len(run.Test.Cells[0].Reported) > 0 {
			t.Errorf("%s %s: %+v", k.mode, k.slug, run)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s %s: took %v to end", k.mode, k.slug, took)
		}
		if k.mode == "deaf" {
			checkGone(t, filepath.Join(dir, "child"))
		}
		if k.slug == "sharegpt" {
			all := calls(t, dir)
			last := all[len(all)-1].Argv
			if last[3] != "python3" || last[6] != "end" || !slices.Equal(last[7:], c.Commands(testNamed(t, c, k.slug), toolNames)[0].Argv[4:]) {
				t.Errorf("ended the tool in its container with %q", last)
			}
		}
	}
}

// checkGone checks that the process with the id in a file has ended.
func checkGone(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(numbers([]string{string(data)})[0])
	if err != nil {
		return
	}
	gone(t, p)
}

// gone waits until a process has ended. One that nobody reaps yet counts.
func gone(t *testing.T, p *os.Process) {
	t.Helper()
	for range 1000 {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
		if err == nil && bytes.Contains(status, []byte("State:\tZ")) || p.Signal(syscall.Signal(0)) != nil {
			return
		}
		<-time.After(5 * time.Millisecond)
	}
	t.Errorf("process %d goes on", p.Pid)
}

// The script ends the processes with our arguments, deaf or not, and no others.
func TestToolsEndScript(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3: the script that ends a tool in its container is not tested")
	}
	mark := filepath.Join(t.TempDir(), "result.json") // unique on this machine
	start := func(script string, argv ...string) *exec.Cmd {
		cmd := exec.Command(python, append([]string{"-c", script + "; print('up', flush=True); time.sleep(60)"}, argv...)...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	ours := start("import time", "bench", "serve", "--result-filename", mark)
	other := start("import time", "bench", "serve", "--result-filename", mark+"2")
	for _, step := range []struct {
		mode string
		code int
	}{{"find", foundCode}, {"end", 0}, {"find", 0}} {
		cmd := exec.Command(python, "-c", endScript, step.mode, "bench", "serve", "--result-filename", mark)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != step.code {
			t.Errorf("%s: %v %s, want exit code %d", step.mode, err, out, step.code)
		}
	}
	gone(t, ours.Process)
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("a process with other arguments was ended: %v", err)
	}
}
