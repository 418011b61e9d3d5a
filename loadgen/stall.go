package loadgen

import "time"

// stallLook is the time between two looks at the clock: shorter stalls are not seen.
const stallLook = 50 * time.Millisecond

// watchStalls begins to look for times in which the process did not run, as when it
// or its machine was stopped. The function that it returns ends that and returns the
// longest. What arrived in such a time was read late, and only the last piece of it
// has a time of its own.
func watchStalls() (end func() time.Duration) {
	stop, longest := make(chan struct{}), make(chan time.Duration)
	go func() {
		ticker := time.NewTicker(stallLook)
		defer ticker.Stop()
		worst, last := time.Duration(0), time.Now()
		for {
			select {
			case <-stop:
				longest <- worst
				return
			case <-ticker.C:
				now := time.Now()
				worst, last = max(worst, now.Sub(last)-stallLook), now
			}
		}
	}()
	return func() time.Duration {
		close(stop)
		return <-longest
	}
}
