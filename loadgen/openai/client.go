package openai

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"example.org/arena/loadgen"
)

// A Client sends to one server. It reads each answer in the goroutine that sends
// it, over connections of its own: HTTP/1.1, no proxy, no compression, no
// redirects, no cookies. The exchange is its own too, and not net/http's, which
// works on a connection in two more goroutines and holds back the part of a chunk
// that has arrived until the rest has. It never sends a request twice, with one exception: a
// connection that was open before and turns out to be dead before any byte of the
// answer, which servers cause that close a connection after an answer without
// saying so. Then it sends once more, over a new connection, and Result.Resent
// says so.
type Client struct {
	options Options
	root    *url.URL // without /v1
	head    []byte   // of requests, up to the value of Content-Length
	dialler *dialler
	pool    *pool
	plain   *http.Client // for the other endpoints
	secrets scrubber
	buffers sync.Pool // of *buffer
}

var _ loadgen.Sender = (*Client)(nil)

// KernelTime reports whether arrivals carry the kernel's time, as far as connections
// have been opened yet.
func (c *Client) KernelTime() bool { return c.dialler.stamped.Load() }

// New returns a client. It connects to nothing yet.
func New(o Options) (*Client, error) {
	o = o.withDefaults()
	root, err := rootURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if o.API != Chat && o.API != Completions {
		return nil, fmt.Errorf("client: unknown API %q", o.API)
	}
	header, err := headerOf(o)
	if err != nil {
		return nil, err
	}
	send := header.Clone()
	send.Set("Accept", "text/event-stream")
	c := &Client{
		options: o,
		root:    root,
		head:    requestHead(root.JoinPath("v1", string(o.API)), send),
		dialler: newDialler(o, root),
		pool:    &pool{idleTime: o.IdleTimeout},
		secrets: newScrubber(o.Key),
	}
	c.buffers.New = func() any { return newBuffer() }
	c.plain = &http.Client{
		Transport:     withHeader{newTransport(o), header},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// headerOf returns the header that every request has.
func headerOf(o Options) (http.Header, error) {
	header := http.Header{
		"Content-Type": {"application/json"},
		"User-Agent":   {"arena"},
	}
	if err := o.Key.check(); err != nil || o.Key == "" {
		return header, err
	}
	header.Set("Authorization", "Bearer "+string(o.Key))
	return header, nil
}

// rootURL returns a base URL without "/v1".
func rootURL(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil: // its text holds the URL, which may hold a password
		return nil, errors.New("client: the base URL cannot be read")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("client: the base URL %q must begin with http:// or https:// and a host", u.Redacted())
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("client: the base URL must have no user, query or fragment; a key goes into the options")
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/v1")
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/" + strings.TrimPrefix(path, "/")}, nil
}

// address returns host and port of a URL.
func address(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// newTransport returns what carries the requests that are not timed.
func newTransport(o Options) *http.Transport {
	dial := o.DialContext
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			ctx, cancel := limit(ctx, o.DialTimeout)
			defer cancel()
			return dial(ctx, network, addr)
		},
		TLSClientConfig:       &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   o.TLSTimeout,
		ResponseHeaderTimeout: o.HeaderTimeout,
		IdleConnTimeout:       o.IdleTimeout,
		DisableCompression:    true,
		Protocols:             &protocols,
	}
}

// Close closes the connections that are idle, and those in use when they become
// so.
func (c *Client) Close() {
	c.pool.clear(true)
	c.plain.CloseIdleConnections()
}

// dials is how many connections are opened at a time: fewer than the shortest
// queue of connections that servers listen with.
const dials = 64

// Warm opens n connections and sends nothing, so that the first requests find
// them open. Connections that were idle are closed: they are about to be too old.
// It opens as many as it can and says how many it could not.
func (c *Client) Warm(ctx context.Context, n int) error {
	c.pool.clear(false)
	var wg sync.WaitGroup
	tickets := make(chan struct{}, dials)
	errs := make([]error, n)
	for i := range n {
		tickets <- struct{}{}
		wg.Go(func() {
			defer func() { <-tickets }()
			l, err := c.dialler.link(ctx)
			if err != nil {
				errs[i] = err
				return
			}
			c.pool.put(l)
		})
	}
	wg.Wait()
	failed, last := 0, error(nil)
	for _, err := range errs {
		if err != nil {
			failed, last = failed+1, err
		}
	}
	if failed > 0 {
		return fmt.Errorf("open connections: %d of %d: %s", failed, n, c.secrets.clean(last.Error()))
	}
	return nil
}
