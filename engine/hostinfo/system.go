package hostinfo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"strings"
	"time"
)

// A System is how the package reaches the machine. What is not set is the machine
// itself: the zero value is what a program uses, the rest is for tests.
type System struct {
	// Run runs a program to its end and returns what it wrote to its standard
	// output, even when it fails. A program that is not installed is
	// [exec.ErrNotFound].
	Run func(ctx context.Context, name string, args ...string) ([]byte, error)
	// Start starts a program that writes lines until it is stopped.
	Start func(ctx context.Context, name string, args ...string) (Child, error)
	// Read returns a file of the machine, named by its absolute path.
	Read func(name string) ([]byte, error)
	// Names returns what this machine and its user are called, so that it is
	// recognised wherever it turns up.
	Names func() []string
	// Now is the clock by which samples are dated.
	Now func() time.Time
	// Timeout is how long a program may take to answer; 20 s when it is zero. The
	// driver of a machine with eight GPUs takes seconds to wake up.
	Timeout time.Duration
}

// A Child is a program that runs and writes.
type Child struct {
	Out  io.Reader // what it writes; ends when it ends
	Stop func()    // ends it, and Out with it
	Wait func()    // frees what the system keeps of it, after Out has ended
}

const (
	defaultTimeout = 20 * time.Second
	grace          = 2 * time.Second // that a killed program gets to be gone
	outputSize     = 16 << 20        // most that is kept of what a program writes, in bytes
)

func (s System) complete() System {
	if s.Run == nil {
		s.Run = runLocal
	}
	if s.Start == nil {
		s.Start = startLocal
	}
	if s.Read == nil {
		s.Read = os.ReadFile
	}
	if s.Names == nil {
		s.Names = localNames
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Timeout <= 0 {
		s.Timeout = defaultTimeout
	}
	return s
}

// run is Run with the time limit.
func (s System) run(ctx context.Context, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	return s.Run(ctx, name, args...)
}

// command prepares a child. Its language is C and its zone UTC, so that its
// figures and times read the same everywhere; it does not get the terminal's
// Ctrl-C, after which a run still drains.
func command(ctx context.Context, name string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "TZ=UTC")
	cmd.WaitDelay = grace
	ownGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	return cmd
}

// runLocal runs a program of this machine. One that cannot be killed, since it
// hangs in the driver, is left behind.
func runLocal(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := command(ctx, name, args)
	out, errs := &head{most: outputSize}, &head{most: 2 << 10}
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return out.kept.Bytes(), explain(ctx, err, errs)
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return out.kept.Bytes(), cmp.Or(ctx.Err(), err)
	case <-time.After(2 * grace):
		return nil, ctx.Err()
	}
}

// explain adds what a program said on its standard error to how it ended.
func explain(ctx context.Context, err error, errs *head) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	line, _, _ := strings.Cut(strings.TrimSpace(errs.kept.String()), "\n")
	if err == nil || line == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, line)
}

// head keeps the first bytes that are written to it. The buffer is not embedded: its
// ReadFrom, which io.Copy prefers to Write, would pass the limit.
type head struct {
	kept bytes.Buffer
	most int
}

// Write implements [io.Writer].
func (h *head) Write(p []byte) (int, error) {
	h.kept.Write(p[:min(len(p), h.most-h.kept.Len())]) // never fails
	return len(p), nil
}

func startLocal(ctx context.Context, name string, args ...string) (Child, error) {
	cmd := command(ctx, name, args)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Child{}, err
	}
	if err := cmd.Start(); err != nil {
		return Child{}, err
	}
	return Child{
		Out: out,
		Stop: func() {
			killGroup(cmd)
			out.Close() //nolint:errcheck // reading ends either way
		},
		Wait: func() { cmd.Wait() }, //nolint:errcheck // how it ended does not matter
	}, nil
}

// localNames asks the system, not the environment, what machine and user are
// called.
func localNames() []string {
	var names []string
	if host, err := os.Hostname(); err == nil {
		short, _, _ := strings.Cut(host, ".")
		names = append(names, host, short)
	}
	if u, err := user.Current(); err == nil {
		names = append(names, u.Username, u.Name, u.HomeDir)
		names = append(names, strings.Fields(u.Name)...)
	}
	return names
}

// absent reports whether a program is not installed.
func absent(err error) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist)
}
