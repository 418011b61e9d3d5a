//go:build unix

package hostinfo

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a child and its own children a group by which they can be ended.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a child that was started with ownGroup, unless it was reaped: its
// number may then be another's.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process == nil || cmd.Process.Signal(syscall.Signal(0)) != nil {
		return
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
}
