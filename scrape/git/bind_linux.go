package git

import (
	"os/exec"
	"syscall"
)

// bindToProcess makes git die with this process, whatever ends it, and kills git's children too
// when it is cancelled.
func bindToProcess(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return killGroup(cmd) }
}
