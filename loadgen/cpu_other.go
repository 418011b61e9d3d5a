//go:build !unix

package loadgen

import "time"

func processorTime() (time.Duration, bool) { return 0, false }
