package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"

	"example.org/arena/results/bundle"
)

// Generated bundles are bundles, each its own and in its place, and the same every
// time.
func TestGenerate(t *testing.T) {
	t.Parallel()
	const n = 70 // more than two rounds
	dir := t.TempDir()
	for range 2 {
		if err := generate(dir, filepath.Join("..", "..", "results", "bundles"), n); err != nil {
			t.Fatal(err)
		}
	}
	profiles := map[string]bool{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".json" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		b, faults := bundle.Check(name, data)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		profiles[b.Model.ID+" "+b.Profile] = true
		return bundle.CheckPath(name, b, data)
	})
	if err != nil || len(profiles) != n {
		t.Errorf("%d configurations, want %d: %v", len(profiles), n, err)
	}
}
