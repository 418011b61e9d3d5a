//go:build !linux

package loadgen

import "time"

// spin is longer than the runtime's timers are late.
const spin = 1500 * time.Microsecond

func sharpenTimers() {}

func sleep(d time.Duration) { time.Sleep(d) }
