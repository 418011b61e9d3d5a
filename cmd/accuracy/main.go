// Accuracy measures how exact the load generator is: it sends to a simulated
// server in a process of its own, and compares what it saw with what that server
// noted. It prints tables in Markdown.
//
//	accuracy [-quick] [section ...]
//
// The sections are streams, stamps, variants, lateness and capacity; all of them without
// a name. The machine should have nothing else to do.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
)

// A bench is one run of this program.
type bench struct {
	out   io.Writer
	quick bool // a tenth of the requests: to see that it works, not to publish
}

// A section measures one thing and prints its table.
type section struct {
	name string
	run  func(b *bench, ctx context.Context) error
}

func sections() []section {
	return []section{
		{"streams", (*bench).streams},
		{"stamps", (*bench).stamps},
		{"variants", (*bench).variants},
		{"lateness", (*bench).lateness},
		{"capacity", (*bench).capacity},
	}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == serveArgument {
		exit(serve(os.Stdin, os.Stdout, os.Args[2:]))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exit(run(ctx, os.Stdout, os.Args[1:]))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

// run runs the sections that args name.
func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("accuracy", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "send a tenth of the requests, to see that it works")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	all := sections()
	for _, name := range flags.Args() {
		if !slices.ContainsFunc(all, func(s section) bool { return s.name == name }) {
			return fmt.Errorf("no section %q", name)
		}
	}
	b := &bench{out: out, quick: *quick}
	if err := b.machine(); err != nil {
		return err
	}
	for _, s := range all {
		if flags.NArg() > 0 && !slices.Contains(flags.Args(), s.name) {
			continue
		}
		if err := s.run(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// times returns how many to send: fewer when it is quick.
func (b *bench) times(n int) int {
	if b.quick {
		return max(n/10, 1)
	}
	return n
}

func (b *bench) print(format string, args ...any) { fmt.Fprintf(b.out, format+"\n", args...) }
