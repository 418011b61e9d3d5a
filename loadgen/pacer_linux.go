package loadgen

import (
	"syscall"
	"time"
)

// spin is how long the thread waits awake: longer than it takes to wake up.
const spin = 100 * time.Microsecond

// sharpenTimers asks that this thread's sleeps end within a nanosecond of their
// time, instead of the usual fifty microseconds. If the system refuses, sends are
// later, and measured as such.
func sharpenTimers() {
	const prSetTimerSlack = 29
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetTimerSlack, 1, 0)
}

// sleep blocks the thread: the runtime's own timers wake up to a millisecond
// late. A signal ends it early.
func sleep(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil)
}
