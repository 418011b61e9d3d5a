//go:build !unix

package main

import (
	"errors"
	"os/exec"
)

func apart(*exec.Cmd) {}

func freeBytes(string) (uint64, error) { return 0, errors.ErrUnsupported }
