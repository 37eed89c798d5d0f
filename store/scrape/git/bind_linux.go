package git

import (
	"os/exec"
	"syscall"
)

// bind lets git die with this process, whatever ends it, and with all that it started when it is
// cancelled.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return killGroup(cmd) }
}
