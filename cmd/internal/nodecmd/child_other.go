//go:build !linux

package nodecmd

import "syscall"

// apart returns the attributes of a child: an interrupt of the terminal is not for it, because up
// asks it to finish.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
