package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"
)

// A Process is a command that is to run.
type Process struct {
	Argv   []string
	Env    []string // NAME=VALUE, beyond the environment of this program
	Dir    string
	Grace  time.Duration // between the two signals when it is interrupted
	Stdout io.Writer
	Stderr io.Writer
}

// An Exit says how a process ended.
type Exit struct {
	Code   int    // −1 when a signal ended it
	Signal string // that ended it, "killed"
}

// OK reports whether the process ended well.
func (e Exit) OK() bool { return e.Code == 0 }

func (e Exit) String() string {
	if e.Signal != "" {
		return "ended by signal: " + e.Signal
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// Execute runs a process, with everything that it starts in a group of its own:
// when the context ends, the whole group is interrupted, and killed after the
// grace. An error says that it could not be started.
func Execute(ctx context.Context, p Process) (Exit, error) {
	if err := ctx.Err(); err != nil {
		return Exit{Code: -1}, err
	}
	cmd := exec.CommandContext(ctx, p.Argv[0], p.Argv[1:]...)
	cmd.Dir = p.Dir
	cmd.Env = append(cmd.Environ(), p.Env...)
	cmd.Stdout, cmd.Stderr = p.Stdout, p.Stderr
	ownGroup(cmd)
	runtime.LockOSThread() // it may be watched by the kernel as the parent: see killWithParent
	defer runtime.UnlockOSThread()
	done := make(chan struct{})
	cmd.Cancel = func() error {
		interrupt(cmd.Process)
		go func() {
			select {
			case <-done:
			case <-time.After(p.Grace):
				kill(cmd.Process)
			}
		}()
		return nil
	}
	// A process that left its output open with somebody else must not hold us.
	cmd.WaitDelay = p.Grace + time.Second
	if err := cmd.Start(); err != nil {
		close(done)
		return Exit{Code: -1}, err
	}
	err := cmd.Wait()
	close(done)
	if ctx.Err() != nil {
		kill(cmd.Process) // what is left of the group
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) && cmd.ProcessState == nil {
		return Exit{Code: -1}, err
	}
	return Exit{Code: cmd.ProcessState.ExitCode(), Signal: signalOf(cmd.ProcessState)}, nil
}
