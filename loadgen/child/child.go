// Package child starts a server in a process of its own, so that it takes no time from
// whoever measures it. Such a server prints its address as its first line and ends when
// its standard input does. The package knows nothing of what the server serves.
package child

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// A Server is a server that has said its address.
type Server struct {
	URL    string // as it printed it
	cmd    *exec.Cmd
	stdin  io.Closer // the server ends when this is closed, or when this program is gone
	stderr bytes.Buffer
}

// waitDelay is how long a process may keep its output open after its end.
const waitDelay = 5 * time.Second

// Start starts a server and waits for its address. What it says on the standard error
// is kept for the error of a server that fails, unless the command has a place for it.
func Start(cmd *exec.Cmd) (*Server, error) {
	s := &Server{cmd: cmd}
	cmd.WaitDelay = waitDelay
	ownGroup(cmd) // Ctrl-C is for this program, which ends the server itself
	if cmd.Stderr == nil {
		cmd.Stderr = &s.stderr
	}
	var err error
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = cmd.Process.Kill() // it may hang, and may have ended by itself
		return nil, s.failure("start", errors.Join(err, cmd.Wait()))
	}
	s.URL = strings.TrimSpace(line)
	return s, nil
}

// Stop ends the server and waits for its end.
func (s *Server) Stop() error {
	if err := errors.Join(s.stdin.Close(), s.cmd.Wait()); err != nil {
		return s.failure("end", err)
	}
	return nil
}

// CPUTime returns the processor time that a server took until it ended.
func (s *Server) CPUTime() time.Duration {
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}

// failure adds what the server said of itself.
func (s *Server) failure(what string, err error) error {
	if said := s.stderr.String(); said != "" {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return fmt.Errorf("%s the server: %w", what, err)
}
