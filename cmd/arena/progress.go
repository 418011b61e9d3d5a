package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.org/arena/cmd/arena/terminal"
)

// A progress tells a person what a build is doing: a line per phase, and on a
// terminal how far a long one is. It draws no bars: how many charts there will be
// is known only when they have been drawn.
type progress struct {
	w      io.Writer
	live   bool
	drawn  atomic.Int64 // charts
	packed atomic.Int64 // files handed to compression
}

func newProgress(w io.Writer) *progress {
	return &progress{w: w, live: terminal.Look(w, os.Getenv).Live}
}

// printLine writes a line.
func (p *progress) printLine(format string, args ...any) { fmt.Fprintf(p.w, format+"\n", args...) }

// showPhase does work, and shows its name and how far it is.
func (p *progress) showPhase(name string, work func() error) error {
	if !p.live {
		p.printLine("%s", name)
		return work()
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			fmt.Fprintf(p.w, "\r\x1b[K%s%s", name, p.counts())
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	})
	err := work()
	close(stop)
	wg.Wait()
	p.printLine("\r\x1b[K%s%s", name, p.counts())
	return err
}

// counts says how much was done so far, nothing when nothing was.
func (p *progress) counts() string {
	var words []string
	for _, c := range []struct {
		n    int64
		what string
	}{{p.drawn.Load(), "drawing"}, {p.packed.Load(), "compressed file"}} {
		if c.n > 0 {
			words = append(words, ", "+terminal.Counted(int(c.n), c.what))
		}
	}
	return strings.Join(words, "")
}
