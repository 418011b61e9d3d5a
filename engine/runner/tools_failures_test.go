package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/arena/results/bundle"
)

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
		tools := &Tools{Names: toolNames, Dir: dir, Exec: throughFakeTool(k.mode, t.TempDir())}
		test := testNamed(t, c, k.slug)
		run, err := tools.Run(t.Context(), c, test, 0, nil)
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
	run, err := (&Tools{Dir: dir, Exec: throughFakeTool("", t.TempDir())}).Run(t.Context(), c, testNamed(t, c, "chat"), 0, nil)
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
		_, err := (&Tools{}).Run(t.Context(), c, testNamed(t, c, slug), 0, nil)
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
	run, err := (&Tools{Names: toolNames, Exec: throughFakeTool("fewer", t.TempDir())}).Run(t.Context(), c, testNamed(t, c, "chat"), 0, nil)
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
	want := bundle.NewNote(NoteCellsWithout, "measured", "1", "planned", "3")
	if !slices.ContainsFunc(run.Test.Notes, func(n bundle.Note) bool { return reflect.DeepEqual(n, want) }) {
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
	run, err := (&Tools{Names: toolNames, Exec: throughFakeTool("no-file", dir)}).Run(t.Context(), c, testNamed(t, c, "reasoning"), 0, nil)
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
