package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is written once; the same bytes again are no fault, others are.
func TestCreate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b.json")
	for i, c := range []struct {
		data    string
		created bool
		fault   string
	}{{"x", true, ""}, {"x", false, ""}, {"y", false, "is there already, with other bytes"}} {
		created, err := Create(path, []byte(c.data))
		if created != c.created || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%d: created %t, %v", i, created, err)
		}
	}
	if data, err := Read(path); err != nil || string(data) != "x" {
		t.Errorf("read %q, %v", data, err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
}

// What is no regular file is refused before it is opened.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{t.TempDir(): "is a folder", os.DevNull: "is not a regular file"} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// A folder with the signs of a pattern in its name is found as itself.
func TestEscapeGlob(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a[b]*?")
	if _, err := Create(filepath.Join(dir, "x"), nil); err != nil {
		t.Fatal(err)
	}
	if found, err := filepath.Glob(filepath.Join(EscapeGlob(dir), "*")); err != nil || len(found) != 1 {
		t.Errorf("found %v, %v", found, err)
	}
}
