package lookups

import (
	"path/filepath"

	"golang.org/x/sys/unix"

	"patina/scrape/openat"
	"patina/store/doc"
)

// IsModified reports whether a file below root has changed since it was read. A file that is gone
// has changed. It calls lstat once.
func IsModified(root, path string, read doc.Stat) bool {
	var info unix.Stat_t
	if err := unix.Lstat(filepath.Join(root, filepath.FromSlash(path)), &info); err != nil {
		return true
	}
	now := openat.StatOf(&info)
	if read.Inode == 0 { // unknown
		now.Inode = 0
	}
	return now != read
}
