//go:build unix

package loadgen

import (
	"syscall"
	"time"
)

// processorTime returns what the process has used, and whether that is known.
func processorTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
