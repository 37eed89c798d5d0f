//go:build !linux

package git

import (
	"os/exec"
	"syscall"
)

// bindToProcess makes git die with all its children when it is cancelled.
func bindToProcess(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
}
