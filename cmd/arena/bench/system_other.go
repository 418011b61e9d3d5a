//go:build !unix

package bench

import (
	"errors"
	"os/exec"
)

func detach(*exec.Cmd) {}

func freeBytes(string) (uint64, error) { return 0, errors.ErrUnsupported }
