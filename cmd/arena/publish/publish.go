// Package publish writes the files of a site as they are made and, when all are
// there, puts them in the place of an older site, whole or not at all: readers of
// the folder see the old site or the new one, and a build that fails or is
// interrupted leaves the old one alone.
//
// A published folder holds a marker, .arena-site, that lists its files with their
// SHA-256. A folder with anything else in it is never replaced. A file that the
// older site has already, byte for byte, is linked instead of written.
package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Replace calls fill to write a site beside dir and then swaps the two, so that
// dir holds what fill wrote and nothing else. It refuses where Check does. When
// fill fails or ctx ends before the swap, dir stays as it was.
func Replace(ctx context.Context, dir string, fill func(*Site) error) (_ Manifest, err error) {
	dir, err = resolve(dir)
	if err != nil {
		return nil, err
	}
	if err := check(dir); err != nil {
		return nil, err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	sweep(dir)
	fresh, release, err := begin(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	// After the swap this is the old site.
	defer func() { err = errors.Join(err, discard(fresh)) }()
	m, err := write(fresh, dir, fill)
	if err != nil {
		return nil, err
	}
	// Something may have been put there in the meantime.
	if err := check(dir); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := swap(fresh, dir); err != nil {
		return nil, fmt.Errorf("put the new site in place: %w", err)
	}
	// Each folder beside dir is marked as long as it is there, so that a build that is
	// ended here leaves nothing that the next one does not know as its own.
	return m, errors.Join(mark(fresh), finish(dir), syncFolder(parent))
}

// write lets fill write a site into the folder fresh and waits until the disk has
// it.
func write(fresh, old string, fill func(*Site) error) (Manifest, error) {
	if err := os.Chmod(fresh, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(fresh)
	if err != nil {
		return nil, err
	}
	s := openSite(root, old)
	err = fill(s)
	if err == nil {
		err = s.seal()
	}
	return s.manifest(), errors.Join(err, root.Close())
}

// resolve returns the absolute path of dir. Where it is a symbolic link, the
// folder that it leads to is meant: replacing the link would leave the site that
// others look at as it was.
func resolve(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(abs)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		return filepath.EvalSymlinks(abs)
	}
	return abs, nil
}

// Check reports whether Replace may put a site in the place of dir: when there is
// nothing, an empty folder, or a site that Replace made and nobody added to. The
// root of a file system and a folder with a repository are always refused.
func Check(dir string) error {
	abs, err := resolve(dir)
	if err != nil {
		return err
	}
	return check(abs)
}

func check(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", shown(dir))
	}
	if err := precious(dir); err != nil {
		return err
	}
	if err := elsewhere(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	foreign, err := m.foreign(dir)
	if err != nil {
		return err
	}
	if len(foreign) > 0 {
		return fmt.Errorf("%s holds what arena build did not write: %s", shown(dir), some(foreign))
	}
	return nil
}

// precious refuses the root of a file system, and folders that hold a repository:
// nobody wants a site in their place, and nobody should be told to empty them.
func precious(dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if filepath.Dir(real) == real {
		return fmt.Errorf("%s is the root of a file system: a site is never put in its place", dir)
	}
	switch _, err := os.Lstat(filepath.Join(real, ".git")); {
	case err == nil:
		return fmt.Errorf("%s holds a Git repository: a site is never put in its place", shown(dir))
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// elsewhere refuses the folder that the process works in, and those above it.
func elsewhere(dir string) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(real, here)
	if err == nil && (rel == "." || filepath.IsLocal(rel)) {
		return fmt.Errorf("%s is the current folder or holds it", shown(dir))
	}
	return nil
}

// some names the first few of a list.
func some(list []string) string {
	const most = 3
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// shown names a folder in a message: from the current one, where it lies below.
func shown(dir string) string {
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) && rel != "." {
			return rel
		}
	}
	return dir
}
