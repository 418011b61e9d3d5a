//go:build !unix

package main

import (
	"errors"
	"os"
	"os/exec"
)

func apart(*exec.Cmd) {}

func interrupt(p *os.Process) error { return p.Kill() }

func freeBytes(string) (uint64, error) { return 0, errors.ErrUnsupported }
