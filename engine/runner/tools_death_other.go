//go:build unix && !linux

package runner

import "syscall"

func killWithParent(*syscall.SysProcAttr) {}
