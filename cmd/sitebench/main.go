// Sitebench measures how long arena build takes and how much memory, with as many
// configurations as asked for, and prints a table in Markdown. The bundles are made
// from the committed ones. Hugo, fetched as a Go module, builds pages of the same
// number and weight in the same run, for comparison.
//
//	sitebench [-dir DIR] [-hugo VERSION] [CONFIGURATIONS ...]
//
// It is run in a checkout with a built bin/arena. The charts are drawn before
// anything is timed. The machine should have nothing else to do.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
)

// A bench is one run of this program.
type bench struct {
	out   io.Writer
	arena string // the program measured
	dir   string // where bundles, caches and sites are put
	hugo  string // version of Hugo to compare with; empty for none
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sitebench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("sitebench", flag.ContinueOnError)
	b := &bench{out: out}
	flags.StringVar(&b.arena, "arena", "bin/arena", "the program to measure")
	flags.StringVar(&b.dir, "dir", ".cache/sitebench", "folder for bundles, caches and sites; its charts are used again")
	flags.StringVar(&b.hugo, "hugo", "v0.150.0", "version of Hugo to compare with, empty for none")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	sizes := []int{33, 1000}
	if flags.NArg() > 0 {
		sizes = nil
	}
	for _, arg := range flags.Args() {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of configurations", arg)
		}
		sizes = append(sizes, n)
	}
	for _, path := range []*string{&b.arena, &b.dir} {
		var err error
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	fmt.Fprint(out, "| configurations | build | elapsed s | processor s | memory MB | pages | files MB |\n|--:|---|--:|--:|--:|--:|--:|\n")
	for _, n := range sizes {
		if err := b.measure(ctx, n); err != nil {
			return err
		}
	}
	return nil
}
