//go:build !linux

package openat

import "golang.org/x/sys/unix"

// passing are the flags for a folder on the way to a file.
const passing = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

func openBelow(dir int, name string) (int, error) { return openSteps(dir, name) }
