// Package arrival says when requests are sent. A Schedule is complete before the
// first request goes out and holds times and counts only: no clock, no prompt, no
// endpoint. The same seed gives the same schedule on every machine, to the bit.
//
// The schedules of `vllm bench serve` and the batches of llama-benchy are
// reproduced exactly, so that a seed of theirs means the same arrivals here.
//
// Units: moments are offsets from the start of the schedule, rates are requests
// per second.
package arrival
