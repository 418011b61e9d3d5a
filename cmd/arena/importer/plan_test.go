package importer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/arena/results/ingest/formats"

	"example.org/arena/results/bundle"
	"example.org/arena/results/ingest"
)

func exampleBundle(t *testing.T, credit string) *bundle.Bundle {
	t.Helper()
	meta := ingest.Metadata{
		Platform: "p", Profile: "q", Licence: "MIT", Credit: credit, StartedAt: "2026-08-14T10:00:00Z", Test: "chat",
		Model: bundle.Model{ID: "a/b"}, Server: bundle.Server{Name: "vllm"}, Source: bundle.Source{Title: "t"},
	}
	opt := ingest.Options{Engine: bundle.EnginePin{Version: "v", Go: "go"}, KeepFiles: true}
	list, err := formats.Import("vllm-bench", exampleInputs(), meta, opt)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func exampleInputs() []ingest.Input {
	return []ingest.Input{{Name: "r.json", Data: []byte(`{"completed": 1, "mean_ttft_ms": 1.5}`)}}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWritePlan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := exampleBundle(t, "c")
	plan, err := PlanWrites(dir, []*bundle.Bundle{b}, exampleInputs(), false)
	if err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); len(got) != 0 {
		t.Fatalf("planning wrote %v", got)
	}
	if err := plan.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); len(got) != 2 {
		t.Fatalf("got %v, want a bundle and a raw file, and no other", got)
	}
	packed, err := os.ReadFile(filepath.Join(filepath.Dir(plan.files[0].path), "raw", b.Source.Files[0].SHA256+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := io.ReadAll(r); err != nil || !bytes.Equal(raw, exampleInputs()[0].Data) {
		t.Errorf("got %q, %v", raw, err)
	}
	again, err := PlanWrites(dir, []*bundle.Bundle{b}, exampleInputs(), false)
	if err != nil || !again.files[0].there {
		t.Fatalf("got %v, %v: want it to be there", again.files[0].there, err)
	}
	if err := again.Write(t.Context()); err != nil {
		t.Error(err)
	}
}

// Nothing is overwritten, not even in the moment between look and write.
func TestWritePlanNeverOverwrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plan, err := PlanWrites(dir, []*bundle.Bundle{exampleBundle(t, "c")}, exampleInputs(), false)
	if err != nil {
		t.Fatal(err)
	}
	path := plan.files[0].path
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := plan.Write(t.Context()); err == nil || !strings.Contains(err.Error(), "is there already, with other bytes") {
		t.Errorf("got %v", err)
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("after the fault: %v, want only what was there", got)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "other" {
		t.Errorf("got %q, %v", data, err)
	}
	if _, err := PlanWrites(dir, []*bundle.Bundle{exampleBundle(t, "c")}, exampleInputs(), false); err == nil {
		t.Error("a plan over another file is no error")
	}
}

// When the second bundle fails, the first does not stay.
func TestWritePlanAllOrNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plan, err := PlanWrites(dir, []*bundle.Bundle{exampleBundle(t, "c"), exampleBundle(t, "d")}, exampleInputs(), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(plan.files[1].path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := plan.Write(t.Context()); err == nil {
		t.Fatal("no error")
	}
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := plan.Write(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
}
