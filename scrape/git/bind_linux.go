package git

import (
	"os/exec"
	"syscall"
)

// bindToProcess makes git die with this process, however this process ends. When cmd is cancelled,
// git's children are killed too. It must be called before cmd is started.
func bindToProcess(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return killGroup(cmd) }
}
