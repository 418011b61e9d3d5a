package publish

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// flush waits until the disk has the files and folders below root: in one call
// for the whole file system, which takes a fraction of the time of one for each.
func flush(root *os.Root, _, _ []string) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(dir.Fd())), dir.Close())
}
