//go:build browser

// Package browsertest walks through the served site in a real Chromium: what it
// asks of every page, and what a reader can do there. The site is the one that
// arena build wrote, in $ARENA_SITE or in public/ of the checkout, served by
// package serve with the headers of production.
//
//	go test -tags browser ./cmd/arena/browsertest/
//
// With ARENA_SCREENSHOTS=DIR it also takes pictures for people to look at.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"example.org/arena/cmd/arena/publish"
	"example.org/arena/cmd/arena/serve"
	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
)

// bench is what all tests share. It is set up once and then only read.
var bench struct {
	folder  string // of the site
	origin  string // "http://127.0.0.1:PORT"
	foreign string // the same server under a name that browsers do not trust
	browser *rod.Browser
}

// foreignName is a name of this machine without the trust that browsers have in
// 127.0.0.1: there is no clipboard interface on such pages.
const foreignName = "arena.test"

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "browsertest:", err)
		code = 1
	}
	os.Exit(code)
}

var errNoBrowser = errors.New("there is no Chromium on this machine, so nothing was tested (apt-get install chromium)")

func run(m *testing.M) (int, error) {
	bin, err := findBrowser()
	if errors.Is(err, errNoBrowser) && os.Getenv("CI") == "" {
		fmt.Fprintln(os.Stderr, "SKIPPED:", err)
		return 0, nil
	}
	if err != nil {
		return 1, err
	}
	bench.folder = os.Getenv("ARENA_SITE")
	if bench.folder == "" {
		bench.folder = filepath.Join("..", "..", "..", "public")
	}
	if err := publish.IsSite(bench.folder); err != nil {
		return 1, fmt.Errorf("%w (make site makes one)", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 1, err
	}
	ended := make(chan error, 1)
	go func() { ended <- serve.Run(ctx, l, serve.Handler(serve.Folder(bench.folder)), nil) }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	bench.origin, bench.foreign = "http://127.0.0.1:"+port, "http://"+foreignName+":"+port

	code, err := withBrowser(bin, m.Run)
	cancel()
	return code, errors.Join(err, <-ended)
}

// findBrowser returns the path of a Chromium.
func findBrowser() (string, error) {
	for _, name := range []string{"/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome"} {
		if bin, err := exec.LookPath(name); err == nil {
			return bin, nil
		}
	}
	return "", errNoBrowser
}

// withBrowser runs f with a browser that has a new profile and talks to nobody
// but us.
func withBrowser(bin string, f func() int) (int, error) {
	profile, err := os.MkdirTemp("", "arena-browser-*")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(profile)
	l := launcher.New().Bin(bin).UserDataDir(profile).Headless(true).NoSandbox(true)
	for _, flag := range []string{
		"disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
		"disable-component-update", "disable-sync", "disable-extensions", "hide-scrollbars",
	} {
		l.Set(flagName(flag))
	}
	l.Set("host-resolver-rules", "MAP "+foreignName+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
	control, err := l.Launch()
	if err != nil {
		return 1, fmt.Errorf("start %s: %w", bin, err)
	}
	defer l.Kill()
	bench.browser = rod.New().ControlURL(control)
	if err := bench.browser.Connect(); err != nil {
		return 1, err
	}
	code := f()
	return code, errors.Join(bench.browser.Close(), awaitExit(l))
}

// awaitExit waits until the browser has ended and its profile can be removed.
func awaitExit(l *launcher.Launcher) error {
	done := make(chan struct{})
	go func() {
		l.Cleanup() // waits for the process, then removes the profile
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(10 * time.Second):
		return errors.New("the browser does not end")
	}
}
