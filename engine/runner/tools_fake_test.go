package runner

import (
	"context"
	"flag"
	"os"
	"testing"

	"example.org/arena/engine/runner/toolstest"
)

// The fake tool is this test binary, run again in the place of uvx and docker.
func TestFakeTool(t *testing.T) {
	if os.Getenv("TOOLSTEST_DIR") == "" {
		if foundCode != toolstest.Found {
			t.Errorf("the fake tool says %d for a process that was found, want %d", toolstest.Found, foundCode)
		}
		return // is no test, but the tool
	}
	os.Exit(toolstest.Run(flag.Args()))
}

// throughFakeTool runs the fake tool in the place of every command.
func throughFakeTool(mode, dir string) func(context.Context, Process) (Exit, error) {
	return func(ctx context.Context, p Process) (Exit, error) {
		p.Argv = append([]string{os.Args[0], "-test.run=^TestFakeTool$", "--"}, p.Argv...)
		p.Env = append(p.Env, "TOOLSTEST="+mode, "TOOLSTEST_DIR="+dir)
		return Execute(ctx, p)
	}
}
