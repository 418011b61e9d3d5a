//go:build unix

package runner

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts a process and its children into a group of their own, so that a
// Ctrl-C at the terminal does not reach them before we say so.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	killWithParent(cmd.SysProcAttr)
}

func interrupt(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGINT) }

func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// signalOf names the signal that ended a process, or nothing.
func signalOf(s *os.ProcessState) string {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
