//go:build !linux

package git

import (
	"os/exec"
	"syscall"
)

// bind makes git die with all its children when it is cancelled.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
}
