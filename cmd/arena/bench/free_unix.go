//go:build unix

package bench

import "syscall"

// freeBytes returns how many bytes a user may still write to the file system of a
// folder.
func freeBytes(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil //nolint:gosec // a block has a positive size
}
