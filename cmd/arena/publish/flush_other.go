//go:build !linux

package publish

import (
	"errors"
	"os"
	"path/filepath"
)

// flush waits until the disk has the files and folders below root.
func flush(root *os.Root, files, folders []string) error {
	for _, name := range append(files, Marker) {
		f, err := root.Open(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	for _, name := range folders {
		if err := syncFolder(filepath.Join(root.Name(), filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}
