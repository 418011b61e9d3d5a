package simserver

import (
	"encoding/binary"
	"syscall"
	"time"
)

// askReceipts makes the kernel note when data comes. Where it refuses, receipt falls
// back on the time of the read.
func askReceipts(raw syscall.RawConn) {
	_ = raw.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1)
	})
}

// longestReceipt is how long data can have waited. More is a clock that was set.
const longestReceipt = time.Minute

// receipt returns when data came by the control messages that came with it, or
// now when they do not tell.
func receipt(control []byte, now time.Time) time.Time {
	messages, err := syscall.ParseSocketControlMessage(control)
	if err != nil {
		return now
	}
	for _, m := range messages {
		if m.Header.Level != syscall.SOL_SOCKET || m.Header.Type != syscall.SCM_TIMESTAMPNS || len(m.Data) < 16 {
			continue
		}
		seconds := int64(binary.NativeEndian.Uint64(m.Data))
		nanoseconds := int64(binary.NativeEndian.Uint64(m.Data[8:]))
		// The kernel tells the wall clock's time; how long ago that was is taken from
		// it at once.
		if ago := now.Sub(time.Unix(seconds, nanoseconds)); ago > 0 && ago < longestReceipt {
			return now.Add(-ago)
		}
	}
	return now
}
