//go:build !unix

package runner

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func interrupt(p *os.Process) { _ = p.Signal(os.Interrupt) }

func kill(p *os.Process) { _ = p.Kill() }

func signalOf(*os.ProcessState) string { return "" }
