//go:build !linux

package simserver

// newPreciseWaiter returns the most exact waiter there is.
func newPreciseWaiter() (waiter, error) { return newTimerWaiter(), nil }
