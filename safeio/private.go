package safeio

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Private reports whether this user alone may write a file: it and its folder are owned by the
// user, and neither its group nor others may write them. A file that somebody else could cut must
// not be mapped: touching a page that it has lost is a signal that ends the process.
func Private(path string) bool {
	for _, name := range []string{path, filepath.Dir(path)} {
		info, err := os.Stat(name)
		if err != nil || !owned(info) {
			return false
		}
	}
	return true
}

func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
