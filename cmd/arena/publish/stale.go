package publish

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Unfinished is the name of the file that marks a folder as one in which a site is
// being written, or an old one being removed. The finished site does not hold it.
const Unfinished = ".arena-unfinished"

const unfinishedText = "arena build writes a site here, or was ended while it did; the next build removes it\n"

// digits is the form of what stands behind the name of the site in the name of a
// folder in which it is written.
var digits = regexp.MustCompile(`^[0-9]+$`)

// begin makes the folder beside dir in which a site is written: marked as ours, and
// held until release is called or the process ends, however it ends.
func begin(dir string) (fresh string, release func(), err error) {
	fresh, err = os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-*")
	if err != nil {
		return "", nil, err
	}
	// Held before it is marked, so that nobody takes it for an abandoned one.
	release = hold(fresh)
	if err := mark(fresh); err != nil {
		release()
		return "", nil, errors.Join(err, os.RemoveAll(fresh))
	}
	return fresh, release, nil
}

// mark marks a folder as one that the next build may remove, unless it is gone.
func mark(dir string) error {
	err := os.WriteFile(filepath.Join(dir, Unfinished), []byte(unfinishedText), 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// finish takes the mark from a site that is whole and in its place.
func finish(dir string) error {
	if err := os.Remove(filepath.Join(dir, Unfinished)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// discard removes a folder that begin made or a site that was swapped out. It is
// marked until nothing else is left, so that what remains when the process is
// ended can be told from other folders.
func discard(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := mark(dir); err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == Unfinished {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return os.RemoveAll(dir)
}

// sweep removes what builds of dir that were ended left beside it: folders with
// the right name and the mark, which no process holds. What cannot be proved to be
// that stays, and what cannot be removed is no fault of this build.
func sweep(dir string) {
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return
	}
	prefix := "." + filepath.Base(dir) + "-"
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || len(name) <= len(prefix) || name[:len(prefix)] != prefix || !digits.MatchString(name[len(prefix):]) {
			continue
		}
		abandoned := filepath.Join(filepath.Dir(dir), name)
		release, ok := seize(abandoned)
		if !ok {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(abandoned, Unfinished)); err == nil && string(text) == unfinishedText {
			_ = discard(abandoned)
		}
		release()
	}
}
