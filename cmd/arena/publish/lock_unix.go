//go:build unix && !solaris && !illumos && !aix

package publish

import (
	"os"
	"syscall"
)

// hold keeps others from seizing a folder, until release is called or the process
// ends. Where the file system knows no locks nobody can seize it either.
func hold(dir string) (release func()) {
	release, _ = lock(dir, syscall.LOCK_EX)
	return release
}

// seize is hold for a folder of which nobody may know: it reports whether no other
// process holds it.
func seize(dir string) (release func(), ok bool) {
	return lock(dir, syscall.LOCK_EX|syscall.LOCK_NB)
}

func lock(dir string, how int) (release func(), ok bool) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}, false
	}
	if err := syscall.Flock(int(f.Fd()), how); err != nil {
		_ = f.Close() // nothing was written
		return func() {}, false
	}
	return func() { _ = f.Close() }, true
}
