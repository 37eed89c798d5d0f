//go:build !linux

package git

import (
	"os/exec"
	"syscall"
)

// bindToProcess makes git die with all its children when cmd is cancelled. It must be called before
// cmd is started.
func bindToProcess(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
}
