package site

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Tree is a set of files by slash-separated path, relative to the root of the
// site. Adding a path twice is a fault, reported by Err.
type Tree struct {
	mu    sync.Mutex
	files map[string][]byte
	twice []string
}

// add puts a file into the tree.
func (t *Tree) add(path string, data []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.files == nil {
		t.files = map[string][]byte{}
	}
	if _, ok := t.files[path]; ok {
		t.twice = append(t.twice, path)
		return
	}
	t.files[path] = data
}

// Err says which paths were added twice.
func (t *Tree) Err() error {
	if len(t.twice) == 0 {
		return nil
	}
	slices.Sort(t.twice)
	return fmt.Errorf("two pages or files want the same address: %s", strings.Join(slices.Compact(t.twice), ", "))
}

// Paths lists the paths, sorted.
func (t *Tree) Paths() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return sortedKeys(t.files)
}

// sortedKeys lists the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// File returns the content of the file at path and whether there is one.
func (t *Tree) File(path string) ([]byte, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	data, ok := t.files[path]
	return data, ok
}
