package git

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// killGroup kills a process and its children. It returns os.ErrProcessDone if the process has
// ended.
func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
