package simserver

import (
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// threadWaiter waits in the kernel on a thread of its own, whose timers are not
// rounded.
type threadWaiter struct {
	locked bool

	mu   sync.Mutex
	bell int // an eventfd; -1 after close
}

// newPreciseWaiter returns the most exact waiter there is. Its methods but ring
// belong to one goroutine.
func newPreciseWaiter() (waiter, error) {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return nil, errno
	}
	return &threadWaiter{bell: int(fd)}, nil
}

const prSetTimerSlack = 29

// pollFD is struct pollfd.
type pollFD struct {
	fd      int32
	events  int16
	revents int16
}

const pollIn = 1

func (w *threadWaiter) wait(d time.Duration) {
	if !w.locked {
		// The thread is never unlocked: it ends with its goroutine.
		runtime.LockOSThread()
		_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetTimerSlack, 1, 0) // or be less exact
		w.locked = true
	}
	var limit *syscall.Timespec
	if d >= 0 {
		ts := syscall.NsecToTimespec(int64(d))
		limit = &ts
	}
	p := pollFD{fd: int32(w.bell), events: pollIn}
	n, _, _ := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(limit)), 0, 0, 0)
	if n == 1 {
		var count [8]byte
		_, _ = syscall.Read(w.bell, count[:]) // resets it; nothing to read is no harm
	}
}

func (w *threadWaiter) ring() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.bell < 0 {
		return
	}
	one := [8]byte{1} // in either byte order a number that is not zero
	_, _ = syscall.Write(w.bell, one[:])
}

func (w *threadWaiter) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = syscall.Close(w.bell)
	w.bell = -1
}
