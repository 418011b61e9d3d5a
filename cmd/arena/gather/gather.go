// Package gather reads the bundles that a site is made from. It checks what one
// bundle must be to be shown at all: its bytes, its sense and its place. Whether
// pinned revisions exist and nothing was changed is for package verify to say.
package gather

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"example.org/arena/results/bundle"
	"example.org/arena/results/tomlfile"
	"example.org/arena/results/verdict"
	"example.org/arena/site"
	"example.org/arena/site/page"
)

// A Reader reads bundles for a site, several at a time.
type Reader struct {
	Jobs    int
	Rules   verdict.Rules // what bundles are judged by
	Cache   site.Cache    // keeps what the site holds of each bundle; nil for none
	Version string        // of everything beside the bundle that this follows from
}

// Folders reads every bundle below the given folders, each of which must hold
// some. A bundle that lies in two folders counts once. The items are sorted by path.
// The error lists every fault of every bundle, as "file:line: key: message".
func (r *Reader) Folders(ctx context.Context, dirs []string) ([]site.Item, error) {
	var files []file
	var errs []error
	for _, dir := range dirs {
		found, err := list(os.DirFS(dir), dir)
		switch {
		case err != nil:
			errs = append(errs, err)
		case len(found) == 0:
			errs = append(errs, fmt.Errorf("%s holds no bundle", dir))
		}
		files = append(files, found...)
	}
	if err := r.read(ctx, files); err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.err != nil {
			errs = append(errs, f.err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return unique(files), nil
}

// A file is a bundle that was found, and what was read from it.
type file struct {
	fsys fs.FS
	dir  string // as the caller named it
	path string // below dir
	item site.Item
	err  error
}

// list finds the bundles of a folder. What they keep beside them, raw files, is
// passed over.
func list(fsys fs.FS, dir string) ([]file, error) {
	var files []file
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() || path.Ext(name) != ".json":
			return nil
		}
		files = append(files, file{fsys: fsys, dir: dir, path: name})
		return nil
	})
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, filepath.FromSlash(at.Path)), at.Err)
	}
	return files, err
}

// read reads the files, several at a time. Its error is that of ctx.
func (r *Reader) read(ctx context.Context, files []file) error {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(max(r.Jobs, 1), len(files)) {
		wg.Go(func() {
			for i := range next {
				r.readFile(&files[i])
			}
		})
	}
	for i := range files {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return ctx.Err()
}

// readFile reads, checks and judges one bundle, unless what is held of it is known.
func (r *Reader) readFile(f *file) {
	name := filepath.Join(f.dir, filepath.FromSlash(f.path))
	read := func() ([]byte, error) {
		data, err := regular(f.fsys, f.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return data, nil
	}
	data, err := read()
	if err != nil {
		f.err = err
		return
	}
	f.item.Read = read
	id := bundle.ID(data)
	key := "bundle " + r.Version + " " + id + " " + f.path
	if site.Recall(r.Cache, key, &f.item.Bundle) {
		return
	}
	b, faults := bundle.Check(name, data)
	if b != nil {
		if err := bundle.CheckPath(f.path, b, data); err != nil {
			faults = append(faults, tomlfile.Fault{File: name, Code: bundle.CodePath, Message: err.Error()})
		}
	}
	if f.err = faults.Err(); f.err == nil {
		f.item.Bundle = page.BundleOf(id, f.path, b, r.Rules)
		f.err = site.Keep(r.Cache, key, f.item.Bundle)
	}
}

// regular returns the bytes of a file that is one, and not larger than a bundle.
func regular(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Lstat(fsys, name)
	switch {
	case err != nil:
		return nil, bare(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > bundle.MaxBytes:
		return nil, fmt.Errorf("%d bytes, more than a bundle has (%d)", info.Size(), bundle.MaxBytes)
	}
	data, err := fs.ReadFile(fsys, name)
	return data, bare(err)
}

// bare drops the name of the file, which the caller says with its folder.
func bare(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

// unique returns the items by path, each identity once.
func unique(files []file) []site.Item {
	seen := map[string]bool{}
	var items []site.Item
	for _, f := range files {
		if id := f.item.Summary.ID; !seen[id] {
			seen[id] = true
			items = append(items, f.item)
		}
	}
	slices.SortFunc(items, func(a, b site.Item) int { return strings.Compare(a.Summary.Path, b.Summary.Path) })
	return items
}
