package safeio

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Private reports whether only this user may write a file: the user must own it and its folder, and
// neither group nor others may write them. A file that is not private must not be mapped, because
// another user could truncate it, and reading a lost page ends the process by a signal.
func Private(path string) bool {
	for _, name := range []string{path, filepath.Dir(path)} {
		info, err := os.Stat(name)
		if err != nil || !isOwned(info) {
			return false
		}
	}
	return true
}

func isOwned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
