package runner

import (
	"context"
	"flag"
	"os"
	"testing"

	"example.org/arena/engine/runner/standin"
)

// The stand-in is this test binary, run again in the place of uvx and docker.
func TestStandIn(t *testing.T) {
	if os.Getenv("STANDIN_DIR") == "" {
		if foundCode != standin.Found {
			t.Errorf("the stand-in says %d for a process that was found, want %d", standin.Found, foundCode)
		}
		return // is no test, but the tool
	}
	os.Exit(standin.Run(flag.Args()))
}

// throughStandIn runs the stand-in in the place of every command.
func throughStandIn(mode, dir string) func(context.Context, Process) (Exit, error) {
	return func(ctx context.Context, p Process) (Exit, error) {
		p.Argv = append([]string{os.Args[0], "-test.run=^TestStandIn$", "--"}, p.Argv...)
		p.Env = append(p.Env, "STANDIN="+mode, "STANDIN_DIR="+dir)
		return Execute(ctx, p)
	}
}
