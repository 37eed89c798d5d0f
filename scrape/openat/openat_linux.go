package openat

import (
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// passing are the flags for a folder on the way to a file. It need not be readable.
const passing = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// stepwise is true if the kernel is older than 5.6, or a container forbids the call.
var stepwise atomic.Bool

// retries is how often the kernel is asked again if the way to a file changes meanwhile.
const retries = 8

// openBelow opens a file below an open folder in one system call, which costs no more than a plain
// open.
func openBelow(dir int, name string) (int, error) {
	how := unix.OpenHow{Flags: reading, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}
	for try := 0; !stepwise.Load(); {
		fd, err := unix.Openat2(dir, name, &how)
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN && try < retries:
			try++
		case err == unix.ENOSYS || err == unix.EPERM:
			stepwise.Store(true)
		default:
			return fd, err
		}
	}
	return openSteps(dir, name)
}
