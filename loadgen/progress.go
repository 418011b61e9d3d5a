package loadgen

import "sync/atomic"

// Progress counts requests while a cell runs. It is read at any time; nothing is
// called, drawn or logged while requests are under way.
type Progress struct {
	Sent   atomic.Int64
	Done   atomic.Int64 // whatever the outcome
	Failed atomic.Int64
}
