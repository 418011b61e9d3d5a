// Package openai speaks the streaming protocol of OpenAI-compatible servers: it
// builds request bodies, sends them, and reads the answer so that every token has
// the time at which its bytes arrived. It does not schedule, retry or summarise.
//
// Moments are offsets in nanoseconds from the origin that [Client.Send] is given.
// That of a sending is taken just before the first byte is written. That of an
// arrival is the kernel's where it tells it, on Linux, and else taken just after
// the read, before anything is parsed. Counts of tokens come from the server.
// [Client] implements [loadgen.Sender].
package openai

import (
	"context"
	"crypto/x509"
	"net"
	"time"
)

// An API is one of the two streaming endpoints.
type API string

// The endpoints, as paths below the base URL.
const (
	Chat        API = "chat/completions"
	Completions API = "completions"
)

// Options say where a [Client] sends to and what it puts up with. Only BaseURL is
// needed.
type Options struct {
	BaseURL string // "http://127.0.0.1:8000" or ".../v1": "/v1" is added when missing
	API     API    // where requests go; "" is Chat
	Model   string // model that Tokenize names, "" for a server with one
	Key     Secret // API key, "" for none; it never appears in an error or a result

	ProcessTime bool // take the time in this process even where the kernel tells when bytes arrived

	// Limits of time. Zero is the default in brackets; a negative value is none.
	DialTimeout   time.Duration // connection, name look-up included [10 s]
	TLSTimeout    time.Duration // handshake [10 s]
	HeaderTimeout time.Duration // from sending to the header [15 min: some servers send it with the first token]
	Timeout       time.Duration // whole request [1 h]
	StallTimeout  time.Duration // no byte of the body, after its first [none]
	IdleTimeout   time.Duration // unused connection is kept [4 s: vLLM closes it after 5 s]
	DrainTimeout  time.Duration // wait for the end of the body after [DONE] or an error event [1 s]

	MaxBytes int64 // bytes of an answer that are read; 0 allows 4 MiB and 4 KiB a token

	RootCAs *x509.CertPool // nil is the system's

	// DialContext opens connections, nil being a net.Dialer. Those that it opens
	// must know deadlines, which end what waits when a request is over.
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Defaults of Options.
const (
	defaultDial   = 10 * time.Second
	defaultTLS    = 10 * time.Second
	defaultHeader = 15 * time.Minute
	defaultTotal  = time.Hour
	defaultIdle   = 4 * time.Second
	defaultDrain  = time.Second
)

// withDefaults fills in what was left zero and makes "none" zero.
func (o Options) withDefaults() Options {
	set := func(d *time.Duration, def time.Duration) {
		switch {
		case *d == 0:
			*d = def
		case *d < 0:
			*d = 0
		}
	}
	set(&o.DialTimeout, defaultDial)
	set(&o.TLSTimeout, defaultTLS)
	set(&o.HeaderTimeout, defaultHeader)
	set(&o.Timeout, defaultTotal)
	set(&o.StallTimeout, 0)
	set(&o.IdleTimeout, defaultIdle)
	set(&o.DrainTimeout, defaultDrain)
	if o.API == "" {
		o.API = Chat
	}
	return o
}
