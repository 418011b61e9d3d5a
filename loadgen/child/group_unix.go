//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a child into a process group of its own, which Ctrl-C does not reach.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
