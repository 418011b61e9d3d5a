//go:build unix

package engine

import (
	"fmt"
	"os"
	"syscall"
)

// lock makes sure that no other process writes a journal. The lock ends with the
// process, however that ends.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return &Refusal{"journal_in_use", fmt.Sprintf("%s belongs to a run that is still going", f.Name()), "wait for it, or end it first"}
	}
	return nil
}
