// Package simserver is an OpenAI-compatible server that generates nothing and
// knows exactly when it sends what: for calibrating load generators, for
// demonstrations and for tests. It is not a model of any particular engine.
//
// An answer's tokens are due either at fixed moments after the request arrived,
// or when a simulated engine has computed them: with batches, chunked prefill, a
// queue, a limited KV cache with preemption, a prefix cache and speculative
// decoding. How the answer looks on the wire, and how it fails, can be chosen for
// the server and for each request (see [Options] and [Fault]). All randomness
// comes from the server's seed and the request's number.
//
// The server keeps its own truth: when each request arrived, and when each event
// was due and was sent (see [Record]). All such moments are offsets from the start
// of the server, on one monotonic clock.
//
// A server listens on sockets with [Server.Serve], or in memory with
// [Server.Dial], which serves as the DialContext of an http.Transport. In memory
// and with the default timers it knows the fake time of testing/synctest.
//
// Its answers can be told from those of a real server: the model's name begins
// with [Prefix], the Server header and /version say "arena sim".
package simserver
