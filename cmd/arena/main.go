// Command arena measures how fast machines serve language models, keeps the
// measurements in files that never change, and builds the site that shows them.
//
// This package parses flags, wires the other packages together, prints, and maps
// errors to exit codes. It is the only one that touches arguments, environment,
// standard streams and the exit code.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
