package nodecmd

import "syscall"

// apart returns the attributes of a child: an interrupt of the terminal is not for it, because up
// asks it to finish. If up is killed, the child is asked to finish, too.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
