package runner

import "syscall"

// killWithParent makes the kernel end a process when this program is killed. The kernel
// watches the thread that started the process: that thread has to live as long.
func killWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }
