package cache

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// versionsKept is how many versions have a cache: a checkout that goes back and
// forth between a few finds what it made before.
const versionsKept = 3

// OpenVersion returns the cache of a version, a folder of its own below dir. The
// caches of all but a few versions that were opened last are removed.
func OpenVersion(dir, version string) *Folder {
	f := newFolder(filepath.Join(dir, version), "")
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		f.note(err)
		return f
	}
	if err := os.Chtimes(f.dir, f.opened, f.opened); err != nil {
		f.note(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.note(err)
	}
	opened := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			opened[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int {
		return cmp.Or(opened[b.Name()].Compare(opened[a.Name()]), cmp.Compare(a.Name(), b.Name()))
	})
	for _, e := range entries[min(len(entries), versionsKept):] {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			f.note(err)
		}
	}
	return f
}

// Sweep removes every value that was neither read nor put since the cache was
// opened, by this program or another one.
func (f *Folder) Sweep() {
	folders, err := os.ReadDir(f.dir)
	if err != nil {
		f.note(err)
		return
	}
	for _, d := range folders {
		dir := filepath.Join(f.dir, d.Name())
		files, err := os.ReadDir(dir)
		if err != nil {
			f.note(err)
			continue
		}
		for _, e := range files {
			file := filepath.Join(dir, e.Name())
			if info, err := e.Info(); err != nil || info.ModTime().After(f.opened) || f.isUsed(file) {
				continue
			}
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				f.note(err)
			}
		}
	}
}

// Use marks a value as one that Sweep leaves.
func (f *Folder) Use(key string) { f.place(key) }

func (f *Folder) isUsed(file string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.used[file]
}
