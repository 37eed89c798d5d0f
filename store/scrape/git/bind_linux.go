package git

import (
	"os/exec"
	"syscall"
)

// bind makes git die with this process, whatever ends it, and kills git's children too when it is
// cancelled.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return killGroup(cmd) }
}
