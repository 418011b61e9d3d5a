package runner

import "syscall"

// endWithUs makes the kernel end a process when this program is killed. The kernel
// looks at the thread that started it, which has to live as long.
func endWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }
