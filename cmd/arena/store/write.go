package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Create writes a file that is whole or not there: beside its place, synced,
// then linked into place, which fails where something lies already. It reports
// whether it created the file; the same bytes in its place are no error.
func Create(path string, data []byte) (created bool, err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return false, err
	}
	temp, err := os.CreateTemp(dir, tempPrefix+strconv.Itoa(os.Getpid())+"-*")
	if err != nil {
		return false, err
	}
	defer os.Remove(temp.Name()) //nolint:errcheck // what stays is swept later
	if err := fill(temp, data); err != nil {
		return false, err
	}
	err = os.Link(temp.Name(), path)
	switch {
	case err == nil:
		return true, syncDir(dir)
	case errors.Is(err, fs.ErrExist):
		_, err := Holds(path, data)
		return false, err
	}
	return copyInto(path, data) // a file system without links
}

func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// copyInto writes a file that must not be there yet.
func copyInto(path string, data []byte) (bool, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		_, err := Holds(path, data)
		return false, err
	}
	if err != nil {
		return false, err
	}
	if err := fill(f, data); err != nil {
		_ = os.Remove(path) // it is not whole
		return false, err
	}
	return true, syncDir(filepath.Dir(path))
}

// syncDir makes a new name in a folder durable. Some systems cannot sync
// folders: that costs durability, not the file.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // only read
	_ = f.Sync()
	return nil
}

// Holds reports whether a file with these bytes lies at path. Another file in
// its place is an error: nothing is ever overwritten.
func Holds(path string, data []byte) (bool, error) {
	have, err := Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !bytes.Equal(have, data):
		return false, fmt.Errorf("%s is there already, with other bytes than its name says", path)
	}
	return true, nil
}
