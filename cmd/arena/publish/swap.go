package publish

import (
	"errors"
	"io/fs"
	"os"
)

// swap makes the folder fresh take the place and name of dir. What was at dir, if
// anything, is at fresh afterwards.
func swap(fresh, dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(fresh, dir)
	}
	if exchange(fresh, dir) == nil {
		return nil
	}
	return inTurn(fresh, dir)
}

// inTurn swaps with two renames, where the system cannot do it with one: for a
// moment there is nothing at dir. If the second fails, the first is undone.
func inTurn(fresh, dir string) error {
	aside := fresh + ".old"
	if err := os.Rename(dir, aside); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(aside, dir))
	}
	return os.Rename(aside, fresh)
}

// syncFolder waits until the disk has the names in a folder.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil // this file system has no such thing
	}
	return errors.Join(err, f.Close())
}
